// Replies by their exact URL for as long as they are true: a repeated read is a map look-up and a write. Replaces
// `lru-cache`: entries expire with their market's version, and memory is bounded by bytes.
import type { Market } from '@svc/sdk/domain';
import type { Reply } from './reply.ts';

export type ReplyCache = {
  /** Undefined when there is none of its market's current version. */
  readonly find: (url: string) => Reply | undefined;
  /** Kept from the second time on: a URL that is asked for once is not worth the memory. */
  readonly save: (url: string, reply: Reply, of: ReplySource) => void;
};

/** What a reply was built from; it is dropped when that market has another version. */
export type ReplySource = { readonly market: Market; readonly version: string };

/** Clients choose the URLs, so the memory is bounded by bytes. */
const maxBytes = 64 * 1024 * 1024;
/** The cost of an entry beyond its URL and body: headers, map slots, objects. */
const entryBytes = 2_000;
/** How many URLs are remembered as seen once. */
const maxSeen = 1_000;

type Entry = ReplySource & { readonly reply: Reply; readonly bytes: number; wasUsed: boolean };

/** Evicts oldest first, but keeps an entry that was used since the last pass (the clock algorithm). */
export function createReplyCache(versionOf: (market: Market) => string, limitBytes = maxBytes): ReplyCache {
  const entries = new Map<string, Entry>();
  const seen = new Set<string>();
  const newest = new Map<Market, string>();
  let total = 0;

  function wasSeen(url: string): boolean {
    if (seen.has(url)) return true;
    if (seen.size >= maxSeen) seen.clear();
    seen.add(url);
    return false;
  }

  function drop(url: string, entry: Entry): void {
    entries.delete(url);
    total -= entry.bytes;
  }

  function makeRoom(): void {
    for (const [url, entry] of entries) {
      if (total <= limitBytes) return;
      if (entry.wasUsed && isCurrent(entry)) {
        entry.wasUsed = false;
        // Moved to the end, where this loop meets it again if it still needs room.
        entries.delete(url);
        entries.set(url, entry);
      } else drop(url, entry);
    }
  }

  /** All at once: most URLs of an older version are never asked for again and would stay until room is needed. */
  function dropOlder(market: Market, version: string): void {
    newest.set(market, version);
    for (const [url, entry] of entries)
      if (entry.market === market && entry.version !== version) drop(url, entry);
  }

  const isCurrent = (entry: Entry) => entry.version === versionOf(entry.market);

  return {
    find: (url) => {
      const entry = entries.get(url);
      if (entry === undefined) return undefined;
      if (isCurrent(entry)) {
        entry.wasUsed = true;
        return entry.reply;
      }
      drop(url, entry);
      return undefined;
    },
    save: (url, reply, { market, version }) => {
      if (version !== versionOf(market)) return;
      if (version !== newest.get(market)) dropOlder(market, version);
      const old = entries.get(url);
      if (old !== undefined) drop(url, old);
      else if (!wasSeen(url)) return;
      // Twice the plain size covers the compressed forms, which come later.
      const bytes = entryBytes + url.length + 2 * reply.plain.bytes;
      entries.set(url, { market, version, reply, bytes, wasUsed: false });
      total += bytes;
      makeRoom();
    },
  };
}
