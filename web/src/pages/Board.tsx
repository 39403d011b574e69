// The board: one market's tasks, found by search and filters that stand in the address, live.

import type { Market } from '@svc/sdk/domain';
import { isAddress } from '@svc/sdk/domain';
import { useDeferredValue, useMemo } from 'react';
import { useConnection } from 'wagmi';
import { Answer } from '../components/Answer.tsx';
import { Link } from '../components/Link.tsx';
import { MarketSwitch, marketWords } from '../components/MarketSwitch.tsx';
import { useSearch } from '../data/address.ts';
import { useNow } from '../data/clock.ts';
import { shorten } from '../data/format.ts';
import { type OpenTask, type Task, useOpenTasks, useOwnTasks, useRecentTasks } from '../data/market.ts';
import { buildRow, chooseRows, dropExpired, readFilter } from '../data/rows.ts';
import { BoardFilters } from './BoardFilters.tsx';
import { BoardTable } from './BoardTable.tsx';

const views = { open: 'Open', all: 'All', own: 'Yours' } as const;
type View = keyof typeof views;

export function Board({ market }: { readonly market: Market }) {
  const search = useSearch();
  const view = readView(search.get('view'));
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
          <h1>{marketWords[market]} market</h1>
          <p className="lead">
            {market === 'standard'
              ? 'Tasks from 100 TOK up, with reviews from half a day to a month.'
              : 'Small tasks from 1 TOK up, with reviews from an hour to a week.'}{' '}
            The two markets never mix: other contracts, other money, other reputation.
          </p>
        </div>
        <Link className="button" data-is="main" href={`/market.html?market=${market}&post=new`}>
          Post a task
        </Link>
      </header>
      <div className="controls boardtabs">
        <MarketSwitch />
        <nav className="switch" aria-label="Which tasks">
          {Object.entries(views).map(([name, word]) => (
            <Link key={name} href={hrefOf(search, { view: name })} aria-current={name === view}>
              {name === 'own' && isAddress(asked) ? shorten(asked) : word}
            </Link>
          ))}
        </nav>
        <BoardFilters />
      </div>
      {view === 'own' && address === undefined ? (
        <p className="notice">Connect a wallet to see what it has posted and what it works on.</p>
      ) : (
        <Answer<readonly (OpenTask | Task)[]> of={lists[view]} what="the tasks">
          {(tasks) => <Rows key={`${market}${view}`} tasks={tasks} view={view} market={market} />}
        </Answer>
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
    () => chooseRows(all, readFilter(new URLSearchParams(filter)), minute * 60),
    [all, filter, minute],
  );
  if (all.length === 0) return <p className="notice">{emptyWords[view]}</p>;
  if (rows.length === 0) {
    return (
      <p className="notice">
        None of the {all.length} tasks fits the search and the filters.{' '}
        <Link href={`/market.html?market=${market}&view=${view}`}>Show all of them</Link>
      </p>
    );
  }
  return <BoardTable rows={rows} all={all} question={filter} />;
}

const emptyWords: Readonly<Record<View, string>> = {
  open: 'No task is open right now. New ones appear here by themselves.',
  all: 'Nothing has happened on this market yet. The first task will appear here by itself.',
  own: 'This wallet has posted nothing and claimed nothing on this market.',
};

function readView(asked: string | null): View {
  return asked !== null && Object.hasOwn(views, asked) ? (asked as View) : 'open';
}

function hrefOf(search: URLSearchParams, changes: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) next.set(name, value);
  return `/market.html?${next}`;
}
