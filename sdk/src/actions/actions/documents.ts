// Actions that make documents: reading the chain, the onboarding checklist, hashes and work receipts.
import * as z from 'zod';
import { noFacts } from '#domain/task.ts';
import { formatTaskId } from '#domain/taskId.ts';
import { hashCriteria } from '#domain/terms.ts';
import { hashCanonical } from '#negotiation/canonical.ts';
import { defineDocument, definePure } from '../action.ts';
import {
  addressArgument,
  hashArgument,
  marketArgument,
  refuse,
  sameMarketArgument,
  taskArgument,
  textArgument,
} from '../arguments.ts';
import { buildOnboarding } from '../onboarding.ts';
import { buildTaskRecord } from '../taskRecord.ts';
import { readTaskOf } from './taskOf.ts';

const wallet = '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f';

export const read = defineDocument({
  name: 'read',
  summary: 'read a task, a wallet or the market from the chain',
  input: z.strictObject({
    market: sameMarketArgument.describe('standard or micro'),
    taskId: taskArgument.optional(),
    address: addressArgument.optional(),
  }),
  example: { taskId: 'v2:standard:12' },
  build: async ({ taskId, address }, { market, contracts, needs }) => {
    const [task, state, figures] = await Promise.all([
      taskId === undefined ? null : readTaskOf(needs, taskId),
      address === undefined ? null : needs.chain.readWallet(market, address),
      needs.chain.readFigures(market),
    ]);
    return {
      ...(task !== null && { task: buildTaskRecord(task, noFacts) }),
      ...(state !== null && { address, wallet: state }),
      figures,
      contracts,
    };
  },
});

export const onboarding = defineDocument({
  name: 'onboarding',
  summary: 'what a wallet still needs before it can post or claim, and how to get it',
  input: z.strictObject({ market: marketArgument, address: addressArgument }),
  example: { address: wallet },
  build: async ({ address }, { market, needs }) => buildOnboarding(needs, market, address),
});

export const hashCriteriaAction = definePure({
  name: 'hash-criteria',
  summary: 'hash a text as the contracts do',
  input: z.strictObject({ criteriaText: textArgument }),
  example: { criteriaText: 'Every page is there, and no sentence is left out.' },
  build: ({ criteriaText }) => ({ criteriaHash: hashCriteria(criteriaText) }),
});

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
  build: async ({ taskId, artifacts, note }, { needs }) => {
    const task = await readTaskOf(needs, taskId);
    if (task.worker === null) refuse('prepare-receipt', 'taskId: nobody works on this task');
    const receipt = {
      taskId: formatTaskId(taskId),
      registryAddress: task.registryAddress,
      chainId: needs.chainId,
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
