// A task's events in the order of the chain.
import type { FileLookup } from '@svc/sdk/documents';
import { disputePhases, formatTaskId, type TaskKey, taskStates } from '@svc/sdk/domain';
import type { ChainEvent, EventValue } from '@svc/sdk/internal/domain/event';
import { feeActions, nameOf, scopes, settlementKinds } from '@svc/sdk/internal/domain/state';
import type { TimelineEvent } from '@svc/sdk/internal/schemas/market';
import type { ChangeStore, EventPage } from '../store/changes.ts';
import type { TaskStore } from '../store/tasks.ts';
import { viewEventDocument } from './documents.ts';
import { cutPage, formatLogPlace } from './listPages.ts';
import { buildMeta, loadTask } from './taskLists.ts';
import { hideEvent, type LoadWithheld, type WithheldHashes } from './withholding.ts';

export type TimelineSource = Pick<TaskStore, 'loadTask'> &
  Pick<ChangeStore, 'loadTaskEvents'> & {
    readonly lookUpFile?: FileLookup | undefined;
    readonly loadWithheld: LoadWithheld;
  };

export async function buildTimeline(source: TimelineSource, key: TaskKey, { after, limit }: EventPage) {
  await loadTask(source, key);
  const found = await source.loadTaskEvents(key, { after, limit: limit + 1 });
  const { shown, nextCursor } = cutPage(found, limit, formatLogPlace);
  const withheld = await source.loadWithheld();
  return {
    id: formatTaskId(key),
    events: await Promise.all(shown.map((event) => buildEvent(event, withheld, source.lookUpFile))),
    count: shown.length,
    nextCursor,
    meta: buildMeta(key.market),
  };
}

async function buildEvent(
  stored: ChainEvent,
  withheld: WithheldHashes,
  lookUpFile: FileLookup | undefined,
): Promise<TimelineEvent> {
  const hidden = hideEvent(stored, withheld);
  const event = hidden === null ? stored : { ...stored, args: hidden.args };
  const view = await viewEventDocument(event, lookUpFile);
  return {
    name: event.name,
    args: showArgs(event),
    blockNumber: Number(event.blockNumber),
    time: event.blockTime,
    txHash: event.txHash,
    logIndex: event.logIndex,
    contract: event.contract,
    ...(view && (hidden?.view ?? view)),
  } as TimelineEvent;
}

/** Arguments that are enums in the contracts: readers get names instead of numbers. */
const enums: Readonly<Record<string, { readonly argument: string; readonly names: readonly string[] }>> = {
  AccessFeePaid: { argument: 'action', names: feeActions },
  TaskPosted: { argument: 'scope', names: scopes },
  DisputeConceded: { argument: 'phase', names: disputePhases },
  DisputeCreated: { argument: 'phase', names: disputePhases },
  DisputeSettled: { argument: 'kind', names: settlementKinds },
  DisputeTimedOut: { argument: 'phase', names: disputePhases },
  TaskState: { argument: 'state', names: taskStates },
};

/** Times of 64 bits, which are stored as texts: everywhere else a time is a number. */
const times: ReadonlySet<string> = new Set(['deadline', 'phaseEnds']);

function showArgs({ name, args }: ChainEvent): Readonly<Record<string, EventValue>> {
  const named = enums[name];
  const shown = Object.entries(args).map(([argument, value]): [string, EventValue] => {
    if (argument === named?.argument) return [argument, nameOf(named.names, Number(value))];
    return [argument, times.has(argument) ? Number(value) : value];
  });
  return Object.fromEntries(shown);
}
