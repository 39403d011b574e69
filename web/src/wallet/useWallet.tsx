// The wallet of the visitor: found by EIP-6963 and asked through its own connection, so that a page calls no other server.

import type { Address } from '@svc/sdk/domain';
import type { ReactNode } from 'react';
import type { Account, Chain, Client, Transport } from 'viem';
import {
  createConfig,
  injected,
  unstable_connector,
  useConnection,
  useConnectorClient,
  useSwitchChain,
} from 'wagmi';
import { Button } from '../components/Form.tsx';
import { chain } from '../data/chain.ts';

export const walletConfig = createConfig({
  chains: [chain],
  multiInjectedProviderDiscovery: true,
  transports: { [chain.id]: unstable_connector(injected) },
});

export const chainId = chain.id;

export type WalletClient = Client<Transport, Chain, Account>;

export type Wallet = {
  readonly address: Address;
  /** Null while the wallet is on another chain or not ready yet. */
  readonly client: WalletClient | null;
  readonly isOnChain: boolean;
};

/** Null while no wallet is connected. */
export function useWallet(): Wallet | null {
  const { address, chainId: current, isConnected } = useConnection();
  const { data } = useConnectorClient({ config: walletConfig, chainId });
  if (!isConnected || address === undefined) return null;
  const isOnChain = current === chainId;
  const isCurrent = data?.account?.address === address;
  return { address, isOnChain, client: isOnChain && isCurrent ? data : null };
}

/** Throws a sentence that says what to do if the chain cannot be reached through the wallet. */
export function requireClient(wallet: Wallet | null): WalletClient {
  if (wallet === null) throw new Error('The wallet is no longer connected. Connect it again.');
  if (!wallet.isOnChain)
    throw new Error(`The wallet is on another chain. Switch it to ${chain.name}, then try again.`);
  if (wallet.client === null) throw new Error('The wallet is not ready yet. Try again in a moment.');
  return wallet.client;
}

export const notSwitched = `The wallet did not switch. Choose ${chain.name} in the wallet itself.`;

/** Shown instead of anything that needs the wallet to be on the market's chain. */
export function WrongChain() {
  const { mutate: switchChain, isPending, error } = useSwitchChain();
  return (
    <div className="notice" data-is="time" role="status">
      <p>
        {error === null
          ? `Your wallet is on another chain. Switch it to ${chain.name} to continue.`
          : notSwitched}
      </p>
      <Button isBusy={isPending} onClick={() => switchChain({ chainId })}>
        Switch the wallet to {chain.name}
      </Button>
    </div>
  );
}

/** What reads the market's chain through the wallet; `connect` says what for, where nothing works without one. */
export function OnChain({ connect, children }: { connect?: ReactNode; children: ReactNode }) {
  const wallet = useWallet();
  if (wallet === null && connect !== undefined) return <ConnectFirst>{connect}</ConnectFirst>;
  return wallet?.isOnChain === false ? <WrongChain /> : children;
}

/** Shown instead of a task's actions while no wallet is connected. */
export function ConnectHint() {
  return (
    <div className="row">
      <ChooseWallet isMain />
      <span className="small quiet">Connect a wallet to see what you can do.</span>
    </div>
  );
}

/** Shown where nothing can be seen or done without a wallet; `children` say what it is for. */
export function ConnectFirst({ children }: { children: ReactNode }) {
  return (
    <div className="notice">
      <p>{children}</p>
      <ChooseWallet isMain />
    </div>
  );
}

/** The button of the page's head listens to it. */
export const chooseWalletEvent = 'svc-choose-wallet';

/** Opens the list of wallets from where one is needed. */
export function ChooseWallet({ isMain = false }: { isMain?: boolean }) {
  return (
    <Button is={isMain ? 'main' : undefined} onClick={() => dispatchEvent(new Event(chooseWalletEvent))}>
      Choose a wallet
    </Button>
  );
}
