// The documents and files of a private task, from the messages of a wallet: only hashes of them are on chain. And what a party
// still has to send to the judge.
import {
  artifactSchema,
  deliveryReference,
  evidenceReference,
  rulingReference,
  viewDocument,
  type WorkDocument,
  workDocumentSchema,
} from '@svc/sdk/documents';
import { type Address, isSameAddress, markets } from '@svc/sdk/domain';
import { toCanonical } from '@svc/sdk/internal/domain/canonical';
import { artifactsOf, type FileKeys, type Papers } from '@svc/sdk/internal/negotiation/judgeDisclosure';
import { documentStateSchema } from '@svc/sdk/internal/schemas/documents';
import { addressSchema, hashSchema, taskIdSchema } from '@svc/sdk/internal/schemas/primitives';
import { buildJudgeDisclosure, type Transcript } from '@svc/sdk/negotiation';
import * as z from 'zod';
import { shorten, takeFitting } from './shorten.ts';
import { leftOutSchema } from './showConversation.ts';
import type { MarketReads } from './tool.ts';

const fileSchema = artifactSchema.pick({ name: true, bytes: true, sha256: true }).extend({
  read: z
    .object({ taskId: taskIdSchema, name: z.string() })
    .nullable()
    .describe('Arguments of svc_read_file; null where nobody has sent the key of a sealed file.'),
});

const workSchema = z.object({
  kind: z.enum(['task', 'delivery', 'evidence', 'ruling']),
  by: z.string(),
  hash: hashSchema.describe('On chain.'),
  documentState: documentStateSchema,
  untrusted: z.object({ document: workDocumentSchema }).nullable(),
  files: z.array(fileSchema),
});

/** Its files stand beside the document only. */
export const shownWorkSchema = workSchema.extend({
  untrusted: z.object({ document: z.record(z.string(), z.unknown()) }).nullable(),
  leftOut: leftOutSchema,
});

export const owedSchema = z.object({
  taskId: taskIdSchema,
  judge: addressSchema,
  documents: z.int(),
  keys: z.int(),
});

export type Owed = z.input<typeof owedSchema>;

type TaskDetail = Awaited<ReturnType<MarketReads['task']>>['task'];
type Reference = Parameters<typeof viewDocument>[0];
export type Work = z.input<typeof workSchema>;

/** The documents that the chain names. */
export function listReferences({ id, criteriaHash, uri, deliveries, dispute }: TaskDetail) {
  return {
    task: { hash: criteriaHash, uri: uri ?? '', expected: { schema: 'svc-task-v1' } as const },
    deliveries: deliveries.map((one) => deliveryReference(id, one)),
    evidence: (dispute?.evidence ?? []).map((one) => evidenceReference(id, one)),
    ruling: dispute?.ruling ? rulingReference(id, dispute.ruling) : undefined,
  };
}

/** A document counts only with its hash and its task. */
export function viewPaper(reference: Reference, documents: Papers['documents']) {
  const found = documents.get(reference.hash.toLowerCase());
  return viewDocument(reference, found === undefined ? null : new TextEncoder().encode(toCanonical(found)));
}

/** Every document that the chain names, oldest kind first. */
export function listWork(task: TaskDetail, { documents, keys }: Papers): Work[] {
  const show = (kind: Work['kind'], by: string, reference: Reference): Work => {
    const { document, documentState } = viewPaper(reference, documents);
    return {
      kind,
      by,
      hash: reference.hash,
      documentState,
      untrusted: document && { document },
      files: document === null ? [] : listFiles(task.id, document, keys),
    };
  };
  const { dispute } = task;
  const references = listReferences(task);
  return [
    show('task', task.poster, references.task),
    ...references.deliveries.map((one) => show('delivery', task.worker ?? '', one)),
    ...references.evidence.map((one, at) => show('evidence', dispute?.evidence[at]?.by ?? '', one)),
    ...(dispute?.ruling && references.ruling ? [show('ruling', dispute.ruling.by, references.ruling)] : []),
  ];
}

/** Weights: of one document, of the files of one, and of all work. */
const maxDocumentWeight = 2_500;
const maxFilesWeight = 2_500;
const maxWorkWeight = 6_500;

/** The newest work that fits, in its order. */
export function showWork(taskId: string, work: readonly Work[]): z.input<typeof shownWorkSchema>[] {
  const all = work.map(({ untrusted, files, ...facts }) => {
    const { artifacts: _, ...words } = (untrusted?.document ?? {}) as Record<string, unknown>;
    const { shown, leftOut } = shorten(words, maxDocumentWeight);
    const list = takeFitting(files, maxFilesWeight);
    const characters = leftOut + JSON.stringify(files.slice(list.length)).length - '[]'.length;
    return {
      ...facts,
      untrusted: untrusted && { document: shown },
      files: list,
      ...(characters > 0 && { leftOut: { characters, message: facts.hash, taskId } }),
    };
  });
  return takeFitting(all.reverse(), maxWorkWeight).reverse();
}

function listFiles(taskId: string, document: WorkDocument, keys: FileKeys): Work['files'] {
  return artifactsOf(document).map(({ name, bytes, sha256, sealed }) => {
    const isOpen = sealed === undefined || keys[sealed.sha256] !== undefined;
    return { name, bytes, sha256, read: isOpen ? { taskId, name } : null };
  });
}

/** Each of them is one question to the site. */
const maxTasks = 5;

/** Private disputes of a wallet whose judge lacks something. */
export async function findOwed(
  market: Pick<MarketReads, 'concerns' | 'task'>,
  own: Address,
  readMail: (partners: readonly Address[]) => Promise<readonly Transcript[]>,
): Promise<Owed[]> {
  const lists = await Promise.all(markets.map((one) => market.concerns(own, { market: one, limit: 50 })));
  const disputes = lists
    .flatMap(({ concerns }) => concerns)
    .filter(({ state, title }) => state === 'DISPUTED' && title === null);
  const owed: Owed[] = [];
  for (const { taskId } of disputes.slice(0, maxTasks)) {
    const { task } = await market.task(taskId);
    if (task.dispute?.judge == null) continue;
    const partners = [task.poster, task.worker, task.dispute.judge].filter((one) => one != null);
    const others = partners.filter((one) => !isSameAddress(one, own));
    const message = buildJudgeDisclosure(task, own, await readMail(others));
    if (message !== null)
      owed.push({ taskId, judge: message.to, documents: message.documents, keys: message.keys });
  }
  return owed;
}
