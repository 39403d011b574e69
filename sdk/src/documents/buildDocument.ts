// Building documents: checked, canonical, hashed, and inline in a uri where they fit.
import type { Hex } from 'viem';
import type { z } from 'zod';
import { toCanonical } from '../domain/canonical.ts';
import { buildInlineUri, hashDocument, maxDocumentBytes, maxInlineBytes } from '../domain/document.ts';
import { SvcError } from '../domain/errors.ts';
import { type DocumentName, type DocumentOf, documentSchemas } from '../schemas/documents.ts';

export type BuiltDocument<Name extends DocumentName = DocumentName> = {
  readonly document: DocumentOf<Name>;
  /** What is hashed, stored and sent: no byte may change. */
  readonly bytes: Uint8Array;
  readonly hash: Hex;
  /** Null where it is too large to be written on chain; then it belongs in a file store. */
  readonly uri: string | null;
};

export type DocumentFields<Name extends DocumentName> = Omit<
  z.input<(typeof documentSchemas)[Name]>,
  'schema'
>;

/** Throws DOCUMENT_INVALID or DOCUMENT_TOO_LARGE. Fields that are undefined are left out. */
export function buildDocument<Name extends DocumentName>(
  schema: Name,
  fields: DocumentFields<Name>,
): BuiltDocument<Name> {
  const parsed = documentSchemas[schema].safeParse({ schema, ...fields });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new SvcError('DOCUMENT_INVALID', { reason: `${issue?.path.join('.')}: ${issue?.message}` });
  }
  const document = parsed.data as DocumentOf<Name>;
  const bytes = new TextEncoder().encode(toText(document));
  if (bytes.length > maxDocumentBytes) throw tooLarge(bytes.length, maxDocumentBytes);
  const uri = bytes.length > maxInlineBytes ? null : buildInlineUri(bytes);
  return { document, bytes, hash: hashDocument(bytes), uri };
}

/** A document that must fit inline, since there is no other place for it. */
export function buildInlineDocument<Name extends DocumentName>(
  schema: Name,
  fields: DocumentFields<Name>,
): BuiltDocument<Name> & { readonly uri: string } {
  const built = buildDocument(schema, fields);
  if (built.uri === null) throw tooLarge(built.bytes.length, maxInlineBytes);
  return { ...built, uri: built.uri };
}

type TaskWords = Omit<DocumentFields<'svc-task-v1'>, 'milestones' | 'tags'> & {
  readonly milestones?: readonly string[];
  readonly tags: readonly string[];
};

/** The words of an open task, which are written on chain. Give one text for each milestone, or none for a single one. */
export function buildTaskDocument({ milestones = [], tags, ...words }: TaskWords) {
  return buildInlineDocument('svc-task-v1', { ...words, milestones: [...milestones], tags: [...tags] });
}

/** The name of evidence, which ERC-1497 asks for: its first line. */
export function nameEvidence(words: string): string {
  const line = words.trim().split('\n')[0] ?? '';
  return line.length > 80 ? `${Array.from(line).slice(0, 79).join('')}…` : line;
}

function toText(document: object): string {
  try {
    return toCanonical(document);
  } catch {
    throw new SvcError('DOCUMENT_INVALID', { reason: 'a text ends in the middle of a character' });
  }
}

function tooLarge(bytes: number, limit: number): SvcError {
  return new SvcError('DOCUMENT_TOO_LARGE', { bytes: String(bytes), limit: String(limit) });
}
