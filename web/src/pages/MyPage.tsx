// What needs the connected wallet now, what waits for others, what is finished, and its money.
import { type Address, markets, parseTok } from '@svc/sdk/domain';
import { stakeNames } from '@svc/sdk/internal/domain/concernNames';
import { Fragment, useEffect, useMemo } from 'react';
import { Ago, Countdown } from '../components/Clock.tsx';
import { PageHead } from '../components/MarketHeader.tsx';
import { Tok, TokText } from '../components/Money.tsx';
import { lazyPart, QueryView, Skeleton } from '../components/QueryView.tsx';
import { Says } from '../components/Says.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { TaskSheet } from '../components/TaskRows.tsx';
import { queries, useIsGateway } from '../data/client.ts';
import { readMoney } from '../data/earnings.ts';
import { showDay } from '../data/format.ts';
import {
  type Concern,
  describeTurn,
  nameRoles,
  type OwnTask,
  showCapped,
  sortOwnTasks,
  useOwnNews,
  useSessionToken,
  useTodo,
} from '../data/ownTasks.ts';
import { views } from '../data/pageList.ts';
import { queryKeys } from '../data/queryKeys.ts';
import { showSays } from '../data/showSays.ts';
import { setTitleCount } from '../data/tabTitle.ts';
import { SignInButton, useSession } from '../wallet/useSession.tsx';
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
            <SignInForRest />
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
  const own = useTodo(address);
  const isSignedIn = useSessionToken(address) !== null;
  const { needed, waiting, finished, counts } = useMemo(() => sortOwnTasks(own.data ?? []), [own.data]);
  useEffect(() => {
    setTitleCount('tasks', counts.needed);
    queries.setQueryData(queryKeys.needed(address, isSignedIn), counts.needed);
    return () => setTitleCount('tasks', 0);
  }, [address, isSignedIn, counts.needed]);
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
            {own.hasNextPage && (
              <button type="button" className="button more" onClick={() => void own.fetchNextPage()}>
                Load more tasks
              </button>
            )}
          </>
        )
      }
    </QueryView>
  );
}

/** Proposals and requests are no public facts. */
function SignInForRest() {
  const session = useSession();
  if (!useIsGateway() || session.token !== null) return null;
  return (
    <SignInButton session={session}>
      Sign in to see the rest: proposals, offers to sign, changes that were asked for, and requests of your
      tools.
    </SignInButton>
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
            <Money moved={own.task?.moved ?? []} />
          </>
        )}
      </TaskSheet>
      <p className="small">
        <a href="/wallet.html">What you received and paid, by month and as CSV</a>
      </p>
    </>
  );
}

function Money({ moved }: { moved: Concern['moved'] }) {
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

function describeOwn({ task, isPrivate, says, silence, due, since, turn }: OwnTask) {
  return (
    <>
      <span className="turn">
        {task === null || isPrivate ? <Says says={says} /> : describeTurn(task)}
        {due !== null && (
          <>
            {isPrivate ? ' ' : ', '}
            <Countdown to={due} isRest />
          </>
        )}
      </span>
      {turn === 'mine' && silence !== null && (
        <span className="small">
          {due !== null && `Until ${showDay(due)}. `}
          <TokText text={showSays(silence)} />
        </span>
      )}
      <span className="small quiet">
        {task === null ? (
          'Only you see this'
        ) : (
          <>
            <StateBadge state={task.state} /> you are the {nameRoles(task)}
            {task.atStake.map(({ kind, token, amount }) => (
              <Fragment key={kind}>
                {' · '}
                {token === 'TOK' ? <Tok wei={parseTok(amount)} hasUsd /> : `${amount} USDC`}{' '}
                {stakeNames[kind]}
              </Fragment>
            ))}
          </>
        )}{' '}
        · changed <Ago time={since} />
      </span>
    </>
  );
}
