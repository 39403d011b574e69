// Ready bodies by URL and by question, for as long as their market stays the same.
import type { Market } from '@svc/sdk/domain';
import type { Body } from './body.ts';

export type BodyCache = ReturnType<typeof createBodyCache>;

/** What a body was built from; it is dropped when that market has another version. */
export type BodySource = { readonly market: Market; readonly version: string };

/** Clients choose the URLs, so the memory is bounded by bytes. */
const maxBytes = 64 * 1024 * 1024;
/** The cost of an entry beyond its key and content: headers, map slots, objects. */
const entryBytes = 2_000;

type Entry = BodySource & { readonly body: Body; readonly bytes: number };

/** Drops the least recently used entries when it is full. */
export function createBodyCache(versionOf: (market: Market) => string, limitBytes = maxBytes) {
  /** In the order of their last use. */
  const entries = new Map<string, Entry>();
  const newest = new Map<Market, string>();
  let total = 0;

  function drop(key: string, entry: Entry): void {
    entries.delete(key);
    total -= entry.bytes;
  }

  function dropOlder(market: Market, version: string): void {
    newest.set(market, version);
    for (const [key, entry] of entries)
      if (entry.market === market && entry.version !== version) drop(key, entry);
  }

  return {
    /** Undefined when there is none of its market's current version. */
    find: (key: string): Body | undefined => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.version !== versionOf(entry.market)) {
        drop(key, entry);
        return undefined;
      }
      entries.delete(key);
      entries.set(key, entry);
      return entry.body;
    },
    save: (key: string, body: Body, { market, version }: BodySource): void => {
      if (version !== versionOf(market)) return;
      if (version !== newest.get(market)) dropOlder(market, version);
      const old = entries.get(key);
      if (old !== undefined) drop(key, old);
      // Twice the plain size covers the compressed forms, which come later.
      const bytes = entryBytes + key.length + 2 * body.plain.content.length;
      entries.set(key, { market, version, body, bytes });
      total += bytes;
      for (const [oldest, entry] of entries) {
        if (total <= limitBytes) break;
        drop(oldest, entry);
      }
    },
  };
}
