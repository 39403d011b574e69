// Sessions at the gateway that served this page, one for each wallet, kept in this browser until they end.
export type Session = { readonly token: string; readonly expiresAt: number };

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
    // Checked by hand: this file is part of every page's first script, which has no schemas.
    const { token, expiresAt } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (typeof token !== 'string' || typeof expiresAt !== 'number') return null;
    return expiresAt > now + 60 ? { token, expiresAt } : null;
  } catch {
    return null;
  }
}

/** Without a look at its end: the gateway says when it is over. */
export function readSessionToken(wallet: string): string | null {
  return parseSession(readSessionText(wallet), 0)?.token ?? null;
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
