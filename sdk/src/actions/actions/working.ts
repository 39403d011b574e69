// Actions while a task is worked on: claiming, funding, starting, delivering, accepting, completing.
import type { Hex } from 'viem';
import * as z from 'zod';
import { encodeClaimTask, encodeFundTask } from '#chain/calls/entering.ts';
import {
  encodeAcceptMilestone,
  encodeCompleteTask,
  encodeStartWork,
  encodeSubmitProof,
} from '#chain/calls/working.ts';
import { defineWrite } from '../action.ts';
import {
  hashArgument,
  milestoneArgument,
  takeTok,
  taskAndWallet,
  textArgument,
  tokArgument,
  tokWeiArgument,
} from '../arguments.ts';
import { poster, worker } from './exampleWallets.ts';
import { readFeeOf } from './feeOf.ts';
import { readTaskOf } from './taskOf.ts';

const noDigest: Hex = `0x${'0'.repeat(64)}`;

export const claimTask = defineWrite({
  name: 'claim-task',
  summary: 'take an open task, on exactly the terms that the chain shows now',
  input: z.strictObject(taskAndWallet),
  example: { taskId: 'v2:standard:12', from: worker },
  plan: async ({ taskId }, context) => {
    const { from, contracts, needs } = context;
    await readTaskOf(needs, taskId);
    const [expectedDigest, fee] = await Promise.all([
      needs.chain.readOpenDigest(taskId.market, taskId.number, from),
      readFeeOf(context, from),
    ]);
    return {
      encoded: encodeClaimTask(contracts, { number: taskId.number, expectedDigest }),
      spends: { tokWei: fee },
      engages: [from],
      result: { settlementDigest: expectedDigest },
    };
  },
});

export const fundTask = defineWrite({
  name: 'fund-task',
  summary: 'put TOK into escrow for your task; without an amount, all that is missing',
  input: z.strictObject({
    ...taskAndWallet,
    amountTok: tokArgument.optional(),
    amountTokWei: tokWeiArgument.optional(),
  }),
  example: { taskId: 'v2:standard:12', amountTok: '1500', from: poster },
  plan: async ({ taskId, ...args }, { contracts, needs }) => {
    const task = await readTaskOf(needs, taskId);
    const amountTokWei = takeTok('fund-task', args, 'amount') ?? task.totalAmount - task.funded;
    return {
      encoded: encodeFundTask(contracts, { number: taskId.number, amountTokWei }),
      spends: { tokWei: amountTokWei },
    };
  },
});

export const startWork = defineWrite({
  name: 'start-work',
  summary: 'start the work on a claimed and funded task',
  input: z.strictObject(taskAndWallet),
  example: { taskId: 'v2:standard:12', from: poster },
  plan: async ({ taskId }, { contracts, needs }) => {
    const task = await readTaskOf(needs, taskId);
    const expectedDigest = task.settlementDigest ?? noDigest;
    return { encoded: encodeStartWork(contracts, { number: taskId.number, expectedDigest }) };
  },
});

export const submitProof = defineWrite({
  name: 'submit-proof',
  summary: 'deliver the current milestone: the hash of a work receipt, and where it is found',
  input: z.strictObject({
    ...taskAndWallet,
    proofHash: hashArgument.describe('proofHash of prepare-receipt'),
    uri: textArgument.max(2_048, 'is too long').default('').describe('where the work is found'),
  }),
  example: {
    taskId: 'v2:standard:12',
    proofHash: '0x9c22ff5f21f0b81b113e63f7db6da94fedef11b2119b4088b89664fb9a3cb658',
    uri: 'https://work.example/12.zip',
    from: worker,
  },
  plan: async ({ taskId, proofHash, uri }, { contracts, needs }) => {
    await readTaskOf(needs, taskId);
    return { encoded: encodeSubmitProof(contracts, { number: taskId.number, proofHash, uri }) };
  },
});

export const acceptMilestone = defineWrite({
  name: 'accept-milestone',
  summary: 'pay the delivered milestone; the last one completes the task',
  input: z.strictObject({ ...taskAndWallet, milestone: milestoneArgument.optional() }),
  example: { taskId: 'v2:standard:12', milestone: '0', from: poster },
  plan: async ({ taskId, milestone }, { contracts, needs }) => {
    const task = await readTaskOf(needs, taskId);
    const chosen = milestone ?? task.milestone;
    return { encoded: encodeAcceptMilestone(contracts, { number: taskId.number, milestone: chosen }) };
  },
});

export const completeTask = defineWrite({
  name: 'complete-task',
  summary: 'pay everything that is held to the worker and end the task, delivered or not',
  input: z.strictObject(taskAndWallet),
  example: { taskId: 'v2:standard:12', from: poster },
  plan: async ({ taskId }, { contracts, needs }) => {
    await readTaskOf(needs, taskId);
    return { encoded: encodeCompleteTask(contracts, taskId.number) };
  },
});
