// Actions that end a task or a part in it: leaving, dismissing, cancelling, timing out, settling together.
import type { Hex } from 'viem';
import * as z from 'zod';
import { encodeResolveTimedOutDispute } from '#chain/calls/disputing.ts';
import {
  encodeCancelTask,
  encodeDismissWorker,
  encodeLeaveTask,
  encodeMutualSettle,
  encodeResolveTimedOut,
} from '#chain/calls/leaving.ts';
import { isSameAddress } from '#domain/address.ts';
import { lockedAmount, type Task } from '#domain/task.ts';
import { buildSettlementTypedData, hashSettlement, type MutualSettlement } from '#domain/terms.ts';
import { defineWrite } from '../action.ts';
import {
  bpsArgument,
  flagArgument,
  isMoving,
  momentArgument,
  refuse,
  signatureArgument,
  taskAndWallet,
} from '../arguments.ts';
import { nextActions } from '../nextActions.ts';
import { toJsonTypedData } from '../typedData.ts';
import { poster, worker } from './exampleWallets.ts';
import { readFeeOf } from './feeOf.ts';
import { readTaskOf } from './taskOf.ts';

const day = 86_400;

export const leaveTask = defineWrite({
  name: 'leave-task',
  summary: 'give a task back that you have claimed',
  input: z.strictObject(taskAndWallet),
  example: { taskId: 'v2:standard:12', from: worker },
  plan: async ({ taskId }, context) => {
    const { from, contracts, needs } = context;
    await readTaskOf(needs, taskId);
    return {
      encoded: encodeLeaveTask(contracts, taskId.number),
      spends: { tokWei: await readFeeOf(context, from) },
    };
  },
});

export const dismissWorker = defineWrite({
  name: 'dismiss-worker',
  summary: 'send the worker away: at once before the start, by a notice of a day later',
  input: z.strictObject(taskAndWallet),
  example: { taskId: 'v2:standard:12', from: poster },
  plan: async ({ taskId }, context) => {
    const { from, contracts, needs } = context;
    const [task, now] = await Promise.all([readTaskOf(needs, taskId), needs.chain.readNow()]);
    // Whoever gave notice has paid with it.
    const tokWei = task.dismissAt === null ? await readFeeOf(context, from) : 0n;
    return {
      encoded: encodeDismissWorker(contracts, taskId.number),
      spends: { tokWei },
      warnings: warnOfVainNotice(task, now),
    };
  },
});

function warnOfVainNotice(task: Task, now: number): string[] {
  const next = nextActions(task);
  const isOffered = next.some(
    ({ action, until }) => action === 'dismiss-worker' && (until === null || now <= until),
  );
  const end = next.find(({ action }) => action === 'resolve-timed-out')?.from ?? 0;
  if (task.state !== 'ACTIVE' || isOffered || end <= now) return [];
  return [
    'The notice ends when it is too late for the dismissal itself: it can never take effect, and its fee is lost. ' +
      `From ${new Date(end * 1_000).toISOString()} on resolve-timed-out ends the task instead, costs no fee and ` +
      'brings you the locked deposit of the worker.',
  ];
}

export const cancelTask = defineWrite({
  name: 'cancel-task',
  summary: 'withdraw your task while nobody has claimed it',
  input: z.strictObject(taskAndWallet),
  example: { taskId: 'v2:standard:12', from: poster },
  plan: async ({ taskId }, { contracts, needs }) => {
    await readTaskOf(needs, taskId);
    return { encoded: encodeCancelTask(contracts, taskId.number) };
  },
});

export const resolveTimedOut = defineWrite({
  name: 'resolve-timed-out',
  summary: 'end a phase of a task, or of its dispute, whose time is over; anyone may',
  input: z.strictObject(taskAndWallet),
  example: { taskId: 'v2:standard:12', from: worker },
  plan: async ({ taskId }, { contracts, needs }) => {
    const { state } = await readTaskOf(needs, taskId);
    const encode = state === 'DISPUTED' ? encodeResolveTimedOutDispute : encodeResolveTimedOut;
    return { encoded: encode(contracts, taskId.number) };
  },
});

export const mutualSettle = defineWrite({
  name: 'mutual-settle',
  summary:
    'split what a task holds as both parties agreed; with --sign, sign the split instead of sending it',
  input: z.strictObject({
    ...taskAndWallet,
    workerBps: bpsArgument,
    validUntil: momentArgument.optional().describe('end of the signatures; needed to send, +1d to sign'),
    posterSignature: signatureArgument.optional().describe('of the poster; not needed when it sends'),
    workerSignature: signatureArgument.optional().describe('of the worker; not needed when it sends'),
    sign: flagArgument.describe('sign the split'),
  }),
  example: {
    taskId: 'v2:standard:12',
    workerBps: '5000',
    validUntil: '1893456000',
    workerSignature: `0x${'1b'.repeat(65)}`,
    from: poster,
  },
  plan: async ({ taskId, workerBps, validUntil, sign, ...given }, { from, contracts, needs }) => {
    const [task, now] = await Promise.all([readTaskOf(needs, taskId), needs.chain.readNow()]);
    if (validUntil === undefined && !sign)
      refuse('mutual-settle', 'validUntil: is required, as it stands in the signatures');
    if (validUntil !== undefined && !sign && isMoving(validUntil))
      refuse('mutual-settle', 'validUntil: must be the moment that was signed, as --sign answered it');
    const until = validUntil?.(now) ?? now + day;
    const settlement = buildSettlement(task, workerBps, until);
    const place = { chainId: needs.chainId, registry: contracts.taskRegistry };
    const result = { digest: hashSettlement(settlement, place), validUntil: until };
    if (sign) {
      const typedData = toJsonTypedData(buildSettlementTypedData(settlement, place));
      const summary = `Agree to settle task ${task.number}: ${workerBps / 100} % of what is held to the worker`;
      return { typedData, summary, result };
    }
    const signatureOf = (side: 'poster' | 'worker'): Hex => {
      if (isSameAddress(settlement[side], from)) return '0x';
      return (
        given[`${side}Signature`] ??
        refuse('mutual-settle', `${side}Signature: is required, as the ${side} does not send this itself`)
      );
    };
    const signatures = { posterSignature: signatureOf('poster'), workerSignature: signatureOf('worker') };
    const settle = { number: task.number, workerBps, validUntil: until, ...signatures };
    return { encoded: encodeMutualSettle(contracts, settle), result };
  },
});

/** The task exactly as it stands: any change of it makes the signatures worthless. */
function buildSettlement(task: Task, workerBps: number, validUntil: number): MutualSettlement {
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
    workerBps,
    validUntil: BigInt(validUntil),
  };
}
