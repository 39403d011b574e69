// The entry of my.html: what needs the connected wallet now, what waits for others, what is finished, and its money.
import { type Address, isSameAddress, markets } from '@svc/sdk/domain';
import { useEffect, useMemo } from 'react';
import { Ago, Countdown, useNow } from '#components/Clock.tsx';
import { lazyPart } from '#components/lazyPart.tsx';
import { PageHead } from '#components/MarketHeader.tsx';
import { Tok } from '#components/Money.tsx';
import { QueryView, Skeleton } from '#components/QueryView.tsx';
import { Sheet } from '#components/Sheet.tsx';
import { StateBadge } from '#components/StateBadge.tsx';
import { TaskSheet } from '#components/TaskRows.tsx';
import { type Task, useBothMarkets, useOwnTasks, useRecentTasks } from '#data/market.ts';
import { type OwnTask, sortOwnTasks } from '#data/ownTasks.ts';
import { views } from '#data/pageList.ts';
import { setTitleCount } from '#data/tabTitle.ts';
import { mount } from '#frame/mount.tsx';
import { ChooseWallet, useWallet, WrongChain } from '#wallet/useWallet.tsx';
import { useVisitorRpc, VisitorButton } from '#wallet/Visitor.tsx';
import { NoticeSwitch, useTurnNotices } from './my/Notices.tsx';

/** A separate chunk: it reads balances and messages. */
const MyFunds = lazyPart(
  async () => (await import('./my/MyFunds.tsx')).MyFunds,
  <Skeleton text="Loading your balances…" />,
);

function MyPage() {
  const wallet = useWallet();
  return (
    <>
      <PageHead title={views.my.heading} lead={views.my.lead} />
      {wallet === null ? (
        <NoWallet />
      ) : (
        <div className="taskgrid" data-is="task">
          <div className="stack">
            {!wallet.isOnChain && <WrongChain />}
            <OwnWork address={wallet.address} />
            {/* Below the lists: it appears with the wallet, and must move nothing. */}
            <NoticeSwitch />
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
  const own = useBothMarkets(useOwnTasks('standard', address), useOwnTasks('micro', address));
  const judged = useJudgedTasks(address);
  const minute = Math.floor(useNow() / 60) * 60;
  const { needed, waiting, finished } = useMemo(
    () => sortOwnTasks([...(own.data ?? []), ...judged], address, minute),
    [own.data, judged, address, minute],
  );
  useEffect(() => {
    setTitleCount('tasks', needed.length);
    return () => setTitleCount('tasks', 0);
  }, [needed.length]);
  useTurnNotices(own.data === undefined ? null : needed);
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
              more={{}}
              empty="Nothing needs you right now."
              isNeeded
            >
              {describeOwn}
            </TaskSheet>
            <TaskSheet
              title="Waiting for others"
              items={waiting}
              more={shownRows}
              empty="Nothing waits for others."
            >
              {describeOwn}
            </TaskSheet>
            {finished.length > 0 && (
              <TaskSheet title="Finished" items={finished} more={shownRows}>
                {describeOwn}
              </TaskSheet>
            )}
          </>
        )
      }
    </QueryView>
  );
}

const shownRows = { narrow: 4, wide: 10 };

/** Open disputes whose judge this wallet is. */
function useJudgedTasks(address: Address): readonly Task[] {
  const [standard, micro] = [useRecentTasks('standard').data, useRecentTasks('micro').data];
  return useMemo(
    () =>
      [...(standard ?? []), ...(micro ?? [])].filter(
        ({ dispute }) => dispute?.judge != null && isSameAddress(dispute.judge as Address, address),
      ),
    [standard, micro, address],
  );
}

function FirstSteps() {
  return (
    <Sheet title="First steps">
      <p>This wallet has no tasks yet. Begin on either side:</p>
      <p className="row">
        <a className="button" data-is="main" href="/market.html?funding=full">
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

function describeOwn({ task, role, sentence, until }: OwnTask) {
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
      <span className="small quiet">
        <StateBadge state={task.state} /> you are the {role} · <Tok wei={task.totalAmountTokWei} hasUsd /> ·
        changed <Ago time={task.updatedAt} />
      </span>
    </>
  );
}

mount(<MyPage />);
