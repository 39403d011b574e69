// Sessions at the gateway that served this page, one for each wallet, kept in this browser until they end.
import * as z from 'zod';

const sessionSchema = z.object({ token: z.string(), expiresAt: z.number() });

export type Session = z.infer<typeof sessionSchema>;

const listeners = new Set<() => void>();
const keyOf = (wallet: string) => `svc-session:${wallet.toLowerCase()}`;

/** As it is stored, so that two reads of the same session are equal. */
export function readSessionText(wallet: string): string {
  try {
    return localStorage.getItem(keyOf(wallet)) ?? '';
  } catch {
    return memory.get(keyOf(wallet)) ?? '';
  }
}

/** Null if there is none, or if it ends within a minute. */
export function parseSession(text: string, now: number): Session | null {
  try {
    const session = sessionSchema.parse(JSON.parse(text));
    return session.expiresAt > now + 60 ? session : null;
  } catch {
    return null;
  }
}

/** Null ends it. */
export function saveSession(wallet: string, session: Session | null): void {
  const text = session === null ? '' : JSON.stringify(session);
  try {
    if (session === null) localStorage.removeItem(keyOf(wallet));
    else localStorage.setItem(keyOf(wallet), text);
  } catch {
    memory.set(keyOf(wallet), text);
  }
  for (const notify of listeners) notify();
}

/** Where the browser allows no storage, a session lasts as long as the page. */
const memory = new Map<string, string>();

export function subscribeToSessions(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}
