// The board: one market's tasks, live. Search, filters and order are in the address.

import { isAddress, type Market, marketParameters } from '@svc/sdk/domain';
import { useDeferredValue, useMemo } from 'react';
import { useConnection } from 'wagmi';
import { useNow } from '#components/Clock.tsx';
import { MarketSwitch, marketNames } from '#components/MarketHeader.tsx';
import { hrefWith, Link, useSearch } from '#components/navigation.tsx';
import { QueryView } from '#components/QueryView.tsx';
import { buildRow, dropExpired, filterRows, parseFilter } from '#data/boardRows.ts';
import { shorten, showTok } from '#data/format.ts';
import { type OpenTask, type Task, useOpenTasks, useOwnTasks, useRecentTasks } from '#data/market.ts';
import { showDuration } from '#data/time.ts';
import { BoardFilters } from './BoardFilters.tsx';
import { BoardTable } from './BoardTable.tsx';

const views = { open: 'Open', all: 'All', own: 'Yours' } as const;
type View = keyof typeof views;

export function Board({ market }: { readonly market: Market }) {
  const search = useSearch();
  const view = parseView(search.get('view'));
  const { address: connected } = useConnection();
  const asked = search.get('wallet');
  const address = isAddress(asked) ? asked : connected;
  const lists = {
    open: useOpenTasks(market, view === 'open'),
    all: useRecentTasks(market, view === 'all'),
    own: useOwnTasks(market, address, view === 'own'),
  };
  return (
    <>
      <header className="boardhead">
        <div>
          <h1>{marketNames[market]} market</h1>
          <p className="lead">
            {describeMarket(market)} Each market has its own contracts, money and reputation.
          </p>
        </div>
        <Link className="button" data-is="main" href={`/market.html?market=${market}&post=new`}>
          Post a task
        </Link>
      </header>
      <div className="controls boardtabs">
        <MarketSwitch />
        <nav className="switch" aria-label="Tasks">
          {Object.entries(views).map(([name, label]) => (
            <Link key={name} href={hrefWith(search, 'view', name)} aria-current={name === view}>
              {name === 'own' && isAddress(asked) ? shorten(asked) : label}
            </Link>
          ))}
        </nav>
        <BoardFilters />
      </div>
      {view === 'own' && address === undefined ? (
        <p className="notice">Connect a wallet to see the tasks that it posted or claimed.</p>
      ) : (
        <QueryView<readonly (OpenTask | Task)[]> query={lists[view]} what="the tasks">
          {(tasks) => <Rows key={`${market}${view}`} tasks={tasks} view={view} market={market} />}
        </QueryView>
      )}
    </>
  );
}

function Rows({
  tasks,
  view,
  market,
}: {
  readonly tasks: readonly (OpenTask | Task)[];
  readonly view: View;
  readonly market: Market;
}) {
  const search = useSearch();
  const filter = useDeferredValue(search.toString());
  const now = useNow();
  const minute = Math.floor(now / 60);
  const known = useMemo(() => tasks.map(buildRow), [tasks]);
  const all = view === 'open' ? dropExpired(known, now) : known;
  const rows = useMemo(
    () => filterRows(all, parseFilter(new URLSearchParams(filter)), minute * 60),
    [all, filter, minute],
  );
  if (all.length === 0) return <p className="notice">{emptyTexts[view]}</p>;
  if (rows.length === 0) {
    return (
      <p className="notice">
        None of the {all.length} tasks matches the search and the filters.{' '}
        <Link href={`/market.html?market=${market}&view=${view}`}>Show all tasks</Link>
      </p>
    );
  }
  return <BoardTable rows={rows} all={all} filter={filter} />;
}

const emptyTexts: Readonly<Record<View, string>> = {
  open: 'No task is open right now. New tasks appear here automatically.',
  all: 'This market has no tasks yet. The first one will appear here automatically.',
  own: 'This wallet has not posted or claimed a task on this market.',
};

function parseView(asked: string | null): View {
  return asked !== null && Object.hasOwn(views, asked) ? (asked as View) : 'open';
}

function describeMarket(market: Market): string {
  const { minTotalTokWei, minReviewSeconds, maxReviewSeconds } = marketParameters[market];
  const review = `${showDuration(minReviewSeconds)} to ${showDuration(maxReviewSeconds)}`;
  return `Tasks of ${showTok(minTotalTokWei)} TOK or more, with ${review} to review each delivery.`;
}
