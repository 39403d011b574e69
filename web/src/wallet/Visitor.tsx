// "Try as a visitor": connects a wallet of this browser with test money. Offered on the embedded chain only.
import { useEffect, useState } from 'react';
import { createConnector, useConnect, useConnection, useReconnect } from 'wagmi';
import { usePagesInfo } from '#data/client.ts';
import { chainId, walletConfig } from './useWallet.tsx';

/** Null on every chain but the embedded one, and where this browser cannot reach it. */
export function useVisitorRpc(): string | null {
  const rpcUrl = usePagesInfo().data?.embeddedRpcUrl ?? null;
  return rpcUrl !== null && localHosts.has(location.hostname) ? rpcUrl : null;
}

/** The embedded chain listens on the loopback address. */
const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

export function VisitorButton({
  rpcUrl,
  isMain = false,
  onDone,
}: {
  readonly rpcUrl: string;
  readonly isMain?: boolean;
  readonly onDone?: () => void;
}) {
  // Called also if the page shows something else once the wallet is connected.
  const { mutate: connect, error, isPending } = useConnect({ mutation: { onSuccess: () => onDone?.() } });
  return (
    <>
      <button
        type="button"
        className="button"
        data-is={isMain ? 'main' : undefined}
        disabled={isPending}
        onClick={() => connect({ connector: createVisitor(rpcUrl), chainId })}
      >
        {isPending ? 'Getting test money…' : 'Try as a visitor'}
      </button>
      {error !== null && (
        <p className="notice" data-is="risk" role="alert">
          The embedded chain did not answer: {error.message.split('\n')[0]}
        </p>
      )}
    </>
  );
}

/** A visitor stays the same one after a reload. */
export function useVisitorReconnect(): void {
  const rpcUrl = useVisitorRpc();
  const { isConnected } = useConnection();
  const { mutate: reconnect } = useReconnect();
  const [isTried, setTried] = useState(false);
  useEffect(() => {
    if (rpcUrl === null || isConnected || isTried) return;
    setTried(true);
    const restore = async () => {
      const recent = await walletConfig.storage?.getItem('recentConnectorId');
      if (recent === visitorId) reconnect({ connectors: [createVisitor(rpcUrl)] });
    };
    void restore();
  }, [rpcUrl, isConnected, isTried, reconnect]);
}

const visitorId = 'svcVisitor';

/** The keys are handled in a chunk that is loaded on the first use. */
function createVisitor(rpcUrl: string) {
  const open = async () => (await import('./visitorWallet.ts')).openVisitorWallet(rpcUrl);
  return createConnector(({ chains: [chain] }) => {
    let opened: ReturnType<typeof open> | undefined;
    const wallet = () => {
      opened ??= open();
      return opened;
    };
    return {
      id: visitorId,
      name: 'Visitor',
      type: visitorId,
      connect: async ({ isReconnecting = false } = {}) => {
        const { address, fund } = await wallet();
        if (!isReconnecting) await fund();
        return { accounts: [address], chainId: chain.id } as never;
      },
      disconnect: async () => undefined,
      getAccounts: async () => [(await wallet()).address],
      getChainId: async () => chain.id,
      getProvider: async () => (await wallet()).provider,
      isAuthorized: async () => (await import('./visitorWallet.ts')).hasVisitorKey(),
      onAccountsChanged: () => undefined,
      onChainChanged: () => undefined,
      onDisconnect: () => undefined,
    };
  });
}
