// Ready replies by their exact URL, for as long as what they tell is true, so that a hot read is a map look-up and a
// write.
import type { Market } from '@svc/sdk/domain';
import type { ReadyReply } from './readyReply.ts';

export type ReadyReplies = {
  /** Undefined when there is none, or none of its market's present version. */
  readonly find: (url: string) => ReadyReply | undefined;
  /** Kept from the second time on: what is asked for once is not worth the memory, nor the clearing up. */
  readonly save: (url: string, reply: ReadyReply, of: ReplySource) => void;
};

/** What a reply was built from: another version of that market makes it worthless. */
export type ReplySource = { readonly market: Market; readonly version: string };

/** URLs are the client's choice, so their number must not decide how much memory this takes. */
const maxBytes = 64 * 1024 * 1024;
/** What an entry costs beyond its text and its body: headers, map slots, the reply itself. */
const entryBytes = 2_000;
/** How many are remembered as seen once. */
const maxSeen = 1_000;

type Entry = ReplySource & { readonly reply: ReadyReply; readonly bytes: number; wasUsed: boolean };

/** Whoever was asked for since its last turn gets another one; the rest goes, oldest first (the «clock» algorithm). */
export function createReadyReplies(
  versionOf: (market: Market) => string,
  limitBytes = maxBytes,
): ReadyReplies {
  const entries = new Map<string, Entry>();
  const seen = new Set<string>();
  const newest = new Map<Market, string>();
  let total = 0;

  function isAskedAgain(url: string): boolean {
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
      if (entry.wasUsed && isTrue(entry)) {
        entry.wasUsed = false;
        // Set anew, it stands at the end, where this loop comes by once more if it has to.
        entries.delete(url);
        entries.set(url, entry);
      } else drop(url, entry);
    }
  }

  /** All at once: most URLs of an older version are never asked for again, and would be kept until room is needed. */
  function dropOlder(market: Market, version: string): void {
    newest.set(market, version);
    for (const [url, entry] of entries)
      if (entry.market === market && entry.version !== version) drop(url, entry);
  }

  const isTrue = (entry: Entry) => entry.version === versionOf(entry.market);

  return {
    find: (url) => {
      const entry = entries.get(url);
      if (entry === undefined) return undefined;
      if (isTrue(entry)) {
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
      else if (!isAskedAgain(url)) return;
      // Twice the plain size leaves room for the compressed forms, which come later.
      const bytes = entryBytes + url.length + 2 * reply.plain.bytes;
      entries.set(url, { market, version, reply, bytes, wasUsed: false });
      total += bytes;
      makeRoom();
    },
  };
}
