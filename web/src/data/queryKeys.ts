// The names under which replies are cached, and which of them an event makes stale.

import type { MarketEvent } from '@svc/sdk';
import type { Market } from '@svc/sdk/domain';

export const queryKeys = {
  /** Lists of tasks, and the posting quota, which depends on them. */
  tasks: (market: Market, list: string, address?: string) => ['tasks', market, list, address],
  /** What concerns a wallet. */
  concerns: (market: Market, address: string) => ['concerns', market, address],
  /** What waits for a wallet, with its session all of it. */
  todo: (address: string, isSignedIn: boolean) => ['concerns', 'all', address, isSignedIn],
  /** How much of it is the wallet's turn. */
  needed: (address: string, isSignedIn: boolean) => ['needed', address, isSignedIn],
  task: (id: string) => ['task', id],
  timeline: (id: string) => ['timeline', id],
  union: (market: Market) => ['union', market],
  ledger: (market: Market, address: string) => ['ledger', market, address],
  earnings: (market: Market, address: string) => ['ledger', market, address, 'months'],
  gateway: (board: string, market: Market, address?: string) => ['gateway', board, market, address],
  /** Balances, allowances and collateral of the connected wallet. */
  wallet: (market: Market, address: string | undefined) => ['wallet', market, address],
  request: (id: string) => ['request', id],
} as const;

/** Of every market and wallet: only the server knows which wallets a task's event concerns. */
const walletKeys = [['wallet'], ['gateway'], ['ledger'], ['needed']];

export function staleKeys(event: MarketEvent | { readonly type: 'reset' }): readonly (readonly unknown[])[] {
  if (event.type === 'reset')
    return [['tasks'], ['concerns'], ['task'], ['timeline'], ['union'], ...walletKeys];
  const { id, market } = event.task;
  return [
    ['tasks', market],
    ['concerns'],
    queryKeys.task(id),
    queryKeys.timeline(id),
    queryKeys.union(market),
    ...walletKeys,
  ];
}
