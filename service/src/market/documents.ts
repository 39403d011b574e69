// Documents that a gateway keeps as files. Rows show what the chain alone shows; this adds what the file store has.
import type { TaskDetail } from '@svc/sdk/actions';
import {
  type DocumentReference,
  type DocumentView,
  deliveryReference,
  evidenceReference,
  type FileLookup,
  rulingReference,
} from '@svc/sdk/documents';
import { formatTaskId, type TaskId } from '@svc/sdk/domain';
import { addWords } from '@svc/sdk/internal/actions/taskRecord';
import { loadDocumentView, readTaskWords } from '@svc/sdk/internal/documents/viewDocument';
import { readFileHash } from '@svc/sdk/internal/domain/document';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';

/** The detail of a task with the documents that are in the store. */
export async function fillDocuments(detail: TaskDetail, lookup?: FileLookup): Promise<TaskDetail> {
  if (lookup === undefined) return detail;
  const task = await fillWords(detail, lookup);
  const deliveries = await Promise.all(
    task.deliveries.map(async (one) =>
      one.documentState === 'unavailable'
        ? { ...one, ...(await loadDocumentView(deliveryReference(task.id, one), lookup)) }
        : one,
    ),
  );
  const dispute = task.dispute && (await fillDispute(task.id, task.dispute, lookup));
  return { ...task, dispute, deliveries };
}

type Dispute = NonNullable<TaskDetail['dispute']>;

async function fillDispute(taskId: string, dispute: Dispute, lookup: FileLookup): Promise<Dispute> {
  const evidence = await Promise.all(
    dispute.evidence.map(async (one) =>
      one.documentState === 'unavailable'
        ? { ...one, ...(await loadDocumentView(evidenceReference(taskId, one), lookup)) }
        : one,
    ),
  );
  const { ruling } = dispute;
  const isMissing = ruling?.documentState === 'unavailable';
  const found = isMissing && (await loadDocumentView(rulingReference(taskId, ruling), lookup));
  return { ...dispute, evidence, ruling: ruling && { ...ruling, ...(found || {}) } };
}

async function fillWords(task: TaskDetail, lookup: FileLookup): Promise<TaskDetail> {
  const sha256 = task.uri === null ? null : readFileHash(task.uri);
  const found = sha256 === null ? null : await lookup(sha256);
  if (task.uri === null || found === null || found === 'withheld') return task;
  return addWords(task, readTaskWords(task.uri, task.criteriaHash, found)) as TaskDetail;
}

/** The document that an event names, if it names one. */
export async function viewEventDocument(
  event: ChainEvent,
  lookup?: FileLookup,
): Promise<DocumentView | undefined> {
  const refer = references[event.name];
  if (refer === undefined || event.taskNumber === null) return undefined;
  const taskId = formatTaskId({ market: event.market, number: event.taskNumber });
  return loadDocumentView(refer(taskId, event.args), lookup);
}

type Refer = (taskId: TaskId, args: ChainEvent['args']) => DocumentReference;

const references: Readonly<Record<string, Refer>> = {
  ProofSubmitted: (taskId, { milestone, proofHash, uri }) =>
    deliveryReference(taskId, {
      milestone: Number(milestone),
      proofHash: String(proofHash),
      uri: String(uri),
    }),
  DisputeOpened: referToEvidence,
  DisputeAnswered: referToEvidence,
  EvidenceSubmitted: referToEvidence,
  DisputeResolved: (taskId, { workerBps, reasonHash, reasonUri }) =>
    rulingReference(taskId, {
      workerBps: Number(workerBps),
      reasonHash: String(reasonHash),
      uri: String(reasonUri),
    }),
};

function referToEvidence(taskId: TaskId, { evidenceHash, uri }: ChainEvent['args']): DocumentReference {
  return evidenceReference(taskId, { evidenceHash: String(evidenceHash), uri: String(uri) });
}
