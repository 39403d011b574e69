// Disputes: opening one, naming an arbitrator, ruling, and escalating.
import * as z from 'zod';
import { type CallContracts, type EncodedCalls, encodeCall } from '#chain/encodeCall.ts';
import { protocolConstants } from '#domain/parameters.ts';
import type { Task } from '#domain/task.ts';
import { type CallSentence, defineTaskAction, may } from './action.ts';
import {
  addressArgument,
  bpsArgument,
  exampleWallets,
  hashArgument,
  refuse,
  takeHash,
  taskAndWallet,
  textArgument,
} from './arguments.ts';
import { costOfAmount, disputeShare, formatDays, formatPercent } from './costs.ts';
import { isEscalatable } from './settle.ts';

const { arbitrator, worker } = exampleWallets;
const share = formatPercent(protocolConstants.disputeBps);
const slash = formatPercent(protocolConstants.missSlashBps);

const opens: CallSentence = ({ taskId }) => `Dispute the delivery of task ${taskId}`;
const names: CallSentence = ({ taskId, arbitrator }) =>
  `Name ${arbitrator} to decide the dispute of task ${taskId}`;
const rules: CallSentence = ({ taskId, workerBps }) =>
  `Rule on task ${taskId}: ${workerBps} of the disputed milestone to the worker`;
const escalates: CallSentence = ({ taskId }) =>
  `Hand the dispute of task ${taskId} to the fallback arbitrator`;

export const openDispute = defineTaskAction({
  name: 'open-dispute',
  title: 'Open a dispute',
  summary: `dispute the current delivery; takes a bond of ${share} of the milestone`,
  effect: `Nothing is paid until an arbitrator has ruled. You put ${share} of the milestone in as a bond.`,
  by: ['poster', 'worker'],
  windows: {
    DELIVERED: ({ updatedAt, reviewPeriod }) => [
      may('poster', null, updatedAt + reviewPeriod),
      may('worker'),
    ],
  },
  costs: ({ task }) => costOfAmount('disputeBond', task === undefined ? undefined : disputeShare(task)),
  risk: () =>
    'The bond pays the arbitrator when you get less than half; otherwise it comes back. A ruling of all or nothing ' +
    'also moves the loser’s collateral bond.',
  undo: 'It ends by ruling, by time-out, or when both parties sign a settlement.',
  calls: { 'TaskRegistry.openDispute': opens },
  fields: [
    {
      name: 'evidenceText',
      kind: 'text',
      label: 'What is wrong',
      note: 'Only the hash of this text goes on chain. Keep the text: the arbitrator will want to read it.',
      required: 'Say what is wrong: the arbitrator will ask.',
    },
  ],
  forms: () => [{ evidenceText: '<what is wrong>' }],
  input: z.strictObject({
    ...taskAndWallet,
    evidenceHash: hashArgument.optional().describe('hash of your evidence'),
    evidenceText: textArgument.optional().describe('the evidence itself, to be hashed; it is not sent'),
  }),
  example: { taskId: 'v2:standard:12', evidenceText: 'Two of the ten files are empty.', from: worker },
  build: async ({ taskId: { number }, ...args }, { contracts }) => {
    const evidenceHash = takeHash('open-dispute', args, 'evidence');
    if (evidenceHash === undefined) refuse('open-dispute', 'evidenceHash: give it, or evidenceText');
    const summary = opens({ taskId: number });
    return {
      encoded: encodeCall(contracts, 'TaskRegistry', 'openDispute', [number, evidenceHash], summary),
      result: { evidenceHash },
    };
  },
});

export const proposeArbitrator = defineTaskAction({
  name: 'propose-arbitrator',
  title: 'Propose an arbitrator',
  summary: 'name an arbitrator for a dispute; it decides when both parties name the same',
  effect: `When both parties name the same bonded arbitrator, it is seated and has ${formatDays(protocolConstants.resolveWindowSeconds)} to rule.`,
  by: ['poster', 'worker'],
  windows: {
    DISPUTED: ({ dispute }) =>
      dispute?.phase === 'PROPOSING'
        ? [may('poster', null, dispute.phaseEndsAt), may('worker', null, dispute.phaseEndsAt)]
        : [],
  },
  risk: () => `The arbitrator gets ${share} of the milestone.`,
  undo: 'You may name another one until both agree.',
  calls: { 'DisputeCourt.proposeArbitrator': names },
  fields: [
    {
      name: 'arbitrator',
      kind: 'address',
      label: 'Arbitrator',
      note: 'The address of an arbitrator with a bond on this market. Parties of the task cannot be arbitrators.',
      required: 'Enter the address of an arbitrator.',
    },
  ],
  forms: () => [{ arbitrator: '<address>' }],
  input: z.strictObject({ ...taskAndWallet, arbitrator: addressArgument }),
  example: { taskId: 'v2:standard:12', arbitrator, from: worker },
  build: async ({ taskId: { number }, arbitrator: named }, { contracts }) => {
    const summary = names({ taskId: number, arbitrator: named });
    return { encoded: encodeCall(contracts, 'DisputeCourt', 'proposeArbitrator', [number, named], summary) };
  },
});

export const resolveDispute = defineTaskAction({
  name: 'resolve-dispute',
  title: 'Rule on the dispute',
  summary: 'rule on a dispute as its arbitrator',
  effect: 'The milestone is split as you say, after your fee. Later milestones go back to the poster.',
  by: ['arbitrator'],
  windows: {
    // The fallback arbitrator may still rule after its time, until somebody ends the case.
    DISPUTED: ({ dispute }) => {
      if (dispute === null || dispute.phase === 'PROPOSING') return [];
      return [may('arbitrator', null, dispute.phase === 'ASSIGNED' ? dispute.phaseEndsAt : null)];
    },
  },
  risk: () => `A ruling is final. Not ruling in time costs ${slash} of your bond.`,
  undo: 'It cannot be undone.',
  calls: { 'DisputeCourt.resolveDispute': rules },
  fields: [
    {
      name: 'workerBps',
      kind: 'percent',
      label: 'Share of the worker, %',
      note: 'Of the disputed milestone, after your fee.',
      initial: () => '50',
    },
    {
      name: 'reasonText',
      kind: 'text',
      label: 'Your reasons',
      note: 'Only the hash goes on chain. Send the text to both parties.',
      required: 'Give your reasons: both parties will ask for them.',
    },
  ],
  forms: () => [{ workerBps: '<0 to 10000>', reasonText: '<why>' }],
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
  build: async ({ taskId: { number }, workerBps, ...args }, { contracts }) => {
    const reasonHash = takeHash('resolve-dispute', args, 'reason');
    if (reasonHash === undefined) refuse('resolve-dispute', 'reasonHash: give it, or reasonText');
    const call = [number, workerBps, reasonHash] as const;
    const summary = rules({ taskId: number, workerBps: formatPercent(workerBps) });
    return {
      encoded: encodeCall(contracts, 'DisputeCourt', 'resolveDispute', call, summary),
      result: { reasonHash },
    };
  },
});

function encodeEscalate({ number }: Pick<Task, 'number'>, contracts: CallContracts): EncodedCalls {
  return encodeCall(contracts, 'DisputeCourt', 'escalate', [number], escalates({ taskId: number }));
}

export const escalate = defineTaskAction({
  name: 'escalate',
  title: 'Escalate',
  summary: 'hand a dispute whose time is over to the fallback arbitrator; anyone may',
  effect: 'The fallback arbitrator takes the case. An arbitrator who missed its time is slashed.',
  by: ['anyone'],
  windows: {
    DISPUTED: ({ dispute }) =>
      dispute !== null && isEscalatable(dispute) ? [may('anyone', dispute.phaseEndsAt + 1)] : [],
  },
  risk: () => null,
  undo: 'It cannot be undone.',
  calls: { 'DisputeCourt.escalate': escalates },
  exit: encodeEscalate,
  input: z.strictObject(taskAndWallet),
  example: { taskId: 'v2:standard:12', from: worker },
  build: async (_, { task, contracts }) => ({ encoded: encodeEscalate(task, contracts) }),
});
