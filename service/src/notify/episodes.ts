// What a task asks of a wallet, as notices: one episode for each stretch of time in which it is the wallet's turn.
import { type Address, findPhase, isSameAddress, type Task, taskStates } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { turns } from '@svc/sdk/internal/domain/concernNames';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { nameOf } from '@svc/sdk/internal/domain/state';
import type { TaskFacts } from '@svc/sdk/internal/domain/task';
import { type ConcernRow, listConcerns } from '../contract/concernRows.ts';
import type { NewNotice } from '../store/noticeRows.ts';

/** A notice about a task, before it is known which channels it goes to. */
export type Wanted = Pick<NewNotice, 'episode' | 'kind' | 'sendAt' | 'until' | 'block' | 'state'>;

/** Kinds that end with the wallet's turn. */
export const turnKinds = ['turn', 'last'] as const;

const day = 86_400;
const mine = turns.indexOf('mine');

type Source = { readonly task: Task; readonly facts: Pick<TaskFacts, 'workers' | 'deliveries' | 'dispute'> };

/**
 * The episodes that run or are still to come, each with the notice of its start and of its last call.
 * `newest` are the newest events of the task, newest first.
 */
export function listTurnNotices(
  { task, facts }: Source,
  wallet: Address,
  now: number,
  newest: readonly ChainEvent[],
): Wanted[] {
  const ownTime = findOwnTime(task, newest, wallet);
  const isParty = [task.poster, task.worker].some((party) => party !== null && isSameAddress(party, wallet));
  const isAwaited = isParty && !isHeard(newest, wallet);
  const rows = listConcerns(task, facts).filter((row) => row.wallet === addressKey(wallet));
  const actionIn = (row: ConcernRow) => findPhase(task, Math.max(row.starts, 0))?.action ?? '';
  return rows.flatMap((row, at) => {
    if (row.part !== mine || row.ends < now) return [];
    const start = Math.max(row.starts, now);
    const period = row.due - start;
    const shared = {
      episode: nameEpisode({ task, facts }, `${actionIn(row)}.${at}`),
      until: row.due,
      block: null,
      state: 'waiting',
    } as const;
    const last = row.due - Math.min(day, Math.floor(period / 4));
    const before = rows[at - 1];
    const isContinued = before?.part === mine && actionIn(before) === actionIn(row);
    // A row that began with the newest change results from it; a later one begins when its time comes.
    const isKnown = ownTime !== null && row.starts <= ownTime;
    // In a hearing nobody else has to do anything.
    const isReminded = actionIn(row) !== 'submit-evidence' || isAwaited;
    return [
      ...(isContinued
        ? []
        : [{ ...shared, kind: 'turn', sendAt: start, state: isKnown ? 'known' : 'waiting' } as const]),
      ...(isReminded ? [{ ...shared, kind: 'last', sendAt: last } as const] : []),
    ];
  });
}

/**
 * The same name for the same episode, also after a reorganisation: no time of a block is in it, except through a deadline
 * that was moved, which `isSameEpisode` compares with some tolerance.
 */
function nameEpisode({ task, facts }: Source, phase: string): string {
  const { round, milestone, state, deadline, dismissAt, dispute } = task;
  const detail =
    state === 'DELIVERED' ? nameDelivery(task, facts) : dispute === null ? '' : nameDispute(dispute);
  return [round, milestone, state, phase, detail, deadline, dismissAt ?? 0].join('/');
}

/** A pattern of the turns that ask the same: a delivery again, or another deadline, asks for nothing else. */
export function likeTurn(episode: string): string {
  const [round, milestone, state, phase, , , dismissAt] = episode.split('/');
  return [round, milestone, state, phase, '%', dismissAt].join('/');
}

/** A worker may deliver a milestone again. */
function nameDelivery({ milestone, round }: Task, { deliveries }: Source['facts']): string {
  const same = deliveries.filter((one) => one.milestone === milestone && one.round === round);
  return `${same.length}.${same.at(-1)?.proofHash.slice(2, 10) ?? ''}`;
}

function nameDispute({ phase, posterPick, workerPick }: NonNullable<Task['dispute']>): string {
  // Two different names are each party's turn again.
  return posterPick !== null && workerPick !== null ? `${phase}.both` : phase;
}

/** Blocks of a reorganisation differ by seconds; a deadline that somebody moves, by more. */
const tolerance = 600;

export function isSameEpisode(left: string, right: string): boolean {
  const [a, b] = [left.split('/'), right.split('/')];
  const times = a.length - 2;
  if (a.length !== b.length || a.slice(0, times).join() !== b.slice(0, times).join()) return false;
  return [times, times + 1].every((at) => {
    const [one, other] = [Number(a[at]), Number(b[at])];
    return one === other || (one > 0 && other > 0 && Math.abs(one - other) <= tolerance);
  });
}

/** With each of these a case may come to a judge, who hears both sides from then on. */
const caseSteps: readonly string[] = [
  'DisputeOpened',
  'DisputeAnswered',
  'ArbitratorAssigned',
  'DisputeEscalated',
];

/** Whether the wallet has said something since the case came to its judge. */
function isHeard(newest: readonly ChainEvent[], wallet: Address): boolean {
  const step = newest.findIndex(({ name }) => caseSteps.includes(name));
  return newest
    .slice(0, step < 0 ? newest.length : step)
    .some(({ name, args }) => name === 'EvidenceSubmitted' && isSameAddress(args.by as Address, wallet));
}

/** Each ends a dispute. */
const disputeEnds = ['DisputeResolved', 'DisputeTimedOut', 'DisputeConceded', 'MutuallySettled'] as const;

/** Names of the events of which the wallets they concern are notified. */
export const toldEvents = [
  'Released',
  'Refunded',
  'MilestoneAccepted',
  ...disputeEnds,
  'ArbitratorSlashed',
  'WorkerDismissed',
  'WorkerLeft',
  'TaskState',
] as const;

/** Events that say who the worker and the arbitrator were when another one happened. */
export const namingEvents = ['TaskClaimed', 'ArbitratorAssigned'] as const;

/** The opening of a dispute explains the refund beside it. */
export const readEvents = [...toldEvents, ...namingEvents, 'DisputeOpened'] as const;

/** Wallets that a task once concerned: they are notified of how their part in it ended. */
export function listFormer(events: readonly ChainEvent[]): string[] {
  return events.flatMap(({ name, args }) =>
    name === 'TaskClaimed' ? [args.worker] : name === 'ArbitratorAssigned' ? [args.arbitrator] : [],
  ) as string[];
}

/** `events` are those of one task, oldest first. A notice is sent once the block is safe, unless the wallet caused the event. */
export function listEventNotices(
  task: Task,
  events: readonly ChainEvent[],
  wallet: Address,
  sinceBlock: number,
): Wanted[] {
  const ordinals = new Map<string, number>();
  return events.flatMap((event): Wanted[] => {
    const ordinal = (ordinals.get(event.name) ?? 0) + 1;
    ordinals.set(event.name, ordinal);
    const kind = kindFor(task, events, event, wallet);
    const block = Number(event.blockNumber);
    if (kind === null || block <= sinceBlock) return [];
    return [{ episode: `${event.name}.${ordinal}`, kind, sendAt: 0, until: null, block, state: 'waiting' }];
  });
}

/** Null where the event does not concern the wallet, or is its own doing. */
function kindFor(
  task: Task,
  events: readonly ChainEvent[],
  event: ChainEvent,
  wallet: Address,
): NewNotice['kind'] | null {
  const is = (other: unknown) => typeof other === 'string' && isSameAddress(other as Address, wallet);
  const { args } = event;
  switch (event.name) {
    case 'Released':
      return is(args.to) && !is(task.poster) ? 'paid' : null;
    // The money of a milestone that nobody reviewed in time leaves the poster without its doing.
    case 'MilestoneAccepted':
      return args.byTimeout === true && is(task.poster) ? 'paid' : null;
    case 'Refunded':
      return is(args.to) && !isOwnRefund(task, events, event) ? 'refunded' : null;
    case 'DisputeResolved':
    case 'DisputeTimedOut':
    case 'DisputeConceded':
    case 'MutuallySettled': {
      const judge = findBefore(events, event, 'ArbitratorAssigned')?.args.arbitrator;
      const { posterPayer, workerPayer, judge: fallback } = task.dispute ?? {};
      const involved = [task.poster, task.worker, posterPayer, workerPayer, judge, fallback].some(is);
      return involved && !is(args.arbitrator) && !is(args.by) ? 'ruled' : null;
    }
    case 'ArbitratorSlashed':
      return is(args.arbitrator) ? 'ended' : null;
    case 'WorkerDismissed':
      return is(args.worker) ? 'dismissed' : null;
    case 'WorkerLeft':
      return is(task.poster) ? 'ended' : null;
    case 'TaskState':
      return isCutOff(task, events, event, wallet) ? 'ended' : null;
    default:
      return null;
  }
}

function findBefore(
  events: readonly ChainEvent[],
  event: ChainEvent,
  name: ChainEvent['name'],
): ChainEvent | undefined {
  return events.slice(0, events.indexOf(event)).findLast((one) => one.name === name);
}

function namesBeside(events: readonly ChainEvent[], { txHash }: ChainEvent): string[] {
  return events.filter((event) => event.txHash === txHash).map(({ name }) => name);
}

/** The state that ended because time ran out; null where other events beside it tell why it ended. */
export function findMissed(events: readonly ChainEvent[], event: ChainEvent): string | null {
  const beside = namesBeside(events, event);
  if ([...disputeEnds, 'WorkerLeft', 'WorkerDismissed'].some((name) => beside.includes(name))) return null;
  const before = events
    .slice(0, events.indexOf(event))
    .findLast(({ name, txHash }) => name === 'TaskState' && txHash !== event.txHash);
  return before === undefined ? 'POSTED' : stateOf(before);
}

const stateOf = ({ args }: ChainEvent): string => nameOf(taskStates, Number(args.state));

/** Whether a task went back to the list, or ended, because time ran out; other events tell of all other reasons. */
function isCutOff(task: Task, events: readonly ChainEvent[], event: ChainEvent, wallet: Address): boolean {
  // First, since a task may be delivered so often that each other look at all of its events would take minutes.
  if (!['POSTED', 'CANCELLED'].includes(stateOf(event))) return false;
  const from = findMissed(events, event);
  if (from === null) return false;
  const hadWorker = from === 'CLAIMED' || from === 'ACTIVE';
  const worker = findBefore(events, event, 'TaskClaimed')?.args.worker as Address | undefined;
  if (hadWorker && worker !== undefined && isSameAddress(worker, wallet)) return true;
  // A poster who gets money back is notified; one who closes an open task knows it already.
  const isNews =
    !namesBeside(events, event).includes('Refunded') && (hadWorker || event.blockTime > task.deadline);
  return isNews && isSameAddress(task.poster, wallet);
}

/** The end of a dispute has its own notice; a poster who disputes, dismisses or closes an open task knows it already. */
function isOwnRefund(task: Task, events: readonly ChainEvent[], event: ChainEvent): boolean {
  const beside = namesBeside(events, event);
  if ([...disputeEnds, 'DisputeOpened', 'WorkerDismissed'].some((name) => beside.includes(name))) return true;
  return task.worker === null && event.blockTime <= task.deadline;
}

/** When the wallet sent the newest transaction of a task, as far as its events say so; null where it did not. */
export function findOwnTime(
  task: Task,
  [last, ...earlier]: readonly ChainEvent[],
  wallet: Address,
): number | null {
  if (last === undefined) return null;
  const together = [last, ...earlier.filter(({ txHash }) => txHash === last.txHash)];
  // Of a task that both signed either may send the claim.
  const isAgreed = together.some(({ name }) => name === 'TaskPosted');
  // The deadline also moves with a start and with a second delivery.
  const acts = together.filter(({ name }) => name !== 'DeadlineMoved');
  const isOwn = (acts.length === 0 ? together : acts).some((event) => {
    const by = isAgreed && event.name === 'TaskClaimed' ? null : readActor(task, event);
    return by !== null && isSameAddress(by, wallet);
  });
  return isOwn ? last.blockTime : null;
}

/** The argument that names who did it. */
const actorOf: Readonly<Record<string, string>> = {
  TaskClaimed: 'worker',
  ProofSubmitted: 'worker',
  WorkerLeft: 'worker',
  Funded: 'payer',
  DisputeOpened: 'opener',
  DisputeAnswered: 'by',
  EvidenceSubmitted: 'by',
  ArbitratorProposed: 'by',
  DisputeConceded: 'by',
  DisputeEscalated: 'by',
  DisputeResolved: 'arbitrator',
};
const posterEvents = ['DismissalNoticed', 'WorkerDismissed', 'MilestoneAccepted', 'DeadlineMoved'];

/** Null also where the events do not say it: a start of the work may be of either party. */
function readActor(task: Task, { name, args }: ChainEvent): Address | null {
  if (posterEvents.includes(name)) return args.byTimeout === true ? null : task.poster;
  const argument = actorOf[name];
  const named = argument === undefined ? null : (args[argument] as Address | undefined);
  return named ?? (argument === 'worker' ? task.worker : null);
}

/** The row of the index that holds for the wallet at that second; undefined where the task does not concern it. */
export function findConcernRow({ task, facts }: Source, wallet: string, now: number): ConcernRow | undefined {
  return listConcerns(task, facts).find(
    (row) => row.wallet === wallet && row.starts <= now && row.ends >= now,
  );
}
