// Which answers a change makes stale, by the names they are remembered by.
import type { MarketEvent } from '@svc/sdk/client';

type Reset = { readonly type: 'reset' };

export function keysOf(event: MarketEvent | Reset): readonly (readonly string[])[] {
  // What is told of wallets comes from many tasks: which of them this one belongs to, only the server knows.
  const ofWallets = [['wallet'], ['gateway'], ['ledger']];
  if (event.type === 'reset') return [['tasks'], ['task'], ['timeline'], ['union'], ...ofWallets];
  const { id, market } = event.task;
  return [['tasks', market], ['task', id], ['timeline', id], ['union', market], ...ofWallets];
}
