// Listings: publishing, closing, showing and finding them; what the relay asks about them; and the tasks that come out.

import type { Listing, ListingBody, ListingDocument, ListingList } from '@svc/sdk/client';
import {
  type Address,
  formatTaskId,
  isSameAddress,
  type Market,
  parseAddress,
  SvcError,
  type TaskId,
} from '@svc/sdk/domain';
import { hashCanonical, toCanonical } from '@svc/sdk/internal/domain/canonical';
import { shareOf } from '@svc/sdk/internal/domain/fairShare';
import { splitWords } from '@svc/sdk/internal/domain/searchWords';
import { buildListingTypedData } from '@svc/sdk/internal/domain/signedDocuments';
import { isOffer, senderOf } from '@svc/sdk/internal/negotiation/envelope';
import { type FindListings, maxListingSeconds, maxLiveListings } from '@svc/sdk/internal/schemas/listings';
import { parseWire } from '@svc/sdk/negotiation';
import { type Hex, hashTypedData } from 'viem';
import type { ListingStore, StoredListing } from '../store/listings.ts';
import { type MatchPlace, markWord, tagWord } from '../store/matchWords.ts';
import { checkVersion, type PublishingNeeds, requireSignature, showText } from './publishing.ts';

export type ListingNeeds = PublishingNeeds & {
  readonly store: ListingStore;
  readonly hasCollateral: (wallet: Address) => Promise<boolean>;
  readonly registryOf: (market: Market) => Address;
  /** That of the terms under which the task was created; null where the chain has no such task. */
  readonly loadDigest: (taskId: TaskId) => Promise<string | null>;
  /** The chain's time where it is ahead: deadlines count by it. */
  readonly now: () => number;
};

export type ListingService = ReturnType<typeof createListingService>;

/** Closed and ended ones are kept until they can no longer be published again; this bounds them. */
const limits = { mostLive: maxLiveListings, mostKept: 100 };
/** How often one page goes on looking where listings were left out. */
const maxLooks = 5;
const endedAtOnce = 200;
const takenAtOnce = 200;
const listingId = /^0x[0-9a-f]{64}$/;

export function createListingService(needs: ListingNeeds) {
  const { store, verify, hasCollateral, chainId, registryOf, clock, now } = needs;

  async function show(stored: StoredListing): Promise<Listing> {
    const { proposers, isLive, ...listing } = stored;
    const text = await showText<ListingDocument>(needs, stored.poster, stored);
    return {
      ...listing,
      ...text,
      state: stateOf(stored, text.withheld, await hasCollateral(stored.poster), clock()),
      proposals: proposers === 0 ? 'none' : proposers < 10 ? 'few' : 'many',
    };
  }

  async function require(id: string): Promise<StoredListing> {
    const stored = await store.load(id);
    if (stored === undefined) throw new SvcError('LISTING_NOT_FOUND', {});
    return stored;
  }

  /** The live listing of this poster that a message is about; undefined where it names none. */
  async function findLive(about: unknown, poster: Address): Promise<StoredListing | undefined> {
    if (typeof about !== 'string' || !listingId.test(about)) return undefined;
    const stored = await store.load(about);
    if (stored === undefined || !isSameAddress(stored.poster, poster)) return undefined;
    return (await show(stored)).state === 'live' ? stored : undefined;
  }

  /** Whether the chain has this task, and one of the offers about the listing led to it. */
  async function isOf(id: string, taskId: TaskId): Promise<boolean> {
    const digest = await needs.loadDigest(taskId);
    return digest !== null && store.isOffered(id, digest);
  }

  /** Closes the listing that a task with this digest came out of. */
  async function takeTask(digest: string, taskId: TaskId): Promise<void> {
    const id = await store.findByDigest(digest);
    if (id === undefined || !(await store.take(id, taskId, clock()))) return;
    // The chain may have forked since the task was read, and another process may have released what it took.
    if (!(await isOf(id, taskId))) await store.release(id, taskId, clock());
  }

  return {
    publish: async (id: Hex, body: ListingBody, beforeAsking: () => void): Promise<Listing> => {
      const { document, version, expiresAt } = body;
      const poster = parseAddress(body.poster);
      const time = clock();
      checkVersion(version, time);
      const isTimely = expiresAt > time && expiresAt <= version + maxListingSeconds;
      if (!isTimely || document.deadline <= Math.max(expiresAt, now()))
        throw new SvcError('LISTING_TIMES', {});
      const documentHash = hashCanonical(document);
      const signature = body.signature;
      const place = { chainId, registry: registryOf(document.market) };
      const signed = { id, poster, document: documentHash, version, expiresAt };
      const digest = hashTypedData(buildListingTypedData(place, signed));
      await requireSignature(verify, poster, digest, signature, beforeAsking);
      if (!(await hasCollateral(poster))) throw new SvcError('NO_STANDING', {});
      await store.save(
        {
          id,
          market: document.market,
          poster,
          version,
          document: toCanonical(document),
          documentHash,
          signature,
          expiresAt,
          words: listListingWords(poster, document),
        },
        time,
        limits,
      );
      return show(await require(id));
    },

    close: async (id: Hex, wallet: Address) => {
      const { poster } = await require(id);
      if (!isSameAddress(poster, wallet)) throw new SvcError('NOT_THE_OWNER', {});
      await store.close(id, clock());
      return { id, state: 'closed' as const };
    },

    /** The live ones of this wallet. */
    listOwn: async (wallet: Address) => {
      const own = await Promise.all((await store.loadOpen(wallet, true, clock())).map(show));
      return own.flatMap(({ id, market, document, createdAt, expiresAt }) =>
        document === null ? [] : [{ id, market, title: document.task.title, createdAt, expiresAt }],
      );
    },

    get: async (id: Hex): Promise<Listing> => show(await require(id)),

    find: async ({ market, tag, q = [], poster, limit, cursor }: FindListings): Promise<ListingList> => {
      const words = [
        ...(poster === undefined ? [] : [markWord(poster)]),
        ...(tag === undefined ? [] : [tagWord(tag)]),
        ...(market === undefined ? [] : [markWord(market)]),
        ...q.map(({ word }) => word),
      ];
      const most = poster === undefined ? shareOf(limit) : limit;
      const shown: Listing[] = [];
      let after = cursor === undefined ? null : parsePlace(cursor);
      for (let looks = 0; looks < maxLooks; looks++) {
        const { places, listings, next } = await store.find({ words, after, limit });
        for (const [at, stored] of listings.entries()) {
          if (shown.length === limit) return reply(shown, places[at - 1] ?? after);
          if (stored === undefined) continue;
          const isFull = shown.filter((one) => isSameAddress(one.poster, stored.poster)).length >= most;
          if (isFull) continue;
          const listing = await show(stored);
          if (listing.state === 'live') shown.push(listing);
        }
        after = next;
        if (next === null || shown.length === limit) break;
      }
      return reply(shown, after);
    },

    findLive,

    /** Called for each message that the relay has taken: remembers offers about live listings. */
    noteMessage: async (wire: string, recipient: Address): Promise<void> => {
      const parsed = parseWire(wire);
      if (!('signed' in parsed) || !isOffer(parsed.signed.envelope.type)) return;
      const { about, settlementDigest } = parsed.signed.envelope.payload;
      const sender = senderOf(parsed.signed);
      const named = await findLive(about, recipient);
      if (named !== undefined) await store.saveProposer(named.id, sender);
      // A counter-offer need not name the listing again.
      const id = named?.id ?? (await store.findBetween(sender, recipient, clock()));
      if (id !== undefined) await store.saveOffer(id, String(settlementDigest).toLowerCase());
    },

    takeTask,

    /** After changes were missed: closes those out of which a task came meanwhile. */
    takeMissed: async (): Promise<void> => {
      for (let after = ''; ; ) {
        const found = await store.listOvertaken(after, takenAtOnce);
        for (const { digest, market, number } of found)
          await takeTask(digest, formatTaskId({ market, number: BigInt(number) }));
        after = found.at(-1)?.id ?? '';
        if (found.length < takenAtOnce) return;
      }
    },

    /** After a fork: opens those again whose tasks the chain no longer has. */
    releaseLost: async (): Promise<void> => {
      for (let after = ''; ; ) {
        const taken = await store.listTaken(after, takenAtOnce);
        for (const { id, taskId } of taken)
          if (!(await isOf(id, taskId))) await store.release(id, taskId, clock());
        after = taken.at(-1)?.id ?? '';
        if (taken.length < takenAtOnce) return;
      }
    },

    /** Hides what ended and what lost its collateral, and shows again what got it back. */
    refresh: async (past: number): Promise<void> => {
      const time = clock();
      for (const id of await store.listEnded(time, endedAtOnce)) await store.hide(id);
      for (const isLive of [true, false])
        for (const poster of await store.listPosters(isLive, time)) {
          if ((await hasCollateral(parseAddress(poster))) === isLive) continue;
          for (const listing of await store.loadOpen(poster, isLive, time))
            if (isLive) await store.hide(listing.id);
            else
              await store.show(listing, listListingWords(listing.poster, JSON.parse(listing.document ?? '')));
        }
      await store.forget(Math.min(past, time) - maxListingSeconds);
    },
  };
}

function stateOf(
  { document, taskId, expiresAt }: StoredListing,
  withheld: string | null,
  hasCollateral: boolean,
  time: number,
): Listing['state'] {
  if (taskId !== null) return 'taken';
  if (document === null) return 'closed';
  if (expiresAt <= time) return 'ended';
  return withheld !== null || !hasCollateral ? 'hidden' : 'live';
}

function listListingWords(poster: Address, { market, task }: ListingDocument): Set<string> {
  const text = [task.title, ...task.tags, task.description, task.criteria].join(' ');
  return new Set([markWord(market), markWord(poster), ...task.tags.map(tagWord), ...splitWords(text)]);
}

function reply(listings: Listing[], next: MatchPlace | null): ListingList {
  const nextCursor = next === null ? null : `${next.at}.${next.subject.slice(2)}`;
  return { count: listings.length, listings, nextCursor };
}

function parsePlace(cursor: string): MatchPlace {
  const [at, subject] = cursor.split('.') as [string, string];
  return { rank: 0, at: Number(at), subject: `0x${subject}` };
}
