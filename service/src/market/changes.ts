// The stream of changes: from any point that is still remembered, without loss and without repeat.

import type { Market, TaskState } from '@svc/sdk/domain';
import { type Address, formatTaskId, type TaskId, type TaskKey } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Change, ChangeStore, TaskChange } from '../store/changes.ts';

export type ChangeSource = Pick<ChangeStore, 'loadChangesAfter' | 'loadChangeRange'>;

export type ChangeFilter = {
  readonly market?: Market | undefined;
  readonly address?: Address | undefined;
  readonly task?: TaskKey | undefined;
};

export type TaskNews = {
  readonly id: TaskId;
  readonly market: Market;
  readonly state: TaskState;
  readonly blockNumber: number;
};

export type StreamMessage =
  | { readonly kind: 'task'; readonly seq: number; readonly data: TaskNews }
  /** Earlier changes are no longer stored or no longer true: read the lists again, then continue from here. */
  | { readonly kind: 'reset'; readonly seq: number };

export type StreamStart = { readonly seq: number; readonly isReset: boolean };

/** As far back as a stream goes: reading the lists again costs everybody less than more changes. */
export const keptChanges = 2_000;

/** Where a stream begins: after the id that the client names if it is not too far behind, otherwise after the newest change. */
export async function findStart(
  source: Pick<ChangeSource, 'loadChangeRange'>,
  lastEventId: number | null,
  mayCatchUp: (changes: number) => boolean = () => true,
): Promise<StreamStart> {
  const range = await source.loadChangeRange();
  const last = range?.last ?? 0;
  if (lastEventId === null) return { seq: last, isReset: true };
  // Otherwise it is unknown to us: forgotten, too far back, or an id that this database has never given.
  const first = Math.max((range?.first ?? 1) - 1, last - keptChanges);
  const isKnown = lastEventId >= first && lastEventId <= last && mayCatchUp(last - lastEventId);
  return isKnown ? { seq: lastEventId, isReset: false } : { seq: last, isReset: true };
}

/** Null for a change that the filter leaves out. */
export function buildMessage(change: Change, filter: ChangeFilter): StreamMessage | null {
  if (change.kind === 'reset') return change;
  if (!passes(change, filter)) return null;
  const { seq, market, state, blockNumber } = change;
  const data = { id: formatTaskId(change), market, state, blockNumber: Number(blockNumber) };
  return { kind: 'task', seq, data };
}

/** Changes of a private task are sent only to readers that filter by its id or by a wallet it concerns. */
function passes(change: TaskChange, { market, address, task }: ChangeFilter): boolean {
  if (market !== undefined && change.market !== market) return false;
  if (address !== undefined && !change.wallets.includes(addressKey(address))) return false;
  if (task !== undefined && (change.market !== task.market || change.number !== task.number)) return false;
  return change.scope === 'open' || address !== undefined || task !== undefined;
}
