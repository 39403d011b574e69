// A wallet's ledger on one market, rebuilt from its tasks (docs/decisions/routes.md).

import { type Address, formatTaskId, isSameAddress, type Task } from '@svc/sdk/domain';
import { lockedAmount } from '@svc/sdk/internal/domain/task';
import type { LedgerSum, StoredLedger } from '../store/ledgerRows.ts';
import type { TaskStore } from '../store/tasks.ts';
import { cutPage, type WalletPage } from './listPages.ts';
import { buildMeta } from './taskLists.ts';

export async function buildLedger(
  { loadLedger }: Pick<TaskStore, 'loadLedger'>,
  { market, address, limit, cursor, registryAddress }: WalletPage & { registryAddress: Address },
) {
  const before = cursor === undefined ? undefined : BigInt(cursor);
  const { sums, rows } = await loadLedger(market, address, { before, limit: limit + 1 });
  const { shown, nextCursor } = cutPage(rows, limit, ({ task }) => String(task.number));
  const asPoster = sumUp(sums.filter(({ role }) => role === 'poster'));
  const asWorker = sumUp(sums.filter(({ role }) => role !== 'poster'));
  const { protocolVersion, asset } = buildMeta(market);
  return {
    account: address,
    market,
    registryAddress,
    asset,
    protocolVersion,
    asPoster,
    asWorker,
    ...sumUp(sums),
    completed: countState(sums, 'COMPLETED'),
    disputed: countState(sums, 'DISPUTED'),
    resolved: countState(sums, 'RESOLVED'),
    cancelled: countState(sums, 'CANCELLED'),
    entries: shown.map((row) => buildTaskEntry(row, address)),
    count: shown.length,
    nextCursor,
  };
}

export type Ledger = Awaited<ReturnType<typeof buildLedger>>;

function buildTaskEntry({ task, paid }: StoredLedger['rows'][number], address: Address) {
  if (isSameAddress(task.poster, address)) return buildEntry('poster', task);
  if (task.worker !== null && isSameAddress(task.worker, address)) {
    // A task that was never listed again has paid nobody else, so this needs no payment events.
    return buildEntry('worker', { ...task, paid: task.round === 0 ? task.released : paid });
  }
  // An earlier worker of a task that was listed again: its entry shows its own milestones only.
  return buildEntry('worker', { ...task, funded: paid, released: paid, refunded: 0n, fees: 0n, paid });
}

function buildEntry(role: 'poster' | 'worker', task: Task & { readonly paid?: bigint }) {
  return {
    id: formatTaskId(task),
    role,
    state: task.state,
    totalAmountTokWei: String(task.totalAmount),
    fundedTokWei: String(task.funded),
    lockedTokWei: String(lockedAmount(task)),
    releasedTokWei: String(task.paid ?? task.released),
    refundedTokWei: String(task.refunded),
    feesTokWei: String(task.fees),
    deadline: task.deadline,
  };
}

const pendingStates: readonly string[] = ['CLAIMED', 'ACTIVE', 'DELIVERED'];

/** The sums of the entries that `buildTaskEntry` makes of all tasks. */
function sumUp(sums: readonly LedgerSum[]) {
  const isOwn = ({ role }: LedgerSum) => role !== 'paid' && role !== 'earlier';
  const locked = sums.filter(isOwn).map((one) => ({ ...one, locked: lockedAmount(one) }));
  const pending = locked.filter(({ state }) => pendingStates.includes(state));
  const disputed = locked.filter(({ state }) => state === 'DISPUTED');
  const paid = sums.filter(({ role }) => role !== 'again');
  const earlier = sums.filter(({ role }) => role === 'earlier');
  return {
    taskCount: count(sums),
    fundedTokWei: String(add(sums, 'funded') + add(earlier, 'released')),
    lockedTokWei: String(add(locked, 'locked')),
    releasedTokWei: String(add(paid, 'released')),
    refundedTokWei: String(add(sums, 'refunded')),
    feesTokWei: String(add(sums, 'fees')),
    pendingTokWei: String(add(pending, 'locked')),
    disputedTokWei: String(add(disputed, 'locked')),
  };
}

function add<Name extends string>(sums: readonly Readonly<Record<Name, bigint>>[], name: Name): bigint {
  return sums.reduce((total, sum) => total + sum[name], 0n);
}

/** What was paid for a task that was listed again is not a task of its own. */
function count(sums: readonly LedgerSum[]): number {
  return sums.filter(({ role }) => role !== 'paid').reduce((total, sum) => total + sum.count, 0);
}

function countState(sums: readonly LedgerSum[], state: LedgerSum['state']): number {
  return count(sums.filter((sum) => sum.state === state));
}
