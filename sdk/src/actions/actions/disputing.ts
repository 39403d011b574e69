// Actions around a dispute: opening, naming an arbitrator, ruling, escalating; and being an arbitrator.
import * as z from 'zod';
import {
  encodeEscalate,
  encodeOpenDispute,
  encodeProposeArbitrator,
  encodeResolveDispute,
} from '#chain/calls/disputing.ts';
import {
  encodeRegisterArbitrator,
  encodeUnbondArbitrator,
  encodeWithdrawBond,
} from '#chain/calls/judging.ts';
import { protocolConstants } from '#domain/parameters.ts';
import { defineWrite } from '../action.ts';
import {
  addressArgument,
  bpsArgument,
  fromArgument,
  hashArgument,
  marketArgument,
  refuse,
  takeHash,
  takeTok,
  taskAndWallet,
  textArgument,
  tokArgument,
  tokWeiArgument,
} from '../arguments.ts';
import { arbitrator, worker } from './exampleWallets.ts';
import { readTaskOf } from './taskOf.ts';

const walletOnly = z.strictObject({ market: marketArgument, from: fromArgument });

export const openDispute = defineWrite({
  name: 'open-dispute',
  summary: 'dispute the current delivery; takes a bond of 5 % of the milestone',
  input: z.strictObject({
    ...taskAndWallet,
    evidenceHash: hashArgument.optional().describe('hash of your evidence'),
    evidenceText: textArgument.optional().describe('the evidence itself, to be hashed; it is not sent'),
  }),
  example: { taskId: 'v2:standard:12', evidenceText: 'Two of the ten files are empty.', from: worker },
  plan: async ({ taskId, ...args }, { contracts, needs }) => {
    const evidenceHash = takeHash('open-dispute', args, 'evidence');
    if (evidenceHash === undefined) refuse('open-dispute', 'evidenceHash: give it, or evidenceText');
    const task = await readTaskOf(needs, taskId);
    const amount = task.milestones[task.milestone] ?? task.totalAmount;
    return {
      encoded: encodeOpenDispute(contracts, { number: taskId.number, evidenceHash }),
      spends: { tokWei: (amount * BigInt(protocolConstants.disputeBps)) / 10_000n },
      result: { evidenceHash },
    };
  },
});

export const proposeArbitrator = defineWrite({
  name: 'propose-arbitrator',
  summary: 'name an arbitrator for a dispute; it decides when both parties name the same',
  input: z.strictObject({ ...taskAndWallet, arbitrator: addressArgument }),
  example: { taskId: 'v2:standard:12', arbitrator, from: worker },
  plan: async ({ taskId, arbitrator: named }, { contracts, needs }) => {
    await readTaskOf(needs, taskId);
    const proposal = { number: taskId.number, arbitrator: named };
    return { encoded: encodeProposeArbitrator(contracts, proposal) };
  },
});

export const resolveDispute = defineWrite({
  name: 'resolve-dispute',
  summary: 'rule on a dispute as its arbitrator',
  input: z.strictObject({
    ...taskAndWallet,
    workerBps: bpsArgument,
    reasonHash: hashArgument.optional().describe('hash of your reasons'),
    reasonText: textArgument.optional().describe('the reasons themselves, to be hashed; they are not sent'),
  }),
  example: {
    taskId: 'v2:standard:12',
    workerBps: '7000',
    reasonText: 'Seven of ten files are as agreed.',
    from: arbitrator,
  },
  plan: async ({ taskId, workerBps, ...args }, { contracts, needs }) => {
    const reasonHash = takeHash('resolve-dispute', args, 'reason');
    if (reasonHash === undefined) refuse('resolve-dispute', 'reasonHash: give it, or reasonText');
    await readTaskOf(needs, taskId);
    const ruling = { number: taskId.number, workerBps, reasonHash };
    return { encoded: encodeResolveDispute(contracts, ruling), result: { reasonHash } };
  },
});

export const escalate = defineWrite({
  name: 'escalate',
  summary: 'hand a dispute whose time is over to the fallback arbitrator; anyone may',
  input: z.strictObject(taskAndWallet),
  example: { taskId: 'v2:standard:12', from: worker },
  plan: async ({ taskId }, { contracts, needs }) => {
    await readTaskOf(needs, taskId);
    return { encoded: encodeEscalate(contracts, taskId.number) };
  },
});

export const registerArbitrator = defineWrite({
  name: 'register-arbitrator',
  summary: 'be an arbitrator: bond TOK; without an amount, what is missing to the least bond',
  input: z.strictObject({
    market: marketArgument,
    from: fromArgument,
    amountTok: tokArgument.optional(),
    amountTokWei: tokWeiArgument.optional(),
    minHeldTok: tokArgument
      .optional()
      .describe('the smallest disputed amount you take; as it is if left out'),
    minHeldTokWei: tokWeiArgument.optional(),
  }),
  example: { amountTok: '10000', minHeldTok: '100', from: arbitrator },
  plan: async (args, { market, from, contracts, needs: { chain } }) => {
    const [{ arbitrator: record }, { arbitratorMinBondTokWei }] = await Promise.all([
      chain.readWallet(market, from),
      chain.readFigures(market),
    ]);
    const missing = arbitratorMinBondTokWei > record.bond ? arbitratorMinBondTokWei - record.bond : 0n;
    const amountTokWei = takeTok('register-arbitrator', args, 'amount') ?? missing;
    const minHeldTokWei = takeTok('register-arbitrator', args, 'minHeld') ?? record.minHeld;
    const isLeaving = record.bond > 0n && record.unbondAt > 0;
    return {
      encoded: encodeRegisterArbitrator(contracts, { amountTokWei, minHeldTokWei }),
      spends: { tokWei: amountTokWei },
      warnings: isLeaving ? ['This ends your unbonding: you take disputes again, and the bond stays.'] : [],
    };
  },
});

export const unbondArbitrator = defineWrite({
  name: 'unbond-arbitrator',
  summary: 'take no new disputes; the bond comes free 14 days later',
  input: walletOnly,
  example: { from: arbitrator },
  plan: async (_, { contracts }) => ({ encoded: encodeUnbondArbitrator(contracts) }),
});

export const withdrawBond = defineWrite({
  name: 'withdraw-bond',
  summary: "take your arbitrator's bond out, once it is free",
  input: walletOnly,
  example: { from: arbitrator },
  plan: async (_, { contracts }) => ({ encoded: encodeWithdrawBond(contracts) }),
});
