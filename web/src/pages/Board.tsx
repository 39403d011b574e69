// The board: one market's tasks, live. Search, filters and order are in the address.

import { isAddress, type Market } from '@svc/sdk/domain';
import type { ListFilters } from '@svc/sdk/internal/client/createMarketClient';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { useConnection } from 'wagmi';
import { useMinute, useNow } from '../components/Clock.tsx';
import { LinkSwitch, marketNames } from '../components/MarketHeader.tsx';
import { TokText } from '../components/Money.tsx';
import { Link, useSearch } from '../components/navigation.tsx';
import { lazyPart, QueryView, Skeleton } from '../components/QueryView.tsx';
import {
  buildRow,
  dropExpired,
  filterRows,
  keepListingFilters,
  parseFilter,
  toListFilters,
  toSavedSearch,
} from '../data/boardRows.ts';
import { useIsGateway, useTokPrice } from '../data/client.ts';
import { shorten } from '../data/format.ts';
import { boardQuery, type CountedList, ownTasksQuery, type Task, useCount } from '../data/market.ts';
import { views } from '../data/pageList.ts';
import { ConnectFirst } from '../wallet/useWallet.tsx';
import { BoardFilters, ChosenFilters } from './BoardFilters.tsx';
import { BoardTable } from './BoardTable.tsx';

const boardLists = { open: 'Open', wanted: 'Looking for proposals', all: 'All', own: 'Yours' } as const;
type View = Exclude<keyof typeof boardLists, 'wanted'>;

/** A separate chunk: listings come from the gateway, with its schemas. */
const ListingBoard = lazyPart(
  async () => (await import('./listing/ListingBoard.tsx')).ListingBoard,
  <Skeleton text="Loading the listings…" shape="rows" />,
);

export function Board({ market }: { market: Market }) {
  const search = useSearch();
  const view = parseView(search.get('view'));
  const { address: connected } = useConnection();
  const asked = search.get('wallet');
  const address = isAddress(asked) ? asked : connected;
  const words = views[market];
  // The others are kept in the address, for the lists of tasks.
  const filters = view === 'wanted' ? keepListingFilters(search) : search;
  return (
    <>
      <header className="boardhead">
        <div>
          <h1>{words.heading}</h1>
          <p className="lead">
            <TokText text={words.lead} />
          </p>
        </div>
        <Link className="button" data-is="main" href={`/market.html?market=${market}&post=new`}>
          Post a task
        </Link>
      </header>
      <div className="controls row boardtabs">
        <LinkSwitch label="Market" name="market" labels={marketNames} current={market} />
        <LinkSwitch
          label="Tasks"
          name="view"
          labels={isAddress(asked) ? { ...boardLists, own: shorten(asked) } : boardLists}
          current={view}
        />
        <BoardFilters search={filters} view={view} />
        <FeedLink market={market} tags={search.get('tag')} />
      </div>
      <ChosenFilters search={filters} />
      <SaveSearch market={market} view={view} search={filters} />
      {view === 'wanted' ? (
        <ListingBoard market={market} />
      ) : view === 'own' && address === undefined ? (
        <ConnectFirst>Connect a wallet to see the tasks that it posted or claimed.</ConnectFirst>
      ) : (
        <Lists key={`${market}${view}`} market={market} view={view} address={address ?? ''} />
      )}
    </>
  );
}

/** Links to the page of notifications, which needs the session of a wallet. */
function SaveSearch({ market, view, search }: { market: Market; view: string; search: URLSearchParams }) {
  const query = toSavedSearch(parseFilter(search), market, view);
  if (!useIsGateway() || query === null) return null;
  return (
    <p className="small">
      <a href={`/notifications.html?search=${encodeURIComponent(query)}`}>Save this search</a> to get notices
      of new tasks.
    </p>
  );
}

type FeedLinkProps = { market: Market; tags: string | null };

/** Open tasks of the market, with the chosen tags, for feed readers. */
function FeedLink({ market, tags }: FeedLinkProps) {
  const query = new URLSearchParams({ market, ...(tags && { tag: tags }) });
  return (
    <a className="small" href={`/api/market/feed?${query}`} type="application/atom+xml">
      Feed
    </a>
  );
}

type ListsProps = { market: Market; view: View; address: string };

/** All tasks where the page can hold them, else those that the API finds. */
function Lists({ market, view, address }: ListsProps) {
  const filters = useListFilters();
  const list = useQuery(view === 'own' ? ownTasksQuery(market, address) : boardQuery(market, view));
  const isSearched = view !== 'own' && list.data?.isWhole === false;
  const searched = useQuery({
    ...boardQuery(market, view === 'open' ? 'open' : 'all', filters),
    enabled: isSearched,
  });
  const found = isSearched ? searched : list;
  const isWhole = found.data?.isWhole === true;
  const counted = useCount(isWhole ? [] : countedLists(market, view, address, filters));
  return (
    <QueryView query={found} what="the tasks" shape="rows">
      {({ tasks }) => <Rows tasks={tasks} isWhole={isWhole} total={counted} view={view} market={market} />}
    </QueryView>
  );
}

function countedLists(
  market: Market,
  view: View,
  address: string,
  filters: ListFilters,
): readonly CountedList[] {
  if (view !== 'own') return [{ market, list: view, filters }];
  return [
    { market, list: 'poster', address },
    { market, list: 'worker', address },
  ];
}

/** The filters in the address, as the API applies them. */
function useListFilters(): ListFilters {
  const search = useDeferredValue(useSearch().toString());
  const hour = Math.floor(useNow() / 3_600) * 3_600;
  return useMemo(() => toListFilters(parseFilter(new URLSearchParams(search)), hour), [search, hour]);
}

type RowsProps = {
  tasks: readonly Task[];
  isWhole: boolean;
  /** Of a list that is not whole. */
  total: number | null | undefined;
  view: View;
  market: Market;
};

function Rows({ tasks, isWhole, total, view, market }: RowsProps) {
  const search = useSearch();
  const filter = useDeferredValue(search.toString());
  const now = useNow();
  const minute = useMinute();
  const known = useMemo(() => tasks.map(buildRow), [tasks]);
  const all = view === 'open' ? dropExpired(known, now) : known;
  const price = useTokPrice();
  const rows = useMemo(() => {
    const asked = parseFilter(new URLSearchParams(filter));
    const priceE8 = price === null ? null : BigInt(Math.round(price * 1e8));
    return filterRows(all, view === 'own' ? { ...asked, isMixed: false } : asked, minute, priceE8);
  }, [all, filter, minute, price, view]);
  const plain = `/market.html?market=${market}&view=${view}`;
  if (all.length === 0 && isWhole) return <p className="notice">{emptyTexts[view]}</p>;
  if (rows.length === 0) {
    return (
      <p className="notice">
        {isWhole ? `None of the ${all.length} tasks` : 'No task'} matches the search and the filters.{' '}
        <Link href={plain}>Show all tasks</Link>
      </p>
    );
  }
  return <BoardTable rows={rows} all={all} filter={filter} total={isWhole ? all.length : total} />;
}

const emptyTexts: Readonly<Record<View, string>> = {
  open: 'No task is open right now. New tasks appear here automatically.',
  all: 'This market has no tasks yet. The first one will appear here automatically.',
  own: 'This wallet has not posted or claimed a task on this market.',
};

function parseView(asked: string | null): keyof typeof boardLists {
  return asked !== null && Object.hasOwn(boardLists, asked) ? (asked as keyof typeof boardLists) : 'open';
}
