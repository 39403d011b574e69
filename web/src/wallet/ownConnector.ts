// Connectors of wallets that this page opens itself, each in a chunk that is loaded on the first use.
import type { Address } from '@svc/sdk/domain';
import { useEffect, useRef } from 'react';
import { type CreateConnectorFn, createConnector, useConnection, useReconnect } from 'wagmi';
import { walletConfig } from './useWallet.tsx';

export type OwnWallet = {
  /** Empty until it is connected. */
  readonly accounts: () => readonly Address[];
  readonly provider: { readonly request: (asked: ProviderRequest) => Promise<unknown> };
  readonly connect: (isReconnecting: boolean) => Promise<void>;
  readonly end: () => Promise<void>;
  /** The listener hears of other accounts; without any, the wallet has ended the session. */
  readonly onAccounts?: (listener: (accounts: readonly Address[]) => void) => void;
};

type ProviderRequest = { readonly method: string; readonly params?: readonly unknown[] };

export function createOwnConnector(
  id: string,
  name: string,
  open: () => Promise<OwnWallet>,
): CreateConnectorFn {
  let opening: Promise<OwnWallet> | null = null;
  const wallet = () => {
    opening ??= open();
    // After a failure the next attempt opens it again.
    opening.catch(() => {
      opening = null;
    });
    return opening;
  };
  return createConnector(({ chains: [chain], emitter }) => ({
    id,
    name,
    type: id,
    connect: async ({ isReconnecting = false } = {}) => {
      const { connect, accounts, onAccounts } = await wallet();
      await connect(isReconnecting);
      onAccounts?.((now) => {
        if (now.length === 0) emitter.emit('disconnect');
        else emitter.emit('change', { accounts: now });
      });
      return { accounts: accounts(), chainId: chain.id } as never;
    },
    disconnect: async () => (await wallet()).end(),
    getAccounts: async () => (await wallet()).accounts(),
    getChainId: async () => chain.id,
    getProvider: async () => (await wallet()).provider,
    isAuthorized: async () => (await wallet()).accounts().length > 0,
    onAccountsChanged: () => undefined,
    onChainChanged: () => undefined,
    onDisconnect: () => undefined,
  }));
}

/** After a reload, connects the wallet again if it was used last. `create` is null where it is not offered. */
export function useReconnectTo(id: string, create: (() => CreateConnectorFn) | null): void {
  const { isConnected } = useConnection();
  const { mutate: reconnect } = useReconnect();
  const isTried = useRef(false);
  useEffect(() => {
    if (create === null || isConnected || isTried.current) return;
    isTried.current = true;
    const restore = async () => {
      const recent = await walletConfig.storage?.getItem('recentConnectorId');
      if (recent === id) reconnect({ connectors: [create()] });
    };
    void restore();
  });
}
