// Delivery and payment: the document of a delivery, its proof, accepting a milestone, completing the task.
import { type Hex, sha256 } from 'viem';
import * as z from 'zod';
import { encodeCall } from '../chain/encodeCall.ts';
import { type BuiltDocument, buildDocument } from '../documents/buildDocument.ts';
import { maxDocumentUriBytes, maxInlineBytes, readFileHash } from '../domain/document.ts';
import { SvcError } from '../domain/errors.ts';
import { protocolConstants } from '../domain/parameters.ts';
import { digestOf, lockedAmount, type Task } from '../domain/task.ts';
import { formatTaskId } from '../domain/taskId.ts';
import { artifactsArgument, hashArgument, refuse, textArgument } from '../rules/values.ts';
import { linkSchema } from '../schemas/documents.ts';
import { defineDocument, defineTaskAction, may } from './action.ts';
import {
  deliveryArgument,
  engagementArgument,
  milestoneArgument,
  sameMarketArgument,
  taskArgument,
} from './arguments.ts';
import { hashAlone } from './evidence.ts';
import { isLast, payMilestone, release, unlock } from './movements.ts';
import { requireTask } from './reads.ts';

/** What a delivery consists of. */
export const deliveryArguments = {
  note: textArgument.max(16_000, 'is too long').optional().describe('words to the poster'),
  links: z
    .array(linkSchema, { error: 'must be a list' })
    .max(20, 'are at most 20')
    .default([])
    .describe('where the work is found, such as https://work.example/12'),
  artifacts: artifactsArgument,
};

type DeliveryArguments = z.output<z.ZodObject<typeof deliveryArguments>>;

function isEmpty({ note, links, artifacts }: DeliveryArguments): boolean {
  return note === undefined && links.length === 0 && artifacts.length === 0;
}

/** The document of a delivery of the task's current milestone. */
function buildDelivery(task: Task, { note = '', links, artifacts }: DeliveryArguments) {
  return buildDocument('svc-delivery-v1', {
    taskId: formatTaskId(task),
    milestone: task.milestone,
    note,
    ...(links.length > 0 && { links }),
    artifacts,
  });
}

const emptyDelivery = 'note: give it, links or artifacts: an empty delivery proves nothing';

export const prepareReceipt = defineDocument({
  name: 'prepare-receipt',
  title: 'Build a work receipt',
  summary: 'build the document of a delivery without sending it; submit-proof takes its hash',
  input: z.strictObject({ market: sameMarketArgument, taskId: taskArgument, ...deliveryArguments }),
  example: { taskId: 'v2:standard:12', file: 'manual-en.zip', note: 'All 20 pages.' },
  build: async ({ taskId, ...delivery }, { reads }) => {
    const task = await requireTask(reads, taskId);
    if (task.worker === null) refuse('prepare-receipt', 'taskId: nobody works on this task');
    if (isEmpty(delivery)) refuse('prepare-receipt', emptyDelivery);
    const { document, hash, uri } = buildDelivery(task, delivery);
    return { receipt: document, proofHash: hash, uri };
  },
});

export const submitProof = defineTaskAction({
  name: 'submit-proof',
  title: 'Deliver',
  summary: 'deliver the current milestone: a note, links and files, as a document whose hash goes on chain',
  effect:
    'The document of your delivery is written on chain, public for ever (for a private task only its hash), and the ' +
    'poster’s review time begins.',
  by: ['worker'],
  windows: {
    ACTIVE: ({ deadline }) => [may('worker', null, deadline + protocolConstants.deliveryGraceSeconds)],
    DELIVERED: () => [may('worker')],
  },
  risk: () => 'The poster may dispute within the review time; answer in time, or you lose the milestone.',
  undo: 'You may deliver again until the poster decides; the newest proof counts. You may also leave the task.',
  becomes: () => 'DELIVERED',
  next: 'The poster accepts or disputes within the review time; silence pays you.',
  calls: ['TaskRegistry.submitProof'],
  forms: () => [{ note: '<words to the poster>', file: '<path of a file>' }],
  input: {
    milestone: milestoneArgument
      .optional()
      .describe('index of the milestone, from 0; the current one if left out'),
    ...deliveryArguments,
    proofHash: hashArgument
      .optional()
      .describe('of a document that is elsewhere, instead of note, links and artifacts'),
    uri: textArgument
      .max(maxDocumentUriBytes, 'is too long')
      .optional()
      .describe('where the document is; by default it is written on chain'),
  },
  example: { note: 'All 20 pages.', file: 'manual-en.zip' },
  build: async ({ taskId: { number }, milestone, proofHash, uri, ...delivery }, { task, contracts }) => {
    const name = 'submit-proof';
    if (proofHash === undefined && isEmpty(delivery)) refuse(name, emptyDelivery);
    if (proofHash !== undefined && !isEmpty(delivery))
      refuse(name, 'proofHash: give it, or note, links and artifacts');
    const chosen = milestone ?? task.milestone;
    const built = proofHash === undefined ? buildDelivery({ ...task, milestone: chosen }, delivery) : null;
    if (built !== null && uri !== undefined && readFileHash(uri) !== sha256(built.bytes).slice(2))
      refuse(name, 'uri: must be /v1/files/ and the sha-256 of this document; put other links into links');
    const hash = built?.hash ?? (proofHash as Hex);
    const place = uri ?? placeOf(task, built);
    return {
      encoded: encodeCall(contracts, 'TaskRegistry', 'submitProof', [number, chosen, hash, place]),
      ...(built !== null && place === '' && { warnings: [privateWarning] }),
      result: { proofHash: hash, ...(built !== null && { document: built.document }) },
    };
  },
});

const privateWarning = `${hashAlone} Send the document to the poster as a message: without it nobody can judge the delivery.`;

/** The words of a private task stay between its parties. */
function placeOf(task: Task, built: BuiltDocument | null): string {
  if (built === null || task.scope === 'private') return '';
  if (built.uri !== null) return built.uri;
  const [bytes, limit] = [built.bytes.length, maxInlineBytes].map(String) as [string, string];
  throw new SvcError('DOCUMENT_TOO_LARGE', { bytes, limit });
}

export const acceptMilestone = defineTaskAction({
  name: 'accept-milestone',
  title: 'Accept the milestone',
  summary: 'pay the delivered milestone; the last one completes the task',
  effect: 'The milestone is paid to the worker at once. After the last one, the task is completed.',
  by: ['poster'],
  windows: { DELIVERED: () => [may('poster')] },
  moves: payMilestone,
  becomes: ({ task }) => (task === undefined ? null : isLast(task) ? 'COMPLETED' : 'ACTIVE'),
  next: 'The worker goes on with the next milestone; after the last one the task is over.',
  risk: () => 'Pays the delivered milestone to the worker; the payment is final.',
  calls: ['TaskRegistry.acceptMilestone'],
  seen: ({ milestone, updatedAt }) => ({ milestone: String(milestone), deliveredAt: String(updatedAt) }),
  input: {
    milestone: milestoneArgument.optional(),
    deliveredAt: deliveryArgument,
  },
  example: { milestone: '0' },
  build: async ({ taskId: { number }, milestone, deliveredAt }, { task, contracts }) => {
    const chosen = milestone ?? task.milestone;
    const call = [number, chosen, BigInt(deliveredAt ?? task.updatedAt)] as const;
    return { encoded: encodeCall(contracts, 'TaskRegistry', 'acceptMilestone', call) };
  },
});

export const completeTask = defineTaskAction({
  name: 'complete-task',
  title: 'Pay everything and complete',
  summary: 'pay everything that is held to the worker and end the task, delivered or not',
  effect: 'All that escrow still holds goes to the worker, and the task ends.',
  by: ['poster'],
  windows: {
    ACTIVE: () => [may('poster')],
    // The contracts take it for the last delivery, too. Accepting that pays the same, so only one of them is offered.
    DELIVERED: (task) => (isLast(task) ? [] : [may('poster')]),
  },
  moves: ({ task, figures }) =>
    task === undefined
      ? []
      : [...release(task, lockedAmount(task)), ...unlock(figures, task.poster, task.worker)],
  becomes: () => 'COMPLETED',
  next: 'The task is over.',
  risk: () => 'Pays everything in escrow to the worker, also what is not delivered yet.',
  calls: ['TaskRegistry.completeTask'],
  seen: (task) => ({ settlementDigest: digestOf(task) }),
  input: { settlementDigest: engagementArgument },
  build: async ({ taskId: { number }, settlementDigest }, { task, contracts }) => {
    const call = [number, settlementDigest ?? digestOf(task)] as const;
    return { encoded: encodeCall(contracts, 'TaskRegistry', 'completeTask', call) };
  },
});
