// Endings without a ruling: settling by agreement, and ending a phase whose time is over.
import type { Hex } from 'viem';
import { type CallContracts, type EncodedCalls, encodeCall } from '../chain/encodeCall.ts';
import { isSameAddress } from '../domain/address.ts';
import { formatMoment, formatPercent } from '../domain/amount.ts';
import { isEscalatable, stateEndsAt } from '../domain/phases.ts';
import { isTerminal, type TaskState } from '../domain/state.ts';
import { isFullyFunded, lockedAmount, type Task } from '../domain/task.ts';
import { buildSettlementTypedData, hashSettlement, type MutualSettlement } from '../domain/terms.ts';
import { flagArgument, isMoving, momentArgument, refuse } from '../rules/values.ts';
import { defineTaskAction, inStates, may, toJsonTypedData } from './action.ts';
import { bpsArgument, signatureArgument } from './arguments.ts';
import type { ActionFacts } from './costs.ts';
import {
  endEngagement,
  endRuling,
  endTask,
  isLast,
  isListedAgain,
  type Movement,
  payDisputeBonds,
  payMilestone,
  slashMissed,
  splitEscrow,
  unlock,
} from './movements.ts';

const day = 86_400;

/** In which a task has a worker. */
const workedStates = ['CLAIMED', 'ACTIVE', 'DELIVERED', 'DISPUTED'] as const;

/** The first second in which anyone may end the task's phase; null where another action ends it. */
export function timeOutFrom(task: Task): number | null {
  const end = stateEndsAt(task);
  return end === null || isEscalatable(task) ? null : end + 1;
}

/** The court ends a dispute that nobody answered or decided; every other phase is ended by the registry. */
function encodeTimeOut(
  { state, number }: Pick<Task, 'state' | 'number'>,
  contracts: CallContracts,
): EncodedCalls {
  const contract = state === 'DISPUTED' ? 'DisputeCourt' : 'TaskRegistry';
  return encodeCall(contracts, contract, 'resolveTimedOut', [number]);
}

export const resolveTimedOut = defineTaskAction({
  name: 'resolve-timed-out',
  title: 'End the phase that ran out',
  summary: 'end a phase of a task, or of its dispute, whose time is over; anyone may',
  effect: 'What the contracts provide for this time-out happens now; it does not matter who calls.',
  by: ['anyone'],
  windows: inStates(['POSTED', ...workedStates], (task) => {
    const from = timeOutFrom(task);
    return from === null ? [] : [may('anyone', from)];
  }),
  moves: moveTimedOut,
  becomes: stateAfterTimeOut,
  next: 'The task continues or ends as the contracts provide.',
  calls: ['TaskRegistry.resolveTimedOut', 'DisputeCourt.resolveTimedOut'],
  exit: encodeTimeOut,
  build: async (_, { task, contracts }) => ({ encoded: encodeTimeOut(task, contracts) }),
});

function moveTimedOut(facts: ActionFacts): Movement[] {
  const { task, figures } = facts;
  switch (task?.state) {
    case 'POSTED':
      return endTask(task, figures);
    case 'CLAIMED':
      // A poster who did not fund the task does not get it listed again.
      return isFullyFunded(task)
        ? endEngagement(facts, 'nothing')
        : [...unlock(figures, task.worker), ...endTask(task, figures)];
    case 'ACTIVE':
      return endEngagement({ ...facts, isLate: true }, 'all');
    case 'DELIVERED':
      return payMilestone(facts);
    case 'DISPUTED':
      return moveUndecided(task, facts);
    default:
      return [];
  }
}

/** Without an answer the worker loses; without a ruling bonds go back, and escrow is halved or goes to the only side with one. */
function moveUndecided(task: Task, { figures }: ActionFacts): Movement[] {
  const bonds = payDisputeBonds(task, null, 0n, 0n);
  if (task.dispute?.phase === 'ANSWERING')
    return [...bonds, ...splitEscrow(task, 0), ...endRuling(task, figures, 0)];
  const free = unlock(figures, task.poster, task.worker);
  // The fallback arbitrator is a party, and the other side gets all.
  if (task.dispute?.judge == null)
    return [...bonds, ...splitEscrow(task, 0).map((one) => ({ ...one, amount: null })), ...free];
  const { posterPayer, workerPayer } = task.dispute;
  const share = posterPayer === null ? 10_000 : workerPayer === null ? 0 : 5_000;
  return [...bonds, ...splitEscrow(task, share), ...free];
}

function stateAfterTimeOut({ task, isLate }: ActionFacts): TaskState | null {
  switch (task?.state) {
    case 'CLAIMED':
      return isFullyFunded(task) && isListedAgain({ task, isLate }) ? 'POSTED' : 'CANCELLED';
    case 'DELIVERED':
      return isLast(task) ? 'COMPLETED' : 'ACTIVE';
    case 'DISPUTED':
      return 'RESOLVED';
    default:
      return task === undefined ? null : 'CANCELLED';
  }
}

export const mutualSettle = defineTaskAction({
  name: 'mutual-settle',
  title: 'Settle together',
  summary:
    'split what a task holds as both parties agreed; with --sign, sign the split instead of sending it',
  effect: 'Both parties sign one split, which ends the task.',
  by: ['poster', 'worker'],
  windows: inStates(workedStates, () => [may('poster'), may('worker')]),
  moves: (facts) => {
    const { task, figures, workerBps, isLate = false } = facts;
    if (task === undefined || workerBps === undefined) return [];
    // An arbitrator in office keeps half of each dispute bond, unless its time is over.
    const { judge = null, bond = 0n, posterPayer = null, workerPayer = null } = task.dispute ?? {};
    const half = judge === null || isLate ? 0n : bond / 2n;
    return [
      ...splitEscrow(task, workerBps),
      ...payDisputeBonds(task, judge, posterPayer === null ? 0n : half, workerPayer === null ? 0n : half),
      ...unlock(figures, task.poster, task.worker),
      ...(isLate ? slashMissed(facts) : []),
    ];
  },
  becomes: () => 'RESOLVED',
  next: 'The task is over once one side puts the split on chain with the signature of the other. Until then the task goes on.',
  risk: (task) =>
    task?.dispute != null && task.dispute.judge !== null
      ? 'Splits what escrow holds as both have signed. The arbitrator is in office and takes half of each dispute bond.'
      : 'Splits what escrow holds as both have signed; it cannot be undone.',
  undo: 'Not after both have signed and it is sent. A signature that nobody sends expires at the time it names.',
  calls: ['DisputeCourt.mutualSettle'],
  fields: [
    {
      name: 'workerBps',
      kind: 'percent',
      label: 'Share of the worker, %',
      note: 'Of everything escrow holds.',
      initial: () => '50',
    },
  ],
  forms: (by) => {
    const other = by === 'poster' ? 'worker' : 'poster';
    const workerBps = '<0 to 10000>';
    const signature = { [`${other}Signature`]: `<signature of the ${other}, from its MutualCancel>` };
    return [
      { workerBps, sign: true },
      { workerBps, validUntil: '<validUntil of the signed one>', ...signature },
    ];
  },
  input: {
    workerBps: bpsArgument,
    validUntil: momentArgument.optional().describe('end of the signatures; needed to send, +1d to sign'),
    posterSignature: signatureArgument.optional().describe('of the poster; not needed when it sends'),
    workerSignature: signatureArgument.optional().describe('of the worker; not needed when it sends'),
    sign: flagArgument.describe('sign the split'),
  },
  example: { workerBps: '5000', validUntil: '1893456000', workerSignature: `0x${'1b'.repeat(65)}` },
  build: async ({ workerBps, validUntil, sign, ...given }, { task, from, contracts, chainId, reads }) => {
    const now = await reads.readNow();
    if (validUntil === undefined && !sign)
      refuse('mutual-settle', 'validUntil: is required, as it stands in the signatures');
    if (validUntil !== undefined && !sign && isMoving(validUntil))
      refuse('mutual-settle', 'validUntil: must be the moment that was signed, as --sign answered it');
    if (sign && isTerminal(task.state))
      refuse('mutual-settle', 'taskId: this task has ended, and holds nothing');
    const until = validUntil?.(now) ?? now + day;
    const settlement = buildSettlement(task, workerBps, until);
    const place = { chainId, registry: contracts.taskRegistry };
    const result = { digest: hashSettlement(settlement, place), validUntil: until };
    if (sign) {
      if (![settlement.poster, settlement.worker].some((party) => isSameAddress(party, from)))
        refuse('mutual-settle', 'from: only its poster and its worker can settle a task');
      if (until <= now)
        refuse(
          'mutual-settle',
          `validUntil: must be later than now, which is ${formatMoment(now)} on the chain`,
        );
      const typedData = toJsonTypedData(buildSettlementTypedData(settlement, place));
      const summary = `Agree to settle task ${task.number}: ${formatPercent(workerBps)} of what is held to the worker`;
      return { typedData, summary, result };
    }
    const signatureOf = async (side: 'poster' | 'worker'): Promise<Hex> => {
      if (isSameAddress(settlement[side], from)) return '0x';
      const signature =
        given[`${side}Signature`] ??
        refuse('mutual-settle', `${side}Signature: is required, as the ${side} does not send this itself`);
      // One that the contracts refuse is sent as it is: the trial run reports why.
      return (await reads.readSignature(settlement[side], result.digest, signature)) ?? signature;
    };
    const { number } = task;
    const signatures = [await signatureOf('poster'), await signatureOf('worker')] as const;
    const call = [number, workerBps, BigInt(until), ...signatures] as const;
    return { encoded: encodeCall(contracts, 'DisputeCourt', 'mutualSettle', call), result };
  },
});

/** The task exactly as it stands: any change of it makes the signatures worthless. */
export function buildSettlement(task: Task, workerBps: number, validUntil: number): MutualSettlement {
  if (task.worker === null) refuse('mutual-settle', 'taskId: nobody works on this task; use cancel-task');
  return {
    taskId: task.number,
    poster: task.poster,
    worker: task.worker,
    round: task.round,
    milestone: task.milestone,
    state: task.state,
    updatedAt: BigInt(task.updatedAt),
    held: lockedAmount(task),
    phase: task.dispute?.phase ?? 'NONE',
    workerBps,
    validUntil: BigInt(validUntil),
  };
}
