// The board: one market's tasks, live. Search, filters and order are in the address, and the API applies them.

import type { ListFilters } from '@svc/sdk';
import { isAddress, type Market } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import { Bell, Plus } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { useConnection } from 'wagmi';
import { useNow } from '../components/Clock.tsx';
import { LinkSwitch, marketNames } from '../components/MarketHeader.tsx';
import { TokText } from '../components/Money.tsx';
import { Link, useSearch } from '../components/navigation.tsx';
import { Loading, lazyPart, QueryView } from '../components/QueryView.tsx';
import {
  buildRow,
  countFilters,
  dropExpired,
  keepListingFilters,
  parseFilter,
  toListFilters,
  toSavedSearch,
} from '../data/boardRows.ts';
import { useIsGateway } from '../data/client.ts';
import { shorten } from '../data/format.ts';
import {
  boardPage,
  type CountedList,
  ownTasksQuery,
  showCount,
  type Task,
  useBoardList,
  useCount,
} from '../data/market.ts';
import { views } from '../data/pageList.ts';
import { ConnectFirst } from '../wallet/useWallet.tsx';
import { BoardFilters, ChosenFilters } from './BoardFilters.tsx';
import { BoardRows } from './BoardRows.tsx';

const boardLists = { open: 'Open', wanted: 'Looking for proposals', all: 'All', own: 'Yours' } as const;
export type BoardList = keyof typeof boardLists;

/** A separate chunk: listings come from the gateway, with its schemas. */
const ListingBoard = lazyPart(
  async () => (await import('./listing/ListingBoard.tsx')).ListingBoard,
  <Loading what="the listings" shape="rows" />,
);

export function Board({ market }: { market: Market }) {
  const search = useSearch();
  const view = parseView(search.get('view'));
  const { address: connected } = useConnection();
  const asked = search.get('wallet');
  const address = isAddress(asked) ? asked : connected;
  // The others are kept in the address, for the lists of tasks.
  const filters = view === 'wanted' ? keepListingFilters(search) : search;
  return (
    <div className="stack">
      <div className="row between">
        <div className="row">
          <h1>{views[market].heading}</h1>
          <LinkSwitch label="Market" name="market" labels={marketNames} current={market} />
        </div>
        <Link
          className="button"
          data-is="main"
          aria-label="Post a task"
          href={`/market.html?market=${market}&post=new`}
        >
          <Plus />
          <span className="posts">Post a task</span>
        </Link>
      </div>
      <BoardFilters search={filters} view={view} />
      <ChosenFilters search={filters} />
      {view === 'wanted' ? (
        <ListingBoard market={market} />
      ) : view === 'own' && address === undefined ? (
        <ConnectFirst>Connect a wallet to see the tasks that it posted or claimed.</ConnectFirst>
      ) : view === 'own' ? (
        <OwnTasks key={market} market={market} address={address ?? ''} />
      ) : (
        <Tasks key={`${market}${view}`} market={market} view={view} />
      )}
      <div className="row between small soft">
        <LinkSwitch
          label="Tasks"
          name="view"
          labels={isAddress(asked) ? { ...boardLists, own: shorten(asked) } : boardLists}
          current={view}
        />
        <span className="row">
          <SaveSearch market={market} view={view} search={filters} />
          <FeedLink market={market} tags={search.get('tag')} />
        </span>
      </div>
      <p className="small soft">
        <TokText text={views[market].about} />
      </p>
    </div>
  );
}

/** Links to the page of notifications, which needs the session of a wallet. */
function SaveSearch({ market, view, search }: { market: Market; view: BoardList; search: URLSearchParams }) {
  const query = toSavedSearch(parseFilter(search), market, view);
  if (!useIsGateway() || query === null) return null;
  return (
    <a href={`/notifications.html?search=${encodeURIComponent(query)}`}>
      <Bell className="s" /> Save this search
    </a>
  );
}

type FeedLinkProps = { market: Market; tags: string | null };

/** Open tasks of the market, with the chosen tags, for feed readers. */
function FeedLink({ market, tags }: FeedLinkProps) {
  const query = new URLSearchParams({ market, ...(tags && { tag: tags }) });
  return (
    <a href={`/api/market/feed?${query}`} type="application/atom+xml">
      Feed
    </a>
  );
}

function OwnTasks({ market, address }: { market: Market; address: string }) {
  const list = useQuery(ownTasksQuery(market, address));
  const counted: readonly CountedList[] = [
    { market, list: 'poster', address },
    { market, list: 'worker', address },
  ];
  const total = useCount(list.data?.isWhole === false ? counted : []);
  return (
    <QueryView query={list} what="the tasks" shape="rows">
      {({ tasks, isWhole }) => (
        <Rows tasks={tasks} total={isWhole ? tasks.length : total} view="own" market={market} />
      )}
    </QueryView>
  );
}

function Tasks({ market, view }: { market: Market; view: 'open' | 'all' }) {
  const filters = useListFilters();
  const list = useBoardList(market, view, filters);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isPlaceholderData } = list;
  const loaded = list.data?.length ?? 0;
  const counted = useCount(hasNextPage ? [{ market, list: view, filters }] : []);
  return (
    <QueryView query={list} what="the tasks" shape="rows">
      {(tasks) => (
        <>
          <Rows
            tasks={tasks}
            total={hasNextPage ? counted : loaded}
            view={view}
            market={market}
            part={isPlaceholderData ? 'before' : String(Math.ceil(loaded / boardPage))}
          />
          {hasNextPage && <More isBusy={isFetchingNextPage} onMore={() => void fetchNextPage()} />}
        </>
      )}
    </QueryView>
  );
}

/** The next page loads when the reader comes near the end, or by the button. */
function More({ isBusy, onMore }: { isBusy: boolean; onMore: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (button.current === null || isBusy) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), {
      rootMargin: '300px',
    });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [isBusy, onMore]);
  return (
    <button ref={button} type="button" className="button" onClick={onMore} disabled={isBusy}>
      {isBusy ? 'Loading…' : 'Show more'}
    </button>
  );
}

/** The filters in the address, as the API applies them. */
function useListFilters(): ListFilters {
  const search = useDeferredValue(useSearch().toString());
  const hour = Math.floor(useNow() / 3_600) * 3_600;
  return useMemo(() => toListFilters(parseFilter(new URLSearchParams(search)), hour), [search, hour]);
}

type RowsProps = {
  tasks: readonly Task[];
  /** How many the list has, also those that were not loaded; undefined until it is known, null beyond counting. */
  total: number | null | undefined;
  view: 'open' | 'all' | 'own';
  market: Market;
  /** How much of the list is loaded: rows of another part are not new. `before` while rows of the filters before are shown. */
  part?: string;
};

function Rows({ tasks, total, view, market, part = '' }: RowsProps) {
  const search = useSearch();
  const now = useNow();
  const known = useMemo(() => tasks.map(buildRow), [tasks]);
  const rows = view === 'open' ? dropExpired(known, now) : known;
  const isFiltered = view !== 'own' && (search.has('q') || countFilters(parseFilter(search)) > 0);
  if (rows.length === 0)
    return isFiltered ? (
      <p className="notice">
        No task matches the search and the filters.{' '}
        <Link href={`/market.html?market=${market}&view=${view}`}>Show all tasks</Link>
      </p>
    ) : (
      <p className="notice">{emptyTexts[view]}</p>
    );
  const count = total === undefined ? 'More' : showCount(total);
  return (
    <BoardRows
      rows={rows}
      filter={`${search} ${part}`}
      hasStates={view !== 'open'}
      tally={
        part === 'before'
          ? 'Looking for tasks…'
          : `${count} ${total === 1 ? 'task' : 'tasks'}${isFiltered ? ' found' : ''}.${view === 'open' ? ' Funded, unless marked.' : ''}`
      }
    />
  );
}

const emptyTexts: Readonly<Record<RowsProps['view'], string>> = {
  open: 'No task is open right now. New tasks appear here automatically.',
  all: 'This market has no tasks yet. The first one will appear here automatically.',
  own: 'This wallet has not posted or claimed a task on this market.',
};

function parseView(asked: string | null): BoardList {
  return asked !== null && Object.hasOwn(boardLists, asked) ? (asked as BoardList) : 'open';
}
