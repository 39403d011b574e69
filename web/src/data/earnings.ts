// What a wallet received and paid in its tasks, from its ledger.
import { formatTok } from '@svc/sdk/domain';
import type { Ledger } from '@svc/sdk/internal/client/createMarketClient';

type Entry = Ledger['entries'][number];

export type TaskMoney = {
  /** As worker, after fees. */
  readonly received: bigint;
  /** As poster, for the work and for a fee on it. */
  readonly paid: bigint;
  /** As poster, out of escrow. */
  readonly returned: bigint;
};

export function readMoney(entry: Entry): TaskMoney {
  const { role, releasedTokWei, refundedTokWei, feesTokWei } = entry;
  const released = BigInt(releasedTokWei);
  return role === 'worker'
    ? { received: released, paid: 0n, returned: 0n }
    : { received: 0n, paid: released + BigInt(feesTokWei), returned: BigInt(refundedTokWei) };
}

/** By the id of the task. */
export function mapMoney(ledgers: readonly Ledger[]): ReadonlyMap<string, TaskMoney> {
  return new Map(ledgers.flatMap(({ entries }) => entries.map((entry) => [entry.id, readMoney(entry)])));
}

const columns = [
  'task',
  'role',
  'state',
  'received TOK',
  'paid TOK',
  'returned TOK',
  'in escrow TOK',
  'deadline',
];

/** One row for each task. No field holds words of users, so none needs quotes or could be a formula. */
export function writeLedgerCsv({ entries }: Pick<Ledger, 'entries'>): string {
  const rows = entries.map((entry) => {
    const { received, paid, returned } = readMoney(entry);
    const amounts = [received, paid, returned, BigInt(entry.lockedTokWei)].map(formatTok);
    return [entry.id, entry.role, entry.state, ...amounts, new Date(entry.deadline * 1_000).toISOString()];
  });
  return [columns, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
