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
  const { id } = task;
  const deliveries = await Promise.all(
    task.deliveries.map((one) => fill(one, deliveryReference(id, one), lookup)),
  );
  const dispute = task.dispute && {
    ...task.dispute,
    evidence: await Promise.all(
      task.dispute.evidence.map((one) => fill(one, evidenceReference(id, one), lookup)),
    ),
    ruling:
      task.dispute.ruling &&
      (await fill(task.dispute.ruling, rulingReference(id, task.dispute.ruling), lookup)),
  };
  return { ...task, dispute, deliveries };
}

/** With the document from the store where the chain alone does not show it. */
async function fill<Shown extends { readonly documentState?: unknown }>(
  shown: Shown,
  reference: DocumentReference,
  lookup: FileLookup,
): Promise<Shown> {
  if (shown.documentState !== 'unavailable') return shown;
  return { ...shown, ...(await loadDocumentView(reference, lookup)) };
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
