// Saved searches: a wallet gets one summary a day of new tasks and listings that match.
import { randomBytes } from 'node:crypto';
import type { ListingList } from '@svc/sdk/client';
import { type Address, type Market, markets, SvcError } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { isOfListings, keepSearch } from '@svc/sdk/internal/domain/savedSearches';
import { tagKey } from '@svc/sdk/internal/domain/searchWords';
import type { FindListings } from '@svc/sdk/internal/schemas/listings';
import { readSavedSearch } from '@svc/sdk/internal/schemas/listQueries';
import type { ListRequest, MarketService } from '../market/taskLists.ts';
import type { ChannelStore } from '../store/noticeChannels.ts';
import { buildNotice, type Notice } from '../store/noticeRows.ts';
import type { SavedSearch, SearchStore } from '../store/searchRows.ts';
import { type FoundForSearch, type FoundItem, type Letter, writeSearches } from './letters.ts';

export type SearchNeeds = {
  readonly store: SearchStore;
  readonly channels: Pick<ChannelStore, 'loadConfirmed'>;
  readonly isMember: (wallet: Address) => Promise<boolean>;
  readonly listOpen: MarketService['listOpenInFull'];
  readonly findListings: (query: FindListings) => Promise<ListingList>;
  /** The second of chain time. */
  readonly now: () => number;
  /** The second of this machine, by which listings are dated. */
  readonly clock: () => number;
};

/** The number of the newest task of each market, and the time of the newest listings. */
type Newest = Readonly<Record<Market | 'listings', number>>;

type ListedTask = Omit<FoundItem, 'tokWei'> & { readonly totalAmountTokWei: string };

export type SavedSearches = ReturnType<typeof createSavedSearches>;

export const mostSearches = 10;
const walletsAtOnce = 20;
/** Until the first summary, and between looks that found nothing. */
const lookSeconds = 900;
const day = 86_400;
/** Tasks or listings of one search in a summary. */
const mostShown = 5;
/** Listings of a page, which may be newer than those that are looked for. */
const listingsAtOnce = 25;

export function createSavedSearches(needs: SearchNeeds) {
  const { store, channels, isMember, listOpen, findListings, now, clock } = needs;

  /** What fits and came after `after`, up to `last`: tasks by their number, oldest first; listings by their time, newest first. */
  async function findNew(search: SavedSearch, after: number, last: number): Promise<FoundItem[]> {
    const { market, query } = search;
    const { view: _, ...filters } = readSavedSearch(query);
    if (isOfListings(query)) {
      const { q, tag: [tag, ...tags] = [], poster } = filters;
      const { listings } = await findListings({ market, q, tag, poster, limit: listingsAtOnce });
      return listings.flatMap(({ id, document, createdAt }) => {
        const own = document?.task.tags.map(tagKey) ?? [];
        const isNew = createdAt > after && createdAt <= last && tags.every((one) => own.includes(one));
        return document === null || !isNew
          ? []
          : [{ id, title: document.task.title, tokWei: document.budget.maxTokWei }];
      });
    }
    const request: ListRequest = { ...filters, market, limit: mostShown + 1, sort: 'oldest' };
    const page = after === 0 ? request : { ...request, cursor: String(after) };
    const { tasks } = await listOpen({ ...page, isUncounted: true });
    return tasks
      .filter(({ id }) => Number(id.split(':')[2]) <= last)
      .map(({ totalAmountTokWei: tokWei, ...task }: ListedTask) => ({ ...task, tokWei }));
  }

  const lastOf = ({ market, query }: Pick<SavedSearch, 'market' | 'query'>, newest: Newest): number =>
    newest[isOfListings(query) ? 'listings' : market];
  const loadNewest = async (): Promise<Newest> => {
    const [standard = 0, micro = 0] = await Promise.all(markets.map(store.loadNewest));
    // A listing of this second may still come.
    return { standard, micro, listings: clock() - 1 };
  };

  async function look(wallet: string, newest: Newest): Promise<void> {
    const fitting: string[] = [];
    const searches: { id: string; seen: number }[] = [];
    for (const search of await store.list(wallet)) {
      const last = lastOf(search, newest);
      searches.push({ id: search.id, seen: last });
      if (last <= search.seen || (await findNew(search, search.seen, last)).length === 0) continue;
      fitting.push(`${search.id}.${search.seen}.${last}`);
    }
    const told = fitting.length === 0 ? [] : await channels.loadConfirmed([wallet]);
    const time = now();
    const notices = told.map((channel) => buildNotice(channel, 'search', fitting.join(), time));
    const nextLook = time + (fitting.length === 0 ? lookSeconds : day);
    await store.look(wallet, { searches, nextLook, notices, now: time });
  }

  return {
    list: async (wallet: Address) => (await store.list(addressKey(wallet))).map(show),

    async add(wallet: Address, given: string) {
      if (!(await isMember(wallet))) throw new SvcError('NO_STANDING', {});
      const query = keepSearch(given);
      const { market } = readSavedSearch(query);
      const made = {
        id: randomBytes(12).toString('base64url'),
        wallet: addressKey(wallet),
        market,
        query,
        createdAt: now(),
      };
      const limits = {
        most: mostSearches,
        nextLook: now() + lookSeconds,
        seen: lastOf(made, await loadNewest()),
      };
      const added = await store.add(made, limits);
      if (added === null)
        throw new SvcError('CONTACT_REFUSED', {
          reason: `a wallet can have ${mostSearches} saved searches; remove one first`,
        });
      return show(added);
    },

    async remove(wallet: Address, id: string) {
      await store.remove(addressKey(wallet), id);
      return { removed: true as const };
    },

    /** Looks for those whose time has come. */
    round: async (signal: AbortSignal): Promise<void> => {
      const due = await store.listDue(now(), walletsAtOnce);
      if (due.length === 0) return;
      const newest = await loadNewest();
      for (const wallet of due) {
        if (signal.aborted) return;
        await look(wallet, newest);
      }
    },

    /** Null where nothing of it is open any more, or the searches were removed. */
    write: async (notice: Notice): Promise<Letter | null> => {
      const own = await store.list(notice.wallet);
      const found: FoundForSearch[] = [];
      for (const part of notice.episode.split(',')) {
        const [id, after, last] = part.split('.');
        const search = own.find((one) => one.id === id);
        if (search === undefined) continue;
        const items = await findNew(search, Number(after), Number(last));
        if (items.length > 0)
          found.push({ ...search, items: items.slice(0, mostShown), hasMore: items.length > mostShown });
      }
      return found.length === 0 ? null : writeSearches(notice, found);
    },
  };
}

function show({ id, query, createdAt }: SavedSearch) {
  return { id, query, createdAt };
}
