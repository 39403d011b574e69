// WalletConnect as one of the wallets: its client is a chunk of its own, loaded when somebody chooses it.

import type { Address } from '@svc/sdk/domain';
import { getAddress } from 'viem';
import { createConnector } from 'wagmi';
import type { Session, WalletConnectPlace } from './session.ts';

export const walletConnectId = 'walletConnect';

/** `onUri` is handed what the other wallet has to scan or open. */
export function createWalletConnect(place: WalletConnectPlace, onUri: (uri: string) => void) {
  let opening: Promise<Session> | null = null;
  const open = () => {
    opening ??= import('./session.ts').then(({ openSession }) => openSession(place));
    // What failed may be tried again.
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
