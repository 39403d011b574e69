// How a document is shown beside the event that names it: its content, and whether it can be relied on.
import type { Hex } from 'viem';
import {
  decodeText,
  hashDocument,
  maxDocumentBytes,
  maxDocumentUriBytes,
  parseCanonical,
  parseTaskTexts,
  readFileHash,
  readInlineUri,
  type TaskTexts,
} from '../domain/document.ts';
import type { Binding, DocumentState } from '../domain/documentNames.ts';
import { hashCriteria } from '../domain/terms.ts';
import { type Artifact, type DocumentName, type DocumentOf, documentSchemas } from '../schemas/documents.ts';

/** What the event on chain says; a document that says otherwise is a mismatch. */
export type Expected =
  | { readonly schema: 'svc-task-v1' }
  | { readonly schema: 'svc-delivery-v1'; readonly taskId: string; readonly milestone: number }
  | { readonly schema: 'svc-evidence-v1'; readonly taskId: string }
  | { readonly schema: 'svc-ruling-v1'; readonly taskId: string; readonly workerBps: number };

export type DocumentReference<Of extends Expected = Expected> = {
  /** The hash on chain. */
  readonly hash: string;
  readonly uri: string;
  readonly expected: Of;
};

export type DocumentView<Name extends DocumentName = DocumentName> = {
  /** Also on a mismatch, if it can be read: the reader sees what was claimed, and that it does not count. */
  readonly document: DocumentOf<Name> | null;
  readonly documentState: DocumentState;
  /** The bytes as plain text, where they are no valid document. */
  readonly text?: string;
};

/** What a proof on chain says about its document. */
export function deliveryReference(
  taskId: string,
  proof: { readonly milestone: number; readonly proofHash: string; readonly uri: string },
) {
  const { milestone, proofHash: hash, uri } = proof;
  return { hash, uri, expected: { schema: 'svc-delivery-v1', taskId, milestone } as const };
}

/** What filed evidence says about its document. A uri that is too long for a record is null. */
export function evidenceReference(
  taskId: string,
  evidence: { readonly evidenceHash: string; readonly uri: string | null },
) {
  const { evidenceHash: hash, uri } = evidence;
  return { hash, uri: uri ?? '', expected: { schema: 'svc-evidence-v1', taskId } as const };
}

/** What a ruling says about the document with its reasons. */
export function rulingReference(
  taskId: string,
  ruling: { readonly workerBps: number; readonly reasonHash: string; readonly uri: string | null },
) {
  const { workerBps, reasonHash: hash, uri } = ruling;
  return { hash, uri: uri ?? '', expected: { schema: 'svc-ruling-v1', taskId, workerBps } as const };
}

/** Bytes that a store or a message holds; `withheld` where the operator does not show them. */
export type FoundBytes = Uint8Array | 'withheld' | null;

/** Looks up bytes by their sha-256, 64 hexadecimal digits. Servers never fetch them from another host. */
export type FileLookup = (sha256: string) => Promise<FoundBytes>;

/** `found` are bytes from elsewhere than the uri: a file store, a message, a file of the reader. Never throws. */
export function viewDocument<Of extends Expected>(
  { hash, uri, expected }: DocumentReference<Of>,
  found: FoundBytes = null,
): DocumentView<Of['schema']> {
  if (found === 'withheld') return { document: null, documentState: 'withheld' };
  const bytes = found ?? readInlineUri(uri)?.bytes;
  return bytes === undefined ? describePlace(uri) : judge(bytes, hash as Hex, expected);
}

/** Asks the store only for documents that a gateway keeps. */
export async function loadDocumentView<Of extends Expected>(
  reference: DocumentReference<Of>,
  lookup?: FileLookup,
): Promise<DocumentView<Of['schema']>> {
  const sha256 = readFileHash(reference.uri);
  const found = sha256 === null || lookup === undefined ? null : await lookup(sha256);
  return viewDocument(reference, found);
}

function describePlace(uri: string): { document: null; documentState: DocumentState; text?: string } {
  if (uri === '' || readFileHash(uri) !== null) return { document: null, documentState: 'unavailable' };
  if (uri.length > maxDocumentUriBytes || /^data:/i.test(uri))
    return { document: null, documentState: 'malformed' };
  if (/^[a-z][a-z0-9+.-]*:/i.test(uri)) return { document: null, documentState: 'foreign' };
  // Words in the place of a link.
  return { document: null, documentState: 'malformed', text: uri };
}

function judge<Of extends Expected>(bytes: Uint8Array, hash: Hex, expected: Of): DocumentView<Of['schema']> {
  // Not even hashed: an unknown sender chooses the size.
  if (bytes.length > maxDocumentBytes) return { document: null, documentState: 'malformed' };
  const isSame = hashDocument(bytes) === hash.toLowerCase();
  const document = readDocument<Of['schema']>(bytes, expected.schema);
  if (document === null) {
    const text = decodeText(bytes);
    const documentState = isSame ? 'malformed' : 'mismatch';
    return { document, documentState, ...(text !== null && { text }) };
  }
  return { document, documentState: isSame && agrees(document, expected) ? 'verified' : 'mismatch' };
}

/** Null unless the bytes are the canonical form of a document of this kind. */
export function readDocument<Name extends DocumentName>(
  bytes: Uint8Array,
  schema: Name,
): DocumentOf<Name> | null {
  const value = parseCanonical(bytes);
  // Shown as received: the output of zod is a copy, and the hash covers the original.
  return value !== null && documentSchemas[schema].safeParse(value).success
    ? (value as DocumentOf<Name>)
    : null;
}

export type TaskWords = TaskTexts & { readonly artifacts?: readonly Artifact[]; readonly bound: Binding };

/** The words of a task from its uri, or from bytes found elsewhere; null without any. */
export function readTaskWords(
  uri: string,
  criteriaHash: string,
  found: Uint8Array | null = null,
): TaskWords | null {
  const bytes = found ?? readInlineUri(uri)?.bytes;
  const texts = bytes === undefined ? null : parseTaskTexts(bytes);
  if (bytes === undefined || texts === null) return null;
  // First, since it is the shorter hash, and a document that contains the criteria cannot have the same one.
  if (hashCriteria(texts.criteria) === criteriaHash.toLowerCase()) return { ...texts, bound: 'criteria' };
  const reference = { hash: criteriaHash, uri, expected: { schema: 'svc-task-v1' } } as const;
  const { document, documentState } = viewDocument(reference, bytes);
  if (document !== null && documentState === 'verified')
    return { ...texts, ...(document.artifacts && { artifacts: document.artifacts }), bound: 'document' };
  return { ...texts, bound: 'none' };
}

function agrees(document: object, { schema: _, ...expected }: Expected): boolean {
  const named: Partial<Record<string, unknown>> = { ...document };
  return Object.entries(expected).every(([field, value]) => named[field] === value);
}
