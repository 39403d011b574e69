// What the judge of a private dispute must see: the documents of the task and the keys of its files, from the messages of a
// party. An escalation brings another judge, who has none of them until a party sends them again.
import type { Hex } from 'viem';
import { type Address, isSameAddress } from '../domain/address.ts';
import { hashCanonical, toCanonical } from '../domain/canonical.ts';
import { type Artifact, type WorkDocument, workDocumentSchema } from '../schemas/documents.ts';
import { fileKeysSchema, type Payload } from '../schemas/envelope.ts';
import { isParty, maxWireBytes } from './envelope.ts';
import type { Transcript } from './transcript.ts';

/** Keys of sealed files, by the SHA-256 of the sealed bytes. */
export type FileKeys = Readonly<Record<string, string>>;

/** Documents by their hash, and keys: of messages, or of a machine that made them. */
export type Papers = { readonly documents: ReadonlyMap<string, WorkDocument>; readonly keys: FileKeys };

/** The fields of a task in the API that name its documents, its parties and its judge. */
export type DisputedTask = {
  readonly id: string;
  readonly scope: string;
  readonly poster: Address;
  readonly worker?: Address | null | undefined;
  readonly criteriaHash: Hex;
  readonly deliveries: readonly { readonly proofHash: Hex }[];
  readonly dispute: {
    readonly judge: Address | null;
    readonly evidence: readonly { readonly evidenceHash: Hex }[];
    readonly ruling?: { readonly reasonHash: Hex } | null | undefined;
  } | null;
};

/** A message that hands over documents of a private task. */
export type Disclosure = {
  readonly to: Address;
  readonly taskId: string;
  readonly type: 'DisputeEvidence' | 'DeliveryNotice' | 'Note';
  /** Without `to`, which the first message of a conversation also needs. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly documents: number;
  readonly keys: number;
  /** Documents that the chain names and this wallet does not have, by their hash. */
  readonly unknown: readonly string[];
};

export type JudgeDisclosure = Disclosure & {
  readonly type: 'DisputeEvidence';
  readonly payload: Payload<'DisputeEvidence'>;
};

type Mail = Pick<Transcript, 'entries' | 'aside' | 'parties'>;

/** Every document in these conversations, by its hash. Whether it counts, the hash on chain decides. */
export function collectDocuments(transcripts: readonly Mail[]): ReadonlyMap<string, WorkDocument> {
  const documents = payloadsOf(transcripts).flatMap(({ document, documents: several }) => [
    document,
    ...(Array.isArray(several) ? several : []),
  ]);
  return new Map(
    documents.flatMap((document) => {
      const { success, data } = workDocumentSchema.safeParse(document);
      return success ? [[hashCanonical(data), data] as const] : [];
    }),
  );
}

/** Every key in these conversations. A wrong one does no harm: a file counts only with the hash of its document. */
export function collectFileKeys(transcripts: readonly Mail[]): FileKeys {
  return Object.assign({}, ...payloadsOf(transcripts).map(({ keys }) => fileKeysSchema.safeParse(keys).data));
}

/**
 * The conversations with a document that the chain names for the task. Only their keys are passed on: otherwise a party that
 * lists a file of somebody else gets the key that its owner sent in confidence.
 */
export function listAbout<One extends Mail>(task: DisputedTask, transcripts: readonly One[]): readonly One[] {
  const hashes = listHashes(task);
  return transcripts.filter((one) => {
    const documents = collectDocuments([one]);
    return hashes.some((hash) => documents.has(hash));
  });
}

/**
 * The message that a party owes the judge of its private dispute: the words of the task, deliveries and evidence of both
 * sides, and the keys of their files, as far as this wallet knows them and has not sent them to this judge. Null where
 * nothing is missing: the task is open, nobody may rule, or the wallet is no party.
 */
export function buildJudgeDisclosure(
  task: DisputedTask,
  own: Address,
  transcripts: readonly Mail[],
): JudgeDisclosure | null {
  const { dispute, scope } = task;
  if (dispute?.judge == null || scope !== 'private') return null;
  const { judge } = dispute;
  if (!isPartyOf(task, own) || isSameAddress(judge, own)) return null;
  const about = listAbout(task, transcripts);
  const papers = { documents: collectDocuments(about), keys: collectFileKeys(about) };
  return buildDisclosure(task, { own, to: judge }, transcripts, papers) as JudgeDisclosure | null;
}

/**
 * The next message with documents of a private task that `to` lacks, of those in `papers`: what the chain names, with the keys
 * of its files, and has not gone between the two. Null where nothing is missing.
 */
export function buildDisclosure(
  task: DisputedTask,
  { own, to }: { readonly own: Address; readonly to: Address },
  transcripts: readonly Mail[],
  papers: Papers,
): Disclosure | null {
  const sent = transcripts.filter(({ parties }) => isParty(parties, to) && isParty(parties, own));
  const [sentDocuments, sentKeys] = [collectDocuments(sent), collectFileKeys(sent)];
  // The judge sends its ruling to both; a party cannot know that the other has it.
  const hashes = listHashes(isPartyOf(task, own) ? withoutRuling(task) : task);
  const missing = hashes.flatMap((hash): Disclosed[] => {
    const document = papers.documents.get(hash);
    if (document === undefined) return [];
    const keys = pickKeys(document, papers.keys);
    const isComplete = sentDocuments.has(hash) && Object.keys(keys).every((sealed) => sealed in sentKeys);
    return isComplete ? [] : [{ hash, document, keys }];
  });
  const fitting = takeFitting(missing);
  const [first] = fitting;
  if (first === undefined) return null;
  const unknown = hashes.filter((hash) => !papers.documents.has(hash));
  const shared = { to, taskId: task.id, unknown };
  const { document, hash, keys: ownKeys } = first;
  const isWorker = task.worker != null && isSameAddress(task.worker, own);
  if (document.schema === 'svc-delivery-v1' && isWorker && isPartyOf(task, to)) {
    const payload = { milestone: document.milestone, proofHash: hash, document, keys: ownKeys };
    return { ...shared, type: 'DeliveryNotice', payload, documents: 1, keys: Object.keys(ownKeys).length };
  }
  const keys: FileKeys = Object.assign({}, ...fitting.map((one) => one.keys));
  const counts = { documents: fitting.length, keys: Object.keys(keys).length };
  const documents = fitting.map((one) => one.document);
  if (!isPartyOf(task, own)) {
    const payload = { text: 'The documents of the ruling.', about: task.id, documents, keys };
    return { ...shared, ...counts, type: 'Note', payload };
  }
  const evidence = fitting.filter((one) => one.document.schema === 'svc-evidence-v1');
  const payload: Payload<'DisputeEvidence'> = {
    claim: 'other',
    evidenceHashes: evidence.map((one) => one.hash),
    documents,
    keys,
  };
  return { ...shared, ...counts, type: 'DisputeEvidence', payload };
}

function isPartyOf({ poster, worker }: DisputedTask, wallet: Address): boolean {
  return [poster, worker].some((party) => party != null && isSameAddress(party, wallet));
}

function withoutRuling({ dispute, ...task }: DisputedTask): DisputedTask {
  return { ...task, dispute: dispute && { ...dispute, ruling: null } };
}

type Disclosed = { readonly hash: Hex; readonly document: WorkDocument; readonly keys: FileKeys };

/** Leaves room for the fields of the envelope. */
const maxDisclosedBytes = maxWireBytes - 16 * 1_024;

/** As many as one message holds, at least one; the rest is the next message. */
function takeFitting(missing: readonly Disclosed[]): readonly Disclosed[] {
  let bytes = 0;
  const end = missing.findIndex((one, at) => {
    bytes += new TextEncoder().encode(toCanonical(one)).length;
    return at > 0 && bytes > maxDisclosedBytes;
  });
  return end === -1 ? missing : missing.slice(0, end);
}

/** As the chain has them: what a party wrote and never filed is no part of the dispute. */
function listHashes({ criteriaHash, deliveries, dispute }: DisputedTask): readonly Hex[] {
  const proofs = deliveries.map(({ proofHash }) => proofHash);
  const evidence = dispute?.evidence.map(({ evidenceHash }) => evidenceHash) ?? [];
  const ruling = dispute?.ruling == null ? [] : [dispute.ruling.reasonHash];
  return [
    ...new Set([criteriaHash, ...proofs, ...evidence, ...ruling].map((hash) => hash.toLowerCase() as Hex)),
  ];
}

/** Those of the files that the document lists. */
export function pickKeys(document: WorkDocument, keys: FileKeys): FileKeys {
  return Object.fromEntries(
    artifactsOf(document).flatMap(({ sealed }) => {
      const key = sealed && keys[sealed.sha256];
      return sealed === undefined || key === undefined ? [] : [[sealed.sha256, key] as const];
    }),
  );
}

export function artifactsOf(document: WorkDocument): readonly Artifact[] {
  return document.schema === 'svc-ruling-v1' ? [] : (document.artifacts ?? []);
}

function payloadsOf(transcripts: readonly Mail[]): readonly Record<string, unknown>[] {
  return transcripts
    .flatMap(({ entries, aside }) => [...entries, ...aside])
    .map(({ envelope }) => envelope.payload);
}
