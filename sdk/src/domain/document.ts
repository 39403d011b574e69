// The texts of a task, stored in its `uri` as an inline JSON document.
import { SvcError } from './errors.ts';

export type TaskDocument = {
  readonly title: string;
  readonly description: string;
  readonly criteria: string;
  readonly tags: readonly string[];
};

/** Limit of the whole uri. */
export const maxDocumentUriBytes = 8_192;

export function buildDocumentUri(document: TaskDocument): string {
  const { title, description, criteria, tags } = document;
  if (readDocument({ title, description, criteria, tags }) === null)
    throw new SvcError('DOCUMENT_INVALID', {});
  const bytes = new TextEncoder().encode(JSON.stringify({ title, description, criteria, tags }));
  if (bytes.length > maxDocumentUriBytes) throw tooLarge(bytes.length);
  // Base64 grows every script by the same third; percent signs would triple most of them.
  const uri = `data:application/json;base64,${btoa(String.fromCharCode(...bytes))}`;
  if (uri.length > maxDocumentUriBytes) throw tooLarge(uri.length);
  return uri;
}

/**
 * The document in a uri from an unknown sender, or null without one. Never throws. Besides the form that buildDocumentUri
 * writes, it accepts percent-encoded and plain JSON.
 */
export function parseDocumentUri(uri: string): TaskDocument | null {
  if (uri.length > maxDocumentUriBytes) return null;
  const [, parameters, body] = /^data:application\/json((?:;[^,;]*)*),(.*)$/is.exec(uri) ?? [];
  if (parameters === undefined || body === undefined) return null;
  const isBase64 = /;\s*base64$/i.test(parameters);
  try {
    const json = isBase64 ? decodeBase64(body) : decodeURIComponent(body);
    return readDocument(JSON.parse(json));
  } catch {
    return null;
  }
}

function decodeBase64(body: string): string {
  const binary = atob(body);
  // A plain loop: a mapped copy takes several times as long, and every task of a first sync comes by here.
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Missing texts become empty. A text of another type makes the document invalid. */
function readDocument(value: unknown): TaskDocument | null {
  if (typeof value !== 'object' || value === null) return null;
  const { title, description = '', criteria = '', tags = [] } = value as Record<string, unknown>;
  if (!isText(title) || title.trim() === '' || !isText(description) || !isText(criteria)) return null;
  if (!Array.isArray(tags) || !tags.every(isText)) return null;
  return { title, description, criteria, tags };
}

/** Half a surrogate pair has no UTF-8 form, so such a text has no well-defined hash. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

function tooLarge(bytes: number): SvcError {
  return new SvcError('DOCUMENT_TOO_LARGE', { bytes: String(bytes), limit: String(maxDocumentUriBytes) });
}
