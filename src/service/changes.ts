// The stream of changes: from any point that is still remembered, without loss and without repeat.
import type { Address } from '#domain/address.ts';
import { addressKey } from '#domain/address.ts';
import type { Market } from '#domain/market.ts';
import type { Scope, TaskState } from '#domain/state.ts';
import { formatTaskId, type TaskKey } from '#domain/taskId.ts';

export type Change = {
  readonly seq: number;
  readonly market: Market;
  readonly number: bigint;
  readonly blockNumber: bigint;
  readonly state: TaskState;
  readonly poster: Address;
  readonly worker: Address | null;
  readonly scope: Scope;
};

export type ChangeSource = {
  readonly loadChangesAfter: (seq: number, limit: number) => Promise<Change[]>;
  readonly loadChangeRange: () => Promise<{ readonly first: number; readonly last: number } | null>;
};

export type ChangeFilter = {
  readonly market?: Market | undefined;
  readonly address?: Address | undefined;
  readonly task?: TaskKey | undefined;
};

export type StreamMessage =
  | { readonly kind: 'task'; readonly seq: number; readonly data: object }
  /** What came before is no longer remembered: read the lists anew, then go on from here. */
  | { readonly kind: 'reset'; readonly seq: number };

const pageSize = 500;

/** Where a stream begins: after the id the client names, or after everything so far. */
export async function findStart(source: ChangeSource, lastEventId: number | null): Promise<StreamMessage> {
  const range = await source.loadChangeRange();
  const last = range?.last ?? 0;
  if (lastEventId === null) return { kind: 'reset', seq: last };
  // Unknown to us: either forgotten, or an id that this database has never given.
  const isKnown = range === null ? lastEventId === 0 : lastEventId >= range.first - 1 && lastEventId <= last;
  return isKnown ? { kind: 'task', seq: lastEventId, data: {} } : { kind: 'reset', seq: last };
}

/** Everything after `seq` that passes the filter, and the point up to which was looked. */
export async function loadMessages(
  source: ChangeSource,
  seq: number,
  filter: ChangeFilter,
): Promise<{ readonly messages: StreamMessage[]; readonly seq: number; readonly more: boolean }> {
  const changes = await source.loadChangesAfter(seq, pageSize);
  const messages = changes
    .filter((change) => passes(change, filter))
    .map((change): StreamMessage => ({ kind: 'task', seq: change.seq, data: buildData(change) }));
  return { messages, seq: changes.at(-1)?.seq ?? seq, more: changes.length === pageSize };
}

/** A private task is told only to those who ask for it by its id or by one of its parties. */
function passes(change: Change, { market, address, task }: ChangeFilter): boolean {
  if (market !== undefined && change.market !== market) return false;
  if (address !== undefined && !isParty(change, address)) return false;
  if (task !== undefined && (change.market !== task.market || change.number !== task.number)) return false;
  return change.scope === 'open' || address !== undefined || task !== undefined;
}

function isParty({ poster, worker }: Change, address: Address): boolean {
  const key = addressKey(address);
  return addressKey(poster) === key || (worker !== null && addressKey(worker) === key);
}

function buildData(change: Change) {
  return {
    id: formatTaskId(change),
    market: change.market,
    state: change.state,
    blockNumber: Number(change.blockNumber),
  };
}
