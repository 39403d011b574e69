// What needs the connected wallet now, what waits for others, what is finished, and its money.
import { type Address, markets, parseTok } from '@svc/sdk/domain';
import { stakeNames } from '@svc/sdk/internal/domain/concernNames';
import { Fragment, useEffect, useMemo } from 'react';
import { Ago, Countdown } from '../components/Clock.tsx';
import { PageHead } from '../components/MarketHeader.tsx';
import { Tok, TokText } from '../components/Money.tsx';
import { lazyPart, QueryView, Skeleton } from '../components/QueryView.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { TaskSheet } from '../components/TaskRows.tsx';
import { queries } from '../data/client.ts';
import { readMoney } from '../data/earnings.ts';
import { showDay } from '../data/format.ts';
import { useBothMarkets } from '../data/market.ts';
import { type OwnTask, showCapped, sortOwnTasks, useConcerns, useOwnNews } from '../data/ownTasks.ts';
import { views } from '../data/pageList.ts';
import { queryKeys } from '../data/queryKeys.ts';
import { setTitleCount } from '../data/tabTitle.ts';
import { ChooseWallet, useWallet } from '../wallet/useWallet.tsx';
import { useVisitorRpc, VisitorButton } from '../wallet/Visitor.tsx';

/** A separate chunk: it reads balances and messages. */
const MyFunds = lazyPart(
  async () => (await import('./my/MyFunds.tsx')).MyFunds,
  <Skeleton text="Loading your balances…" />,
);

export function MyPage() {
  const wallet = useWallet();
  return (
    <>
      <PageHead title={views.my.heading} lead={views.my.lead} />
      {wallet === null ? (
        <NoWallet />
      ) : (
        <div className="taskgrid" data-is="task">
          <div className="stack">
            <OwnWork address={wallet.address} />
            <p className="small">
              <a href="/notifications.html">Get notices by e-mail or in your browser</a>, also while no page
              is open.
            </p>
          </div>
          <aside className="stack" aria-label="Your money and messages">
            <MyFunds address={wallet.address} />
          </aside>
        </div>
      )}
    </>
  );
}

function NoWallet() {
  const visitorRpc = useVisitorRpc();
  return (
    <div className="notice">
      <p>Connect a wallet to see the tasks that it posted, works on or judges.</p>
      <div className="row">
        {visitorRpc !== null && <VisitorButton rpcUrl={visitorRpc} isMain />}
        <ChooseWallet isMain={visitorRpc === null} />
      </div>
    </div>
  );
}

function OwnWork({ address }: { address: Address }) {
  useOwnNews(address);
  const [standard, micro] = [useConcerns('standard', address), useConcerns('micro', address)];
  const own = useBothMarkets(standard, micro);
  const { needed, waiting, finished, counts } = useMemo(() => sortOwnTasks(own.data ?? []), [own.data]);
  useEffect(() => {
    setTitleCount('tasks', counts.needed);
    queries.setQueryData(queryKeys.needed(address), counts.needed);
    return () => setTitleCount('tasks', 0);
  }, [address, counts.needed]);
  const unfinished = [standard, micro].filter(({ hasNextPage }) => hasNextPage);
  return (
    <QueryView query={own} what="your tasks">
      {() =>
        needed.length + waiting.length + finished.length === 0 ? (
          <FirstSteps />
        ) : (
          <>
            <TaskSheet
              title="Needs you now"
              items={needed}
              count={showCapped(counts.needed)}
              more={{}}
              empty="Nothing needs you right now."
              isNeeded
            >
              {describeOwn}
            </TaskSheet>
            <TaskSheet
              title="Waiting for others"
              items={waiting}
              count={showCapped(counts.waiting)}
              more={shownRows}
              empty="Nothing waits for others."
            >
              {describeOwn}
            </TaskSheet>
            {finished.length > 0 && <Finished items={finished} count={showCapped(counts.finished)} />}
            {unfinished.length > 0 && (
              <button
                type="button"
                className="button more"
                onClick={() => unfinished.map((query) => query.fetchNextPage())}
              >
                Load more tasks
              </button>
            )}
          </>
        )
      }
    </QueryView>
  );
}

type FinishedProps = {
  items: readonly OwnTask[];
  count: string;
};

/** With what the wallet received or paid in each task. */
function Finished({ items, count }: FinishedProps) {
  return (
    <>
      <TaskSheet title="Finished" items={items} count={count} more={shownRows}>
        {(own) => (
          <>
            {describeOwn(own)}
            <Money moved={own.concern.moved} />
          </>
        )}
      </TaskSheet>
      <p className="small">
        <a href="/wallet.html">What you received and paid, by month and as CSV</a>
      </p>
    </>
  );
}

function Money({ moved }: { moved: OwnTask['concern']['moved'] }) {
  const { received, paid, returned } = readMoney(moved);
  const parts = (
    [
      ['received', received],
      ['paid', paid],
    ] as const
  ).filter(([, wei]) => wei > 0n);
  return (
    <span className="small">
      {parts.length === 0 && 'No TOK was paid'}
      {parts.map(([verb, wei], at) => (
        <Fragment key={verb}>
          {at === 0 ? 'You ' : ' and '}
          {verb} <Tok wei={wei} />
        </Fragment>
      ))}
      {returned > 0n && (
        <>
          , not counting <Tok wei={returned} /> that came back from escrow
        </>
      )}
    </span>
  );
}

const shownRows = { narrow: 4, wide: 10 };

function FirstSteps() {
  return (
    <Sheet title="First steps">
      <p>This wallet has no tasks yet. Begin on either side:</p>
      <p className="row">
        <a className="button" data-is="main" href="/market.html?market=standard&funding=full">
          Find funded work
        </a>
        {markets.map((market) => (
          <a key={market} className="button" href={`/market.html?market=${market}&post=new`}>
            Post a {market} task
          </a>
        ))}
      </p>
    </Sheet>
  );
}

function describeOwn({ role, sentence, concern }: OwnTask) {
  const { state, until, afterwards, atStake, updatedAt, turn } = concern;
  return (
    <>
      <span className="turn">
        {sentence}
        {until !== null && (
          <>
            {', '}
            <Countdown to={until} isRest />
          </>
        )}
      </span>
      {turn === 'mine' && afterwards !== null && (
        <span className="small">
          {until !== null && `Until ${showDay(until)}. `}
          <TokText text={afterwards} />
        </span>
      )}
      <span className="small quiet">
        <StateBadge state={state} /> you are the {role}
        {atStake.map(({ kind, token, amount }) => (
          <Fragment key={kind}>
            {' · '}
            {token === 'TOK' ? <Tok wei={parseTok(amount)} hasUsd /> : `${amount} USDC`} {stakeNames[kind]}
          </Fragment>
        ))}{' '}
        · changed <Ago time={updatedAt} />
      </span>
    </>
  );
}
