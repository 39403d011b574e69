// What a living market must have to show: every state, every phase, every way in and out.
import { zeroAddress } from '#sdk/domain/address.ts';
import type { StoredState } from '#sdk/domain/state.ts';
import type { TaskHistory } from './taskHistory.ts';

type Wanted = Readonly<Record<string, (history: TaskHistory) => boolean>>;

const isFull = ({ task }: TaskHistory) => task.funded === task.totalAmount;
const endedFrom = (trail: readonly StoredState[]) => trail.at(-2);
const happened = ({ events }: TaskHistory, ...names: string[]) => names.some((name) => events.includes(name));
const picks = ({ dispute }: TaskHistory) =>
  [dispute.posterPick, dispute.workerPick].filter((pick) => pick !== zeroAddress);

/** On both markets. */
export const wantedEverywhere: Wanted = {
  'posted, unfunded': ({ state, task }) => state === 'POSTED' && task.funded === 0n,
  'posted, partly funded': (history) =>
    history.state === 'POSTED' && history.task.funded > 0n && !isFull(history),
  'posted, fully funded': (history) =>
    history.state === 'POSTED' && history.task.round === 0 && isFull(history),
  'posted again after a worker was gone': ({ state, task }) => state === 'POSTED' && task.round > 0,
  'claimed and funded': (history) => history.state === 'CLAIMED' && isFull(history),
  'claimed and unfunded': ({ state, task }) => state === 'CLAIMED' && task.funded === 0n,
  active: ({ state, task }) => state === 'ACTIVE' && task.dismissAt === 0,
  'active under notice': ({ state, task }) => state === 'ACTIVE' && task.dismissAt > 0,
  delivered: ({ state }) => state === 'DELIVERED',
  'disputed, not answered yet': ({ phase }) => phase === 'ANSWERING',
  'disputed, one side proposed': (history) => history.phase === 'PROPOSING' && picks(history).length === 1,
  'disputed, arbitrator assigned': ({ phase }) => phase === 'ASSIGNED',
  'disputed, escalated': ({ phase, dispute }) => phase === 'ESCALATED' && dispute.workerPayer !== zeroAddress,
  'completed by acceptance': ({ state, acceptedByTimeout }) =>
    state === 'COMPLETED' && acceptedByTimeout.at(-1) === false,
  'completed by a silent review': ({ state, acceptedByTimeout }) =>
    state === 'COMPLETED' && acceptedByTimeout.at(-1) === true,
  'completed early, before delivery': ({ state, trail }) =>
    state === 'COMPLETED' && endedFrom(trail) === 'ACTIVE',
  'completed in several milestones': ({ state, task }) => state === 'COMPLETED' && task.milestoneCount > 1,
  'resolved by a ruling for the worker': ({ rulings }) => rulings[0] === 10_000,
  'resolved by a ruling for the poster': ({ rulings }) => rulings[0] === 0,
  'resolved by the silence of the fallback arbitrator': ({ outcome }) => outcome === 'silence',
  'resolved without an answer': ({ outcome }) => outcome === 'default',
  'conceded by the poster': ({ outcome }) => outcome === 'concededByPoster',
  'conceded by the worker': ({ outcome }) => outcome === 'concededByWorker',
  'resolved by both': (history) => happened(history, 'MutuallySettled'),
  'cancelled by its poster': ({ state, trail, task }) =>
    state === 'CANCELLED' && endedFrom(trail) === 'POSTED' && task.updatedAt <= task.deadline,
  'cancelled after its deadline': ({ state, trail, task }) =>
    state === 'CANCELLED' && endedFrom(trail) === 'POSTED' && task.updatedAt > task.deadline,
  'cancelled, claimed and never funded': (history) =>
    history.state === 'CANCELLED' &&
    endedFrom(history.trail) === 'CLAIMED' &&
    !happened(history, 'WorkerLeft', 'WorkerDismissed'),
  'cancelled, never delivered': (history) =>
    history.state === 'CANCELLED' &&
    endedFrom(history.trail) === 'ACTIVE' &&
    !happened(history, 'WorkerLeft', 'WorkerDismissed'),
};

/** On the standard market alone. */
export const wantedOnStandard: Wanted = {
  'posted again with a milestone paid': ({ state, task }) => state === 'POSTED' && task.milestone > 0,
  'posted again after a claim ran out': (history) =>
    history.state === 'POSTED' &&
    history.task.round > 0 &&
    !happened(history, 'WorkerLeft', 'WorkerDismissed'),
  'posted in milestones': ({ state, task }) => state === 'POSTED' && task.milestoneCount === 3,
  'active in a later milestone': ({ state, task }) => state === 'ACTIVE' && task.milestone > 0,
  'delivered in a later milestone': ({ state, task }) => state === 'DELIVERED' && task.milestone > 0,
  'private and claimed': ({ state, task }) => state === 'CLAIMED' && task.scope === 1,
  'private and delivered': ({ state, task }) => state === 'DELIVERED' && task.scope === 1,
  'private and completed': ({ state, task }) => state === 'COMPLETED' && task.scope === 1,
  'private and left': (history) =>
    history.state === 'CANCELLED' && history.task.scope === 1 && happened(history, 'WorkerLeft'),
  'private and dismissed before the start': ({ state, trail, task }) =>
    state === 'CANCELLED' && task.scope === 1 && endedFrom(trail) === 'CLAIMED',
  'cancelled by a dismissal after notice': (history) =>
    history.state === 'CANCELLED' &&
    happened(history, 'DismissalNoticed') &&
    happened(history, 'WorkerDismissed'),
  'completed early, after delivery': ({ state, trail, acceptedByTimeout }) =>
    state === 'COMPLETED' && endedFrom(trail) === 'DELIVERED' && acceptedByTimeout.length === 0,
  'delivered twice': ({ trail }) =>
    trail.some((state, index) => state === 'DELIVERED' && trail[index + 1] === 'DELIVERED'),
  'resolved by an even ruling': ({ rulings }) => rulings[0] === 5_000,
  'resolved by a ruling that splits': ({ rulings }) => rulings[0] === 7_000,
  'resolved by the fallback arbitrator': (history) =>
    happened(history, 'DisputeEscalated') && history.rulings.length === 1,
  'resolved by both out of a dispute': (history) =>
    happened(history, 'MutuallySettled') && endedFrom(history.trail) === 'DISPUTED',
  'disputed, answered without a bond': ({ phase, dispute }) =>
    phase === 'ESCALATED' && dispute.workerPayer === zeroAddress,
  'disputed, answered by a sponsor': ({ dispute }) =>
    dispute.workerPayer !== zeroAddress && dispute.workerPayer !== dispute.worker,
  'disputed, with evidence of both sides besides the answer': (history) =>
    history.events.filter((name) => name === 'EvidenceSubmitted').length > 1,
  'disputed, the sides differ': (history) =>
    history.phase === 'PROPOSING' && new Set(picks(history)).size === 2,
  'disputed, escalated after a missed case': (history) =>
    history.phase === 'ESCALATED' && happened(history, 'ArbitratorSlashed'),
};
