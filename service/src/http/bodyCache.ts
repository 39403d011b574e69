// Ready bodies by URL and by question, for as long as their market stays the same.
import type { Market } from '@svc/sdk/domain';
import { LRUCache } from 'lru-cache';
import type { Body } from './body.ts';

export type BodyCache = ReturnType<typeof createBodyCache>;

/** What a body was built from; it is dropped when that market has another version. */
export type BodySource = { readonly market: Market; readonly version: string };

/** Clients choose the URLs, so the memory is bounded by bytes. */
const maxBytes = 64 * 1024 * 1024;
/** The cost of an entry beyond its key and content: headers, map slots, objects. */
const entryBytes = 2_000;

type Entry = BodySource & { readonly body: Body };

export function createBodyCache(versionOf: (market: Market) => string, limitBytes = maxBytes) {
  const entries = new LRUCache<string, Entry>({
    maxSize: limitBytes,
    // Twice the plain size covers the compressed forms, which come later.
    sizeCalculation: ({ body }, key) => entryBytes + key.length + 2 * body.plain.content.length,
  });
  const newest = new Map<Market, string>();

  function dropOlder(market: Market, version: string): void {
    newest.set(market, version);
    for (const [key, entry] of entries.entries())
      if (entry.market === market && entry.version !== version) entries.delete(key);
  }

  return {
    /** Undefined when there is none of its market's current version. */
    find: (key: string): Body | undefined => {
      const entry = entries.get(key);
      if (entry === undefined || entry.version === versionOf(entry.market)) return entry?.body;
      entries.delete(key);
      return undefined;
    },
    save: (key: string, body: Body, { market, version }: BodySource): void => {
      if (version !== versionOf(market)) return;
      if (version !== newest.get(market)) dropOlder(market, version);
      entries.set(key, { market, version, body });
    },
  };
}
