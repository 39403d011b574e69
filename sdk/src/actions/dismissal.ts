// What a poster may change about a running engagement: dismissing the worker, with notice, and giving it more time.
import { type CallContracts, type EncodedCalls, encodeCall } from '../chain/encodeCall.ts';
import { formatDays, formatMoment } from '../domain/amount.ts';
import { protocolConstants } from '../domain/parameters.ts';
import { digestOf, type Task } from '../domain/task.ts';
import { momentArgument, refuse } from '../rules/values.ts';
import { defineTaskAction, inStates, may } from './action.ts';
import { engagementArgument } from './arguments.ts';
import { feeCost } from './costs.ts';
import { endEngagement, stateAfterLeaving } from './movements.ts';
import { timeOutFrom } from './settle.ts';

const { deliveryGraceSeconds, dismissNoticeSeconds, dismissWindowSeconds, maxDurationSeconds } =
  protocolConstants;
const notice = formatDays(dismissNoticeSeconds);
const useWindow = formatDays(dismissWindowSeconds);

function encodeNotice(contracts: CallContracts, task: Task, seen = digestOf(task)): EncodedCalls {
  return encodeCall(contracts, 'TaskRegistry', 'giveDismissNotice', [task.number, seen]);
}

export const giveDismissNotice = defineTaskAction({
  name: 'give-dismiss-notice',
  title: 'Announce a dismissal',
  summary: `give the worker ${notice}’s notice of a dismissal; a delivery clears it`,
  effect: `After ${notice} you may dismiss the worker, for ${useWindow}; then the notice lapses. A delivery clears it.`,
  by: ['poster'],
  windows: { ACTIVE: noticeWindows },
  costs: ({ figures }) => [feeCost(figures)],
  risk: () =>
    'The fee is not returned, also if a delivery clears the notice or it lapses. The worker’s bond is yours only if it ' +
    'neither delivers nor answers.',
  undo: 'It lapses unless you dismiss the worker in time.',
  next: 'The worker may still deliver; dismiss it after the notice, in time.',
  calls: ['TaskRegistry.giveDismissNotice'],
  page: 'dismiss-worker',
  seen: (task) => ({ settlementDigest: digestOf(task) }),
  input: { settlementDigest: engagementArgument },
  build: async ({ settlementDigest }, { task, contracts, reads }) => ({
    encoded: encodeNotice(contracts, task, settlementDigest),
    warnings: warnOfUselessNotice(task, await reads.readNow()),
  }),
});

export const dismissWorker = defineTaskAction({
  name: 'dismiss-worker',
  title: 'Dismiss the worker',
  summary: `send the worker away: at once before the start, by a notice of ${notice} later`,
  effect: `Before the start at once; later by a notice of ${notice}, which a delivery clears, and a second call.`,
  by: ['poster'],
  windows: { CLAIMED: () => [may('poster')], ACTIVE: dismissalWindows },
  // The notice has paid for the dismissal that follows it.
  costs: ({ figures, task }) => {
    if (task?.state === 'ACTIVE' && task.dismissAt !== null) return [];
    const refund = 'not returned; the second call after a notice is free';
    return [feeCost(figures, task === undefined ? { refund } : {})];
  },
  risk: (task) =>
    task?.state === 'ACTIVE' && task.dismissAt !== null
      ? `The worker goes at once, and the notice has paid for it; ${task.noticeAnswered ? 'it answered, so its bond comes free' : 'it did not answer, so its bond is yours'}. A notice that has lapsed is given again instead.`
      : 'The fee is not returned.',
  moves: (facts) => {
    const { task } = facts;
    const isAbsent = task?.state === 'ACTIVE' && !task.noticeAnswered;
    return endEngagement(facts, isAbsent ? 'all' : 'nothing');
  },
  becomes: stateAfterLeaving,
  next: 'An open task before its deadline is listed again; any other task ends, and its escrow goes back.',
  calls: ['TaskRegistry.dismissWorker'],
  seen: (task) => ({ settlementDigest: digestOf(task) }),
  input: { settlementDigest: engagementArgument },
  build: async ({ settlementDigest }, { task, contracts, reads }) => {
    const now = await reads.readNow();
    // Whether a notice runs or can still be used.
    const hasNotice = task.dismissAt !== null && now <= task.dismissAt + dismissWindowSeconds;
    if (task.state === 'ACTIVE' && !hasNotice)
      return {
        encoded: encodeNotice(contracts, task, settlementDigest),
        warnings: [
          `Work has started, so this gives ${notice}’s notice; call dismiss-worker again after it.`,
          ...warnOfUselessNotice(task, now),
        ],
      };
    const args = [task.number, settlementDigest ?? digestOf(task)] as const;
    return { encoded: encodeCall(contracts, 'TaskRegistry', 'dismissWorker', args) };
  },
});

export const answerNotice = defineTaskAction({
  name: 'answer-notice',
  title: 'Answer the notice',
  summary: 'tell a poster that has announced your dismissal that you are there; it saves your bond',
  effect: 'The poster may still dismiss you, but your bond stays yours. A delivery clears the notice.',
  by: ['worker'],
  windows: {
    ACTIVE: (task) => {
      const { dismissAt, noticeAnswered } = task;
      if (dismissAt === null || noticeAnswered) return [];
      return [may('worker', null, Math.min(dismissAt + dismissWindowSeconds, graceEndsAt(task)))];
    },
  },
  undo: 'It cannot be undone, and costs nothing but gas.',
  next: 'Deliver, and the notice is cleared; otherwise the poster may dismiss you for a day after it has run.',
  calls: ['TaskRegistry.answerNotice'],
  page: 'dismiss-worker',
  build: async ({ taskId: { number } }, { contracts }) => ({
    encoded: encodeCall(contracts, 'TaskRegistry', 'answerNotice', [number]),
  }),
});

function graceEndsAt({ deadline }: Task): number {
  return deadline + deliveryGraceSeconds;
}

/** The contracts take a notice until the grace ends, also one that no dismissal can follow: that is not offered. */
function noticeWindows(task: Task) {
  const until = graceEndsAt(task) - dismissNoticeSeconds - 1;
  if (task.dismissAt === null) return [may('poster', null, until)];
  const from = task.dismissAt + dismissWindowSeconds + 1;
  return from <= until ? [may('poster', from, until)] : [];
}

function dismissalWindows(task: Task) {
  const { dismissAt } = task;
  const graceEnds = graceEndsAt(task);
  if (dismissAt === null || dismissAt >= graceEnds) return [];
  return [may('poster', dismissAt + 1, Math.min(dismissAt + dismissWindowSeconds, graceEnds))];
}

function warnOfUselessNotice(task: Task, now: number): string[] {
  const end = timeOutFrom(task) ?? 0;
  if (task.state !== 'ACTIVE' || now < graceEndsAt(task) - dismissNoticeSeconds || end <= now) return [];
  return [
    'The notice ends when it is too late for the dismissal itself: it can never take effect, and its fee is lost. ' +
      `From ${formatMoment(end)} on resolve-timed-out ends the task instead, costs no fee and ` +
      'brings you the locked deposit of the worker.',
  ];
}

export const extendDeadline = defineTaskAction({
  name: 'extend-deadline',
  title: 'Give more time',
  summary: 'move the deadline of your task to a later time',
  effect: 'The worker has until the new deadline. Nobody has to agree, because it only gives time.',
  by: ['poster'],
  windows: inStates(['POSTED', 'CLAIMED', 'ACTIVE'], () => [may('poster')]),
  risk: (task) =>
    task?.state === 'POSTED'
      ? 'A claim that is under way names the old deadline and fails.'
      : 'Escrow stays locked for that much longer.',
  undo: 'It cannot be undone: a deadline only moves to a later time.',
  next: 'The worker delivers until the new deadline.',
  calls: ['TaskRegistry.extendDeadline'],
  fields: [
    {
      name: 'deadline',
      kind: 'moment',
      label: 'New deadline',
      note: `Later than now and than the present one, within ${formatDays(maxDurationSeconds)}.`,
      required: 'Choose the new deadline.',
    },
  ],
  forms: () => [{ deadline: '<such as +7d or 2027-01-31T12:00Z>' }],
  input: {
    deadline: momentArgument.describe('the new deadline: Unix seconds, a date, or such as +7d from now'),
  },
  example: { deadline: '+7d' },
  build: async ({ taskId: { number }, deadline }, { task, contracts, reads }) => {
    const now = await reads.readNow();
    const newDeadline = deadline(now);
    if (newDeadline <= task.deadline)
      refuse(
        'extend-deadline',
        `deadline: must be later than the present one, ${formatMoment(task.deadline)}`,
      );
    if (newDeadline <= now || newDeadline > now + maxDurationSeconds)
      refuse(
        'extend-deadline',
        `deadline: must be later than now and within ${formatDays(maxDurationSeconds)}`,
      );
    return {
      encoded: encodeCall(contracts, 'TaskRegistry', 'extendDeadline', [number, BigInt(newDeadline)]),
      result: { deadline: newDeadline },
    };
  },
});
