// The papers of a private task: its words, deliveries, evidence and ruling. Only their hashes are on chain, so each side gets
// them in messages; those that this machine made are kept until the other side and the judge have them.

import type { TaskDetail } from '@svc/sdk/actions';
import type { WorkDocument } from '@svc/sdk/documents';
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { hashCanonical } from '@svc/sdk/internal/domain/canonical';
import {
  buildDisclosure,
  collectDocuments,
  collectFileKeys,
  type Disclosure,
  listAbout,
  type Papers,
  pickKeys,
} from '@svc/sdk/internal/negotiation/judgeDisclosure';
import type { Transcript } from '@svc/sdk/negotiation';
import type { PaperFile } from '../wallet/paperFile.ts';
import { listReferences, viewPaper } from './privateWork.ts';

/** The papers of a task that messages and this machine hold. */
export function collectPapers(taskId: string, transcripts: readonly Transcript[], kept: PaperFile): Papers {
  const own = kept.loadDocuments(taskId);
  const keys = kept.loadKeys();
  return {
    documents: new Map([
      ...collectDocuments(transcripts),
      ...own.map((document) => [hashCanonical(document), document] as const),
    ]),
    // Only of files that own documents of this task list: others may list a file of another task to get its key.
    keys: Object.assign(collectFileKeys(transcripts), ...own.map((document) => pickKeys(document, keys))),
  };
}

/** Who must have the papers of this wallet: the other party, and the judge; those of a judge, both parties. */
export function listReaders(task: TaskDetail, own: Address): readonly Address[] {
  const { poster, worker, dispute, scope } = task;
  const judge = dispute?.judge ?? dispute?.ruling?.by ?? null;
  const involved = [poster, worker, judge].flatMap((wallet) => (wallet == null ? [] : [wallet]));
  if (scope !== 'private' || !involved.some((wallet) => isSameAddress(wallet, own))) return [];
  return involved.filter((wallet) => !isSameAddress(wallet, own));
}

/**
 * The next message that this wallet owes somebody about a private task; null where nothing is missing. A judge owes the papers of
 * its ruling: before it, each side has sent its own to the other.
 */
export function findUnsent(
  task: TaskDetail,
  own: Address,
  transcripts: readonly Transcript[],
  kept: PaperFile,
): Disclosure | null {
  const isParty = [task.poster, task.worker].some((party) => party != null && isSameAddress(party, own));
  if (!isParty && task.dispute?.ruling == null) return null;
  const papers = collectPapers(task.id, listAbout(task, transcripts), kept);
  for (const to of listReaders(task, own)) {
    const owed = buildDisclosure(task, { own, to }, transcripts, papers);
    if (owed !== null) return owed;
  }
  return null;
}

/** The task with its private words, as one whose words are public. A document counts only with the hash on chain. */
export function fillWords(task: TaskDetail, { documents, keys }: Papers): TaskDetail {
  const references = listReferences(task);
  const fill = <Shown extends { readonly documentState: string }>(
    shown: Shown,
    reference: Parameters<typeof viewPaper>[0] | undefined,
  ): Shown => {
    if (shown.documentState === 'verified' || reference === undefined) return shown;
    const { document, documentState } = viewPaper(reference, documents);
    return document === null ? shown : { ...shown, document: withKeys(document, keys), documentState };
  };
  const { document } = viewPaper(references.task, documents);
  const words = document?.schema === 'svc-task-v1' ? document : null;
  const { dispute } = task;
  return {
    ...task,
    ...(words && {
      title: words.title,
      description: words.description,
      criteria: words.criteria,
      tags: [...(words.tags ?? [])],
      artifacts: withKeys(words, keys).artifacts,
      // Found by the hash that both signed.
      criteriaMatches: true,
      bound: 'document' as const,
      milestones: task.milestones.map((milestone, at) => ({
        ...milestone,
        ...(words.milestones?.[at] !== undefined && { description: words.milestones[at] }),
      })),
    }),
    deliveries: task.deliveries.map((one, at) => fill(one, references.deliveries[at])),
    dispute: dispute && {
      ...dispute,
      evidence: dispute.evidence.map((one, at) => fill(one, references.evidence[at])),
      ruling: dispute.ruling && fill(dispute.ruling, references.ruling),
    },
  } as TaskDetail;
}

/** Each sealed file with its key, for svc_read_file. */
function withKeys<Of extends WorkDocument>(document: Of, keys: Papers['keys']): Of {
  if (document.schema === 'svc-ruling-v1' || document.artifacts === undefined) return document;
  const artifacts = document.artifacts.map((artifact) => {
    const key = artifact.sealed && keys[artifact.sealed.sha256];
    return key === undefined ? artifact : { ...artifact, key };
  });
  return { ...document, artifacts };
}

/** Adds the fields that follow from the document of a message, unless they are given. */
export function addHashes(
  type: string | undefined,
  payload: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const document = payload.document as { readonly milestone?: unknown } | null | undefined;
  if (typeof document !== 'object' || document === null) return payload;
  const hash = hashCanonical(document);
  if (type === 'DeliveryNotice') return { milestone: document.milestone, proofHash: hash, ...payload };
  return type === 'DisputeEvidence' ? { claim: 'other', evidenceHashes: [hash], ...payload } : payload;
}

/** For the sender, once it is sent. */
export function describeDisclosure(
  { to, documents, keys, unknown }: Disclosure,
  { poster, worker }: { readonly poster: string; readonly worker?: string | null | undefined },
): string {
  const parties = { poster, worker };
  const isReader = (party: 'poster' | 'worker') => parties[party]?.toLowerCase() === to.toLowerCase();
  const role = (['poster', 'worker'] as const).find(isReader) ?? 'judge';
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
  const sent = `The ${role} got ${count(documents, 'document')} and ${count(keys, 'key')}.`;
  if (unknown.length === 0 || role !== 'judge') return sent;
  return (
    `${sent} ${unknown.length} documents of the dispute are in none of your messages; the other party, who has them, hands ` +
    'them to the judge itself.'
  );
}
