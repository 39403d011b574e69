// Connects a wallet; once connected, shows it and disconnects it.

import { ChevronDown } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useConnect, useConnection, useConnectors, useDisconnect, useSwitchChain } from 'wagmi';
import { Button, Dialog, Failure } from '../components/Form.tsx';
import { Identicon } from '../components/Identicon.tsx';
import { chain } from '../data/chain.ts';
import { shorten } from '../data/format.ts';
import { chainId, chooseWalletEvent, notSwitched } from './useWallet.tsx';
import { useVisitorReconnect, useVisitorRpc, VisitorButton } from './Visitor.tsx';
import {
  useWalletConnectReconnect,
  useWalletConnectSettings,
  WalletConnectChoice,
} from './walletConnect/WalletConnect.tsx';

export function WalletButton() {
  const { address, chainId: current, isConnected } = useConnection();
  const { mutate: disconnect } = useDisconnect();
  const { mutate: switchChain, error } = useSwitchChain();
  const dialog = useRef<HTMLDialogElement>(null);
  useWalletConnectReconnect();
  useVisitorReconnect();
  useEffect(() => {
    const open = () => dialog.current?.showModal();
    addEventListener(chooseWalletEvent, open);
    return () => removeEventListener(chooseWalletEvent, open);
  }, []);
  if (isConnected && address !== undefined) {
    return (
      <>
        {current !== chainId && (
          <Button
            is="risk"
            onClick={() => switchChain({ chainId }, { onError: () => dialog.current?.showModal() })}
          >
            Switch to {chain.name}
          </Button>
        )}
        <button type="button" className="wallet" onClick={() => dialog.current?.showModal()} title={address}>
          <Identicon address={address} size="m" />
          <span className="mono">{shorten(address)}</span>
          <ChevronDown className="s" />
        </button>
        <Dialog ref={dialog} title="Your wallet">
          <p className="mono">{address}</p>
          <Failure text={current !== chainId && error !== null ? notSwitched : null} />
          <div className="row">
            <a className="button" href="/my.html">
              My work
            </a>
            <a className="button" href="/wallet.html">
              Wallet
            </a>
            <a className="button" href="/notifications.html">
              Notices
            </a>
            <Button
              onClick={() => {
                disconnect();
                dialog.current?.close();
              }}
            >
              Disconnect
            </Button>
          </div>
        </Dialog>
      </>
    );
  }
  return (
    <>
      <Button onClick={() => dialog.current?.showModal()}>Connect wallet</Button>
      <Dialog ref={dialog} title="Connect a wallet">
        <Wallets onDone={() => dialog.current?.close()} />
      </Dialog>
    </>
  );
}

function explainRefusal(error: Error): string {
  if ((error as { code?: unknown }).code === 4001)
    return 'You declined in the wallet. Choose it again to connect.';
  return `The wallet did not connect: ${error.message.split('\n')[0]}`;
}

/** Only a picture that the wallet itself brings: one from an address would tell its server who reads this page. */
function WalletIcon({ source = '' }: { source: string | undefined }) {
  return source.startsWith('data:image/') ? <img className="walleticon" src={source} alt="" /> : null;
}

function Wallets({ onDone }: { onDone: () => void }) {
  const connectors = useConnectors();
  const settings = useWalletConnectSettings();
  const { mutateAsync: connect, error, isPending } = useConnect();
  const { mutate: switchChain } = useSwitchChain();
  /** A person who declines the switch is connected all the same: the page says which chain it needs, and has a button for it. */
  const choose = async (connector: (typeof connectors)[number]) => {
    const { chainId: current } = await connect({ connector });
    onDone();
    if (current !== chainId) switchChain({ chainId });
  };
  // The connector `injected` is whatever is at window.ethereum; wallets that announce themselves are listed by name.
  const named = connectors.filter(({ type, id }) => type === 'injected' && id !== 'injected');
  const visitorRpc = useVisitorRpc();
  const hasWallet = named.length > 0 || settings !== null;
  return (
    <>
      {visitorRpc !== null && (
        <div className="notice" data-is="act">
          <p>
            No wallet? Try everything with test money: this browser makes a wallet for you, on this computer’s
            own chain only.
          </p>
          <VisitorButton rpcUrl={visitorRpc} onDone={onDone} />
        </div>
      )}
      <p className="quiet">
        {hasWallet
          ? 'Your wallet signs; this page never sees a key. Connecting shares your address and nothing else.'
          : 'No wallet was found in this browser. Install one that supports EIP-6963, then reload this page. On a phone, open this page in the browser of your wallet app. You can read everything without a wallet.'}
      </p>
      <ul className="stack">
        {named.map((connector) => (
          <li key={connector.uid}>
            <Button
              className="wide"
              disabled={isPending}
              onClick={() => void choose(connector).catch(() => undefined)}
            >
              <WalletIcon source={connector.icon} />
              {connector.name}
            </Button>
          </li>
        ))}
        {settings !== null && (
          <li className="stack">
            <WalletConnectChoice settings={settings} onDone={onDone} />
          </li>
        )}
      </ul>
      <Failure text={error && explainRefusal(error)} />
    </>
  );
}
