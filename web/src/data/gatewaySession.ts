// Sessions at the gateway that served this page, one for each wallet, kept in this browser until they end.
import { SvcError } from '@svc/sdk/domain';
import { orNull } from './orNull.ts';
import { readText, saveText } from './savedText.ts';

type Session = { readonly token: string; readonly expiresAt: number };

export const sessionName = (wallet: string) => `session:${wallet.toLowerCase()}`;

/** Null if there is none, or if it ends within a minute. */
export function parseSession(text: string, now: number): Session | null {
  // Checked by hand: this file is part of every page's first script, which has no schemas.
  const { token, expiresAt } = orNull(() => JSON.parse(text) as Readonly<Record<string, unknown>>) ?? {};
  if (typeof token !== 'string' || typeof expiresAt !== 'number') return null;
  return expiresAt > now + 60 ? { token, expiresAt } : null;
}

/** Also of a session that may have ended: the gateway says when it is over. */
export function readSessionToken(wallet: string): string | null {
  return parseSession(readText(sessionName(wallet)), 0)?.token ?? null;
}

/** Whether a request was refused because the gateway does not know its session. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof SvcError && error.details.code === 'SESSION_REQUIRED';
}

/** Null ends it. */
export function saveSession(wallet: string, session: Session | null): void {
  saveText(sessionName(wallet), session === null ? '' : JSON.stringify(session));
}
