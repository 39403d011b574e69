// Delivery and payment: a receipt of the work, its proof, accepting a milestone, completing the task.
import * as z from 'zod';
import { encodeCall } from '#chain/encodeCall.ts';
import { hashCanonical } from '#domain/canonical.ts';
import { protocolConstants } from '#domain/parameters.ts';
import { digestOf, lockedAmount } from '#domain/task.ts';
import { formatTaskId } from '#domain/taskId.ts';
import { type CallSentence, defineDocument, defineTaskAction, may } from './action.ts';
import {
  exampleWallets,
  hashArgument,
  milestoneArgument,
  refuse,
  sameMarketArgument,
  taskAndWallet,
  taskArgument,
  textArgument,
} from './arguments.ts';
import { disputedAmount, freeBonds, toWorker } from './costs.ts';
import { requireTask } from './reads.ts';

const { poster, worker } = exampleWallets;

const delivers: CallSentence = ({ taskId, milestone }) =>
  `Deliver milestone ${Number(milestone) + 1} of task ${taskId}`;
const accepts: CallSentence = ({ taskId, milestone }) =>
  `Accept and pay milestone ${Number(milestone) + 1} of task ${taskId}`;
const completes: CallSentence = ({ taskId }) =>
  `Pay everything that is held for task ${taskId} to its worker and end it`;

const artifact = z.strictObject(
  {
    name: textArgument.min(1, 'is required').max(256, 'is too long'),
    hash: hashArgument.describe('keccak256 or sha256 of its bytes'),
    algorithm: z
      .enum(['keccak256', 'sha256'], { error: 'must be "keccak256" or "sha256"' })
      .default('sha256'),
    bytes: z.int({ error: 'must be a whole number' }).nonnegative('must be a whole number').optional(),
    uri: textArgument.max(2_048, 'is too long').optional(),
  },
  { error: 'must be an object with name and hash' },
);

export const prepareReceipt = defineDocument({
  name: 'prepare-receipt',
  title: 'Build a work receipt',
  summary: 'build a receipt of work done; its hash is what submit-proof takes',
  input: z.strictObject({
    market: sameMarketArgument,
    taskId: taskArgument,
    artifacts: z
      .array(artifact, { error: ({ input }) => (input === undefined ? 'is required' : 'must be a list') })
      .min(1, 'must hold one at least')
      .max(100, 'are at most 100')
      .describe('files with their hashes; as a flag: --file <path>, once for each'),
    note: textArgument.max(4_000, 'is too long').optional().describe('words to the poster'),
  }),
  example: { taskId: 'v2:standard:12', file: 'manual-en.zip', note: 'All 20 pages.' },
  build: async ({ taskId, artifacts, note }, { chainId, reads }) => {
    const task = await requireTask(reads, taskId);
    if (task.worker === null) refuse('prepare-receipt', 'taskId: nobody works on this task');
    const receipt = {
      taskId: formatTaskId(taskId),
      registryAddress: task.registryAddress,
      chainId,
      worker: task.worker,
      round: task.round,
      milestone: task.milestone,
      criteriaHash: task.criteriaHash,
      artifacts: artifacts.map((one) => JSON.parse(JSON.stringify(one))),
      ...(note !== undefined && { note }),
    };
    return { receipt, proofHash: hashCanonical(receipt) };
  },
});

export const submitProof = defineTaskAction({
  name: 'submit-proof',
  title: 'Deliver',
  summary: 'deliver the current milestone: the hash of a work receipt, and where it is found',
  effect: 'The hash of your work is written on chain and the poster’s review time begins.',
  by: ['worker'],
  windows: {
    ACTIVE: ({ deadline }) => [may('worker', null, deadline + protocolConstants.deliveryGraceSeconds)],
    DELIVERED: () => [may('worker')],
  },
  risk: () => 'The poster may dispute within the review time; answer in time, or you lose the milestone.',
  undo: 'You may deliver again until the poster decides; the newest proof counts. You may also leave the task.',
  calls: { 'TaskRegistry.submitProof': delivers },
  fields: [
    {
      name: 'uri',
      kind: 'text',
      label: 'Link to the work, or a short note',
      note: 'It is public and stays on chain forever.',
    },
    {
      name: 'proofHash',
      kind: 'file',
      label: 'File (optional)',
      note: 'The file stays in this browser: only its keccak-256 hash goes on chain. Without a file, the text above is hashed.',
      required: 'Enter a link or choose a file: an empty delivery proves nothing.',
    },
  ],
  forms: () => [{ proofHash: '<hash from svc prepare prepare-receipt>' }],
  input: z.strictObject({
    ...taskAndWallet,
    milestone: milestoneArgument
      .optional()
      .describe('index of the milestone, from 0; the current one if left out'),
    proofHash: hashArgument.describe('proofHash of prepare-receipt'),
    uri: textArgument.max(2_048, 'is too long').default('').describe('where the work is found'),
  }),
  example: {
    taskId: 'v2:standard:12',
    proofHash: '0x9c22ff5f21f0b81b113e63f7db6da94fedef11b2119b4088b89664fb9a3cb658',
    uri: 'https://work.example/12.zip',
    from: worker,
  },
  build: async ({ taskId: { number }, milestone, proofHash, uri }, { task, contracts }) => {
    const chosen = milestone ?? task.milestone;
    const summary = delivers({ taskId: number, milestone: chosen });
    return {
      encoded: encodeCall(
        contracts,
        'TaskRegistry',
        'submitProof',
        [number, chosen, proofHash, uri],
        summary,
      ),
    };
  },
});

export const acceptMilestone = defineTaskAction({
  name: 'accept-milestone',
  title: 'Accept the milestone',
  summary: 'pay the delivered milestone; the last one completes the task',
  effect: 'The milestone is paid to the worker at once. After the last one, the task is completed.',
  by: ['poster'],
  windows: { DELIVERED: () => [may('poster')] },
  moves: ({ task }) => {
    if (task === undefined) return [];
    const isLast = task.milestone === task.milestones.length - 1;
    return [toWorker(task, disputedAmount(task)), ...(isLast ? [freeBonds] : [])];
  },
  risk: () => 'Pays the delivered milestone to the worker; the payment is final.',
  undo: 'It cannot be undone.',
  calls: { 'TaskRegistry.acceptMilestone': accepts },
  forms: () => [{ milestone: '<index from 0>' }],
  input: z.strictObject({ ...taskAndWallet, milestone: milestoneArgument.optional() }),
  example: { taskId: 'v2:standard:12', milestone: '0', from: poster },
  build: async ({ taskId: { number }, milestone }, { task, contracts }) => {
    const chosen = milestone ?? task.milestone;
    const summary = accepts({ taskId: number, milestone: chosen });
    return { encoded: encodeCall(contracts, 'TaskRegistry', 'acceptMilestone', [number, chosen], summary) };
  },
});

export const completeTask = defineTaskAction({
  name: 'complete-task',
  title: 'Pay everything and complete',
  summary: 'pay everything that is held to the worker and end the task, delivered or not',
  effect: 'All that escrow still holds goes to the worker, and the task ends.',
  by: ['poster'],
  windows: { ACTIVE: () => [may('poster')], DELIVERED: () => [may('poster')] },
  moves: ({ task }) => (task === undefined ? [] : [toWorker(task, lockedAmount(task)), freeBonds]),
  risk: () => 'Pays everything in escrow to the worker, also what is not delivered yet.',
  undo: 'It cannot be undone.',
  calls: { 'TaskRegistry.completeTask': completes },
  input: z.strictObject(taskAndWallet),
  example: { taskId: 'v2:standard:12', from: poster },
  build: async ({ taskId: { number } }, { task, contracts }) => {
    const summary = completes({ taskId: number });
    return {
      encoded: encodeCall(contracts, 'TaskRegistry', 'completeTask', [number, digestOf(task)], summary),
    };
  },
});
