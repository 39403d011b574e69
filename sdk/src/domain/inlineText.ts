// A plain text inside a uri, so that evidence and reasons can be read from the chain alone.
import type { Hash } from './task.ts';
import { hashCriteria } from './terms.ts';

const start = 'data:text/plain;charset=utf-8;base64,';

/** The uri holds exactly the bytes that the hash is of. */
export function buildInlineText(text: string): { readonly hash: Hash; readonly uri: string } {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return { hash: hashCriteria(text), uri: `${start}${btoa(bytes)}` };
}

/** The text in a uri from an unknown sender, if it is the one that was hashed; null otherwise. Never throws. */
export function readInlineText(uri: string | null, hash: string): string | null {
  if (uri === null || !uri.startsWith(start)) return null;
  try {
    const bytes = Uint8Array.from(atob(uri.slice(start.length)), (letter) => letter.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return hashCriteria(text) === hash ? text : null;
  } catch {
    return null;
  }
}
