// The bytes of documents: their hash, the inline uri, reading them with bounds, and the texts of a task.
import { type Hex, keccak256 } from 'viem';
import { isTooDeep, toCanonical } from './canonical.ts';

/** Limit of a document that is written on chain inside its uri. */
export const maxInlineBytes = 4_096;
/** Limit of any document. */
export const maxDocumentBytes = 131_072;
/** Limit of a uri that is read. */
export const maxDocumentUriBytes = 8_192;

/** keccak256 of the bytes: the hash that goes on chain. */
export function hashDocument(bytes: Uint8Array): Hex {
  return keccak256(bytes);
}

export function buildInlineUri(bytes: Uint8Array): string {
  // Base64 grows every script by the same third; percent signs would triple most of them.
  return `data:application/json;base64,${btoa(String.fromCharCode(...bytes))}`;
}

export type InlineData = { readonly mediaType: string; readonly bytes: Uint8Array };

/** The content of a `data:` uri from an unknown sender; null for any other uri, and for one that cannot be decoded. */
export function readInlineUri(uri: string): InlineData | null {
  if (uri.length > maxDocumentUriBytes) return null;
  const [, mediaType, parameters, body] = /^data:([^,;]*)((?:;[^,;]*)*),(.*)$/is.exec(uri) ?? [];
  if (mediaType === undefined || parameters === undefined || body === undefined) return null;
  const isBase64 = /;\s*base64$/i.test(parameters);
  try {
    const bytes = isBase64 ? decodeBase64(body) : new TextEncoder().encode(decodeURIComponent(body));
    return { mediaType: mediaType.toLowerCase(), bytes };
  } catch {
    return null;
  }
}

function decodeBase64(body: string): Uint8Array {
  const binary = atob(body);
  // A plain loop, because a first sync decodes every task: a mapped copy takes several times as long.
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** The sha-256 in a uri of a gateway's file store, on whatever host: bytes are looked up by hash, never fetched. */
export function readFileHash(uri: string): string | null {
  return /^(?:https?:\/\/[^?#]+)?\/v1\/files\/([0-9a-f]{64})$/.exec(uri)?.[1] ?? null;
}

/** The text of bytes, or null where they are not UTF-8. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * The JSON object in bytes from an unknown sender; null unless they are its canonical form. Two parsers may read duplicate
 * keys differently, and a canonical text has none.
 */
export function parseCanonical(bytes: Uint8Array): Record<string, unknown> | null {
  if (bytes.length > maxDocumentBytes) return null;
  const text = decodeText(bytes);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    // First, since the canonical form is built recursively.
    if (isTooDeep(value) || toCanonical(value) !== text) return null;
    return value as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** What a page shows of a task. */
export type TaskTexts = {
  readonly title: string;
  readonly description: string;
  readonly criteria: string;
  /** One for each milestone, or none. */
  readonly milestones: readonly string[];
  readonly tags: readonly string[];
};

/**
 * The texts in a uri from an unknown sender, or null without any. Never throws. Accepts canonical documents, and the plain
 * JSON of tasks from before there were any. Whether the task's criteriaHash covers the texts is another question.
 */
export function parseDocumentUri(uri: string): TaskTexts | null {
  const inline = readInlineUri(uri);
  return inline?.mediaType === 'application/json' ? parseTaskTexts(inline.bytes) : null;
}

/** The same for bytes that were found elsewhere. */
export function parseTaskTexts(bytes: Uint8Array): TaskTexts | null {
  const text = bytes.length > maxDocumentBytes ? null : decodeText(bytes);
  try {
    return text === null ? null : readTexts(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Missing texts become empty. A text of another type makes the document invalid. */
function readTexts(value: unknown): TaskTexts | null {
  if (typeof value !== 'object' || value === null) return null;
  const {
    title,
    description = '',
    criteria = '',
    milestones = [],
    tags = [],
  } = value as Record<string, unknown>;
  if (!isText(title) || title.trim() === '' || !isText(description) || !isText(criteria)) return null;
  if (!isTextList(milestones) || !isTextList(tags)) return null;
  return { title, description, criteria, milestones, tags };
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

/** Half a surrogate pair has no UTF-8 form, so such a text has no well-defined hash. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}
