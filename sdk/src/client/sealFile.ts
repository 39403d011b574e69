// Seals files for private tasks: AES-256-GCM with a fresh key and IV for each file, in browsers and in Node.
import { bytesToHex, concat, type Hex, hexToBytes, sha256 } from 'viem';
import { SvcError } from '../domain/errors.ts';

/** What both parties know of a plain file, from its document. */
export type PlainFile = { readonly sha256: string; readonly bytes: number };

export type SealedFile = {
  /** IV, ciphertext and tag: what is stored. */
  readonly content: Uint8Array<ArrayBuffer>;
  /** 32 bytes; travels as `keys: {[sealed.sha256]: key}` in a message, never in a document. */
  readonly key: Hex;
  /** For the artifact in a document. */
  readonly plain: PlainFile;
  readonly sealed: PlainFile;
};

const ivBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/** How much longer a sealed file is. */
export const sealBytes = ivBytes + tagBytes;

/** 64 hexadecimal digits, as documents and paths have it. */
export function hashFile(content: Uint8Array): string {
  return sha256(content).slice(2);
}

/** Encrypts a file with a new key. Store `content`, name `plain` and `sealed` in the document, send `key` in a message. */
export async function sealFile(content: Uint8Array<ArrayBuffer>): Promise<SealedFile> {
  const raw = crypto.getRandomValues(new Uint8Array(keyBytes));
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const key = await importKey(raw, 'encrypt');
  const encrypted = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, content));
  const sealed = Uint8Array.from(concat([iv, encrypted]));
  return { content: sealed, key: bytesToHex(raw), plain: measure(content), sealed: measure(sealed) };
}

/**
 * Throws FILE_UNSEALED unless the result is the plain file that the document names. AES-GCM alone does not promise that:
 * one ciphertext can open to two files under two keys.
 */
export async function openSealedFile(
  sealed: Uint8Array<ArrayBuffer>,
  key: string,
  plain: PlainFile,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!/^0x[0-9a-f]{64}$/.test(key)) throw unsealed('the key is no key');
  const raw = Uint8Array.from(hexToBytes(key as Hex));
  if (sealed.length < sealBytes) throw unsealed('it is too short');
  const algorithm = { name: 'AES-GCM', iv: sealed.subarray(0, ivBytes) };
  const opened = await crypto.subtle
    .decrypt(algorithm, await importKey(raw, 'decrypt'), sealed.subarray(ivBytes))
    .catch((error: unknown) => {
      throw unsealed('the key does not fit', error);
    });
  const content = new Uint8Array(opened);
  if (content.length !== plain.bytes || hashFile(content) !== plain.sha256)
    throw unsealed('it contains another file');
  return content;
}

function measure(content: Uint8Array): PlainFile {
  return { sha256: hashFile(content), bytes: content.length };
}

function importKey(raw: Uint8Array<ArrayBuffer>, use: 'encrypt' | 'decrypt') {
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, [use]);
}

function unsealed(reason: string, cause?: unknown): SvcError {
  return new SvcError('FILE_UNSEALED', { reason }, cause);
}
