// WalletConnect, for a wallet on another device. Its client is a separate chunk, loaded when the reader chooses it.

import type { Address } from '@svc/sdk/domain';
import { lazy, Suspense, useEffect, useState } from 'react';
import { getAddress } from 'viem';
import { createConnector, useConnect, useConnection, useReconnect } from 'wagmi';
import { usePagesInfo } from '#data/client.ts';
import { useSiteConfig } from '#data/market.ts';
import { chainId, walletConfig } from '../useWallet.tsx';
import type { Session, WalletConnectSettings } from './session.ts';

const PairingCode = lazy(async () => ({
  default: (await import('./PairingCode.tsx')).PairingCode,
}));

/** Null without a project id: then nothing of it is loaded or requested. */
export function useWalletConnectSettings(): WalletConnectSettings | null {
  const projectId = usePagesInfo().data?.walletConnectProjectId ?? null;
  const rpcUrl = useSiteConfig('standard', projectId !== null).data?.rpcUrl;
  return projectId === null || rpcUrl === undefined ? null : { projectId, rpcUrl };
}

export function WalletConnectChoice({
  settings,
  onDone,
}: {
  readonly settings: WalletConnectSettings;
  readonly onDone: () => void;
}) {
  const [uri, setUri] = useState('');
  const { mutate: connect, error, isPending } = useConnect();
  const start = () => {
    setUri('');
    connect({ connector: createWalletConnect(settings, setUri), chainId }, { onSuccess: onDone });
  };
  return (
    <>
      <button type="button" className="button wide" disabled={isPending} onClick={start}>
        {isPending && uri === '' ? 'Contacting WalletConnect…' : 'WalletConnect'}
      </button>
      <p className="small quiet">For a wallet on another device, such as a phone.</p>
      {isPending && uri !== '' && (
        <Suspense fallback={<p className="quiet">Drawing the code…</p>}>
          <PairingCode uri={uri} />
        </Suspense>
      )}
      {error !== null && (
        <p className="notice" data-is="risk" role="alert">
          {error.message.split('\n')[0]}
        </p>
      )}
    </>
  );
}

/** Sessions outlive the page: reconnects if WalletConnect was used last. */
export function useWalletConnectReconnect(): void {
  const settings = useWalletConnectSettings();
  const { isConnected } = useConnection();
  const { mutate: reconnect } = useReconnect();
  const [isTried, setTried] = useState(false);
  useEffect(() => {
    if (settings === null || isConnected || isTried) return;
    setTried(true);
    const restore = async () => {
      const recent = await walletConfig.storage?.getItem('recentConnectorId');
      if (recent === walletConnectId)
        reconnect({ connectors: [createWalletConnect(settings, () => undefined)] });
    };
    void restore();
  }, [settings, isConnected, isTried, reconnect]);
}

const walletConnectId = 'walletConnect';

/** `onUri` receives the code that the other wallet scans or opens. */
function createWalletConnect(settings: WalletConnectSettings, onUri: (uri: string) => void) {
  let opening: Promise<Session> | null = null;
  const open = () => {
    opening ??= import('./session.ts').then(({ openSession }) => openSession(settings));
    // After a failure the next attempt starts a new session.
    opening.catch(() => {
      opening = null;
    });
    return opening;
  };
  return createConnector(({ chains: [chain], emitter }) => {
    const accountsOf = (session: Session): readonly Address[] =>
      session.accounts().map((one) => getAddress(one));
    return {
      id: walletConnectId,
      name: 'WalletConnect',
      type: walletConnectId,
      connect: async ({ isReconnecting = false } = {}) => {
        const session = await open();
        if (session.accounts().length === 0) {
          if (isReconnecting) throw new Error('The session with the wallet has ended.');
          await session.pair(onUri);
        }
        session.onEnd(() => emitter.emit('disconnect'));
        session.onAccounts((accounts) =>
          emitter.emit('change', { accounts: accounts.map((one) => getAddress(one)) }),
        );
        return { accounts: accountsOf(session), chainId: chain.id } as never;
      },
      disconnect: async () => (await open()).end(),
      getAccounts: async () => accountsOf(await open()),
      getChainId: async () => chain.id,
      getProvider: async () => (await open()).provider,
      isAuthorized: async () => (await open()).accounts().length > 0,
      onAccountsChanged: () => undefined,
      onChainChanged: () => undefined,
      onDisconnect: () => undefined,
    };
  });
}
