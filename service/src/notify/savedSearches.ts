// Saved searches: a wallet is told of new tasks that fit, all of them in one summary a day.
import { randomBytes } from 'node:crypto';
import { type Address, type Market, markets, SvcError } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { keepSearch } from '@svc/sdk/internal/domain/savedSearches';
import { readSavedSearch } from '@svc/sdk/internal/schemas/listQueries';
import type { ListRequest, MarketService } from '#market/taskLists.ts';
import type { ChannelStore } from '#store/noticeChannels.ts';
import type { Notice } from '#store/noticeRows.ts';
import type { SavedSearch, SearchStore } from '#store/searchRows.ts';
import { type FoundForSearch, type Letter, writeSearches } from './letters.ts';

export type SearchNeeds = {
  readonly store: SearchStore;
  readonly channels: Pick<ChannelStore, 'loadConfirmed'>;
  readonly isMember: (wallet: Address) => Promise<boolean>;
  readonly listOpen: MarketService['listOpenInFull'];
  /** The second of chain time. */
  readonly now: () => number;
};

export type SavedSearches = ReturnType<typeof createSavedSearches>;

export const mostSearches = 10;
const walletsAtOnce = 20;
/** Until the first summary, and between looks that found nothing. */
const lookSeconds = 900;
const day = 86_400;
/** Tasks of one search in a summary. */
const mostShown = 5;

export function createSavedSearches({ store, channels, isMember, listOpen, now }: SearchNeeds) {
  /** Open tasks that fit, with a number above `after` and not above `last`, oldest first. */
  async function findNew({ market, query }: SavedSearch, after: number, last: number, limit: number) {
    const request: ListRequest = { ...readSavedSearch(query), market, limit, sort: 'oldest' };
    const page = after === 0 ? request : { ...request, cursor: String(after) };
    const { tasks } = await listOpen({ ...page, isUncounted: true });
    return tasks.filter(({ id }) => Number(id.split(':')[2]) <= last);
  }

  async function look(wallet: string, newest: Readonly<Record<Market, number>>): Promise<void> {
    const fitting: string[] = [];
    for (const search of await store.list(wallet)) {
      const last = newest[search.market];
      if (last <= search.seen || (await findNew(search, search.seen, last, 1)).length === 0) continue;
      fitting.push(`${search.id}.${search.seen}.${last}`);
    }
    const told = fitting.length === 0 ? [] : await channels.loadConfirmed([wallet]);
    const time = now();
    const notices = told.map(({ id }) => ({
      channelId: id,
      wallet,
      market: '' as const,
      number: 0,
      episode: fitting.join(),
      kind: 'search' as const,
      state: 'waiting' as const,
      sendAt: time,
      until: null,
      block: null,
    }));
    const nextLook = time + (fitting.length === 0 ? lookSeconds : day);
    await store.look(wallet, { newest, nextLook, notices, now: time });
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
        seen: await store.loadNewest(market),
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
      const [standard = 0, micro = 0] = await Promise.all(markets.map(store.loadNewest));
      for (const wallet of due) {
        if (signal.aborted) return;
        await look(wallet, { standard, micro });
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
        const tasks = await findNew(search, Number(after), Number(last), mostShown + 1);
        if (tasks.length > 0)
          found.push({ ...search, tasks: tasks.slice(0, mostShown), hasMore: tasks.length > mostShown });
      }
      return found.length === 0 ? null : writeSearches(notice, found);
    },
  };
}

function show({ id, query, createdAt }: SavedSearch) {
  return { id, query, createdAt };
}
