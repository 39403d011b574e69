// A wallet's ledger on one market, rebuilt from its tasks (docs/decisions/routes.md).

import type { Market } from '@svc/sdk/domain';
import { type Address, formatTaskId, isSameAddress, type Task } from '@svc/sdk/domain';
import { lockedAmount } from '@svc/sdk/internal/domain/task';
import type { StoredLedger, TaskStore } from '../store/tasks.ts';
import { buildMeta } from './taskLists.ts';

export async function buildLedger(
  store: Pick<TaskStore, 'loadLedger'>,
  { market, address, registryAddress }: { market: Market; address: Address; registryAddress: Address },
) {
  const { rows, complete } = await store.loadLedger(market, address);
  const entries = rows.flatMap((row) => buildEntries(row, address));
  const asPoster = sumUp(entries.filter(({ role }) => role === 'poster'));
  const asWorker = sumUp(entries.filter(({ role }) => role === 'worker'));
  const { protocolVersion, asset } = buildMeta(market);
  return {
    account: address,
    market,
    registryAddress,
    asset,
    protocolVersion,
    taskCount: new Set(entries.map(({ id }) => id)).size,
    asPoster,
    asWorker,
    ...sumUp(entries),
    completed: countState(entries, 'COMPLETED'),
    disputed: countState(entries, 'DISPUTED'),
    resolved: countState(entries, 'RESOLVED'),
    cancelled: countState(entries, 'CANCELLED'),
    complete,
    entries,
  };
}

export type Ledger = Awaited<ReturnType<typeof buildLedger>>;

type Entry = ReturnType<typeof buildEntry>;

function buildEntries({ task, paid }: StoredLedger['rows'][number], address: Address): Entry[] {
  if (isSameAddress(task.poster, address)) return [buildEntry('poster', task)];
  if (task.worker !== null && isSameAddress(task.worker, address)) {
    // A task that was never listed again has paid nobody else, so this needs no payment events.
    return [buildEntry('worker', { ...task, paid: task.round === 0 ? task.released : paid })];
  }
  // An earlier worker of a task that was listed again: its entry shows its own milestones only.
  return [buildEntry('worker', { ...task, funded: paid, released: paid, refunded: 0n, fees: 0n, paid })];
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

function sumUp(entries: readonly Entry[]) {
  const pending = entries.filter(({ state }) => pendingStates.includes(state));
  const disputed = entries.filter(({ state }) => state === 'DISPUTED');
  return {
    fundedTokWei: sum(entries, 'fundedTokWei'),
    lockedTokWei: sum(entries, 'lockedTokWei'),
    releasedTokWei: sum(entries, 'releasedTokWei'),
    refundedTokWei: sum(entries, 'refundedTokWei'),
    feesTokWei: sum(entries, 'feesTokWei'),
    pendingTokWei: sum(pending, 'lockedTokWei'),
    disputedTokWei: sum(disputed, 'lockedTokWei'),
  };
}

type AmountField = 'fundedTokWei' | 'lockedTokWei' | 'releasedTokWei' | 'refundedTokWei' | 'feesTokWei';

function sum(entries: readonly Entry[], field: AmountField): string {
  return String(entries.reduce((total, entry) => total + BigInt(entry[field]), 0n));
}

function countState(entries: readonly Entry[], state: Entry['state']): number {
  return entries.filter((entry) => entry.state === state).length;
}
