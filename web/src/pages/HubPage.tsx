// The hub: what this is in twenty words, what was paid, three live tasks, and two ways to begin.

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useConnection } from 'wagmi';
import { useNow } from '../components/Clock.tsx';
import { Identicon } from '../components/Identicon.tsx';
import { Dollars, Sum } from '../components/Money.tsx';
import { visit } from '../components/navigation.tsx';
import { PosterRecord, WhoName } from '../components/People.tsx';
import { QueryView } from '../components/QueryView.tsx';
import { buildRow, dropExpired, orders, type Row } from '../data/boardRows.ts';
import { useTokPrice } from '../data/client.ts';
import { nameTask, showAge, showDeposit, showDuration, showUsd, toTok } from '../data/format.ts';
import { useBoard } from '../data/gateway.ts';
import {
  boardQuery,
  maxListed,
  paidQuery,
  showCount,
  useBothMarkets,
  useSiteConfig,
} from '../data/market.ts';
import { views } from '../data/pageList.ts';
import { useVisitorRpc, VisitorButton } from '../wallet/Visitor.tsx';

export function HubPage() {
  return (
    <>
      <section className="open">
        <div className="stack wide">
          <h1>
            Work, <br className="wideonly" />
            paid by contract
          </h1>
          <p className="lead">{views.hub.lead}</p>
          <div className="row">
            <a className="button large" data-is="main" href="/market.html">
              Find work
            </a>
            <a className="button large" href="/market.html?market=standard&post=new">
              Post a task
            </a>
          </div>
          <TryIt />
        </div>
        <PaidOut />
      </section>
      <OpenNow />
      <HowItWorks />
    </>
  );
}

/** On the embedded chain only. */
function TryIt() {
  const rpcUrl = useVisitorRpc();
  const { isConnected } = useConnection();
  if (rpcUrl === null || isConnected) return null;
  return (
    <div className="row small soft">
      No wallet? <VisitorButton rpcUrl={rpcUrl} onDone={() => visit('/my.html')} />
    </div>
  );
}

const shownPayments = 4;

/** The newest tasks that ended paid, of both markets, under the sum of all that was ever paid. */
function PaidOut() {
  const now = useNow();
  const query = useBothMarkets(useQuery(paidQuery('standard')), useQuery(paidQuery('micro')));
  const paid = useMemo(
    () =>
      (query.data ?? []).toSorted((one, other) => other.updatedAt - one.updatedAt).slice(0, shownPayments),
    [query.data],
  );
  return (
    <section className="slip" aria-labelledby="paid">
      <div className="stub">
        <div className="row between">
          <h2 className="small soft mid" id="paid">
            Paid out so far
          </h2>
          <a className="small" href="/market.html?view=all&state=COMPLETED">
            All payments
          </a>
        </div>
        <Total />
      </div>
      <div className="tear" />
      <QueryView query={query} what="the payments">
        {() =>
          paid.length === 0 ? (
            <p className="terms soft">Nothing yet. The first payment appears here.</p>
          ) : (
            <ul className="roll">
              {paid.map((task) => (
                <li key={task.id}>
                  <Dollars wei={task.releasedTokWei} />
                  <span>
                    {task.worker !== undefined && (
                      <>
                        <Identicon address={task.worker} size="s" />
                        <WhoName address={task.worker} />
                      </>
                    )}{' '}
                    <a href={`/market.html?task=${task.id}`} dir="auto">
                      {nameTask(task)}
                    </a>
                  </span>
                  <span className="small soft">{showAge(task.updatedAt, now)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  );
}

/** A site alone keeps no sums. */
function Total() {
  const boards = [useBoard('marketHealth', 'standard').data, useBoard('marketHealth', 'micro').data];
  const known = boards.filter((board) => board !== undefined);
  if (known.length < boards.length) return <span className="sum">&nbsp;</span>;
  const weeks = known.flatMap((board) => board.weeks);
  const sum = (read: (week: (typeof weeks)[number]) => number) =>
    weeks.reduce((total, week) => total + read(week), 0);
  const ended = sum(({ completed, resolved }) => completed + resolved);
  const accepted = sum((week) => week.accepted);
  const claimed = sum((week) => week.claimed);
  return (
    <>
      <Sum wei={known.reduce((total, { totals }) => total + BigInt(totals.paidTokWei), 0n)} isAlone />
      <p className="rec">
        <span>{ended} tasks</span>
        {accepted > 0 && <span>paid in {showDuration(sum((week) => week.waitedSeconds) / accepted, 1)}</span>}
        {claimed > 0 && <span>{Math.round((sum((week) => week.disputes) / claimed) * 100)} % disputed</span>}
      </p>
    </>
  );
}

const shownTasks = 3;

function OpenNow() {
  const now = useNow();
  const query = useBothMarkets(useQuery(boardQuery('standard')), useQuery(boardQuery('micro')));
  const known = useMemo(() => (query.data ?? []).map(buildRow), [query.data]);
  const rows = dropExpired(known, now).toSorted(orders.funded);
  const price = useTokPrice();
  const sum = rows.reduce((total, row) => total + toTok(row.total), 0);
  const isWhole = known.length < maxListed;
  return (
    <section className="stack">
      <div className="row between">
        <h2>Open now</h2>
        <a className="mid" href="/market.html">
          All {isWhole && `${showCount(rows.length)} `}tasks
          {isWhole && price !== null && `, ${showUsd(sum * price)}`}
        </a>
      </div>
      <QueryView query={query} what="the open tasks">
        {() => (
          <div className="third">
            {rows.slice(0, shownTasks).map((row) => (
              <Tile key={row.id} row={row} now={now} />
            ))}
            {rows.length === 0 && <p className="soft">No task is open right now.</p>}
          </div>
        )}
      </QueryView>
    </section>
  );
}

function Tile({ row, now }: { row: Row; now: number }) {
  return (
    <article className="slip tile">
      <div className="stub">
        <Sum wei={row.total} note={row.missing === null ? 'locked' : row.funding.toLowerCase()} />
      </div>
      <div className="tear" />
      <div className="terms stack tight">
        <h3>
          <a href={`/market.html?task=${row.id}`} dir="auto">
            {row.title}
          </a>
        </h3>
        <div className="row small">
          <Identicon address={row.poster} size="s" />
          <WhoName address={row.poster} />
        </div>
        <p className="rec">
          <PosterRecord address={row.poster} market={row.market} />
          <span>due in {showDuration(row.deadline - now, 1)}</span>
        </p>
      </div>
    </article>
  );
}

function HowItWorks() {
  const limits = useSiteConfig('standard').data?.limits;
  const steps = [
    ['Locked first.', 'The reward sits in a contract (escrow) before work begins.'],
    ['Silence pays.', 'No answer to a delivery within the review time: the worker is paid.'],
    [
      'A deposit keeps both fair.',
      `${limits === undefined ? 'Some USDC' : showDeposit(limits.entryCollateralUsd)}, which stays yours.`,
    ],
  ] as const;
  return (
    <section className="stack how" aria-label="How it works">
      <ol className="third">
        {steps.map(([name, words], index) => (
          <li key={name}>
            <span className="n">{index + 1}</span>
            <p>
              <b>{name}</b> <span className="soft">{words}</span>{' '}
              {index === steps.length - 1 && <a href="/docs/in-the-browser">What newcomers need</a>}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
