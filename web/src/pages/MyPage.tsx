// The entry of my.html: what needs the connected wallet now, what waits for others, what is finished, and its money.
import { type Address, isSameAddress, type Market, markets } from '@svc/sdk/domain';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { Ago, Countdown, useNow } from '#components/Clock.tsx';
import { Tok } from '#components/Money.tsx';
import { LoadError } from '#components/QueryView.tsx';
import { useShortList } from '#components/ShortList.tsx';
import { Skeleton } from '#components/Skeleton.tsx';
import { StateBadge } from '#components/StateBadge.tsx';
import { nameTask } from '#data/format.ts';
import { type Task, useOwnTasks, useRecentTasks } from '#data/market.ts';
import { type OwnTask, sortOwnTasks } from '#data/ownTasks.ts';
import { views } from '#data/pageList.ts';
import { setTitleCount } from '#data/tabTitle.ts';
import { mount } from '#frame/mount.tsx';
import { ChooseWallet, useWallet, WrongChain } from '#wallet/useWallet.tsx';
import { useVisitorRpc, VisitorButton } from '#wallet/Visitor.tsx';
import { NoticeSwitch, useTurnNotices } from './my/Notices.tsx';

/** A separate chunk: it reads balances and messages. */
const MyFunds = lazy(async () => ({ default: (await import('./my/MyFunds.tsx')).MyFunds }));

function MyPage() {
  const wallet = useWallet();
  return (
    <>
      <header className="pagehead">
        <div>
          <h1>{views.my.heading}</h1>
          <p className="lead">{views.my.lead}</p>
        </div>
      </header>
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
            <Suspense fallback={<Skeleton text="Loading your balances…" />}>
              <MyFunds address={wallet.address} />
            </Suspense>
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

function OwnWork({ address }: { readonly address: Address }) {
  const [standard, micro] = [useOwnTasks('standard', address), useOwnTasks('micro', address)];
  const judged = useJudgedTasks(address);
  const minute = Math.floor(useNow() / 60) * 60;
  const { needed, waiting, finished } = useMemo(
    () => sortOwnTasks([...(standard.data ?? []), ...(micro.data ?? []), ...judged], address, minute),
    [standard.data, micro.data, judged, address, minute],
  );
  useEffect(() => {
    setTitleCount('tasks', needed.length);
    return () => setTitleCount('tasks', 0);
  }, [needed.length]);
  const isLoaded = standard.data !== undefined && micro.data !== undefined;
  useTurnNotices(isLoaded ? needed : null);
  const failed = [standard, micro].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined)
    return (
      <LoadError error={failed.error as Error} what="your tasks" onRetry={() => void failed.refetch()} />
    );
  if (!isLoaded) return <Skeleton text="Loading your tasks…" />;
  if (needed.length + waiting.length + finished.length === 0) return <FirstSteps />;
  return (
    <>
      <TaskGroup name="Needs you now" tasks={needed} empty="Nothing needs you right now." isNeeded />
      <TaskGroup name="Waiting for others" tasks={waiting} empty="Nothing waits for others." />
      {finished.length > 0 && <TaskGroup name="Finished" tasks={finished} empty="" />}
    </>
  );
}

/** Open disputes whose judge this wallet is. */
function useJudgedTasks(address: Address): readonly Task[] {
  const [standard, micro] = [useRecentTasks('standard'), useRecentTasks('micro')];
  return useMemo(
    () =>
      [...(standard.data ?? []), ...(micro.data ?? [])].filter(
        ({ dispute }) => dispute?.judge != null && isSameAddress(dispute.judge as Address, address),
      ),
    [standard.data, micro.data, address],
  );
}

function FirstSteps() {
  return (
    <section className="sheet">
      <header>
        <h2>First steps</h2>
      </header>
      <div className="body stack">
        <p>This wallet has no tasks yet. Begin on either side:</p>
        <p className="row">
          <a className="button" data-is="main" href="/market.html?funding=full">
            Find funded work
          </a>
          {markets.map((market: Market) => (
            <a key={market} className="button" href={`/market.html?market=${market}&post=new`}>
              Post a {market} task
            </a>
          ))}
        </p>
      </div>
    </section>
  );
}

function TaskGroup({
  name,
  tasks,
  empty,
  isNeeded = false,
}: {
  readonly name: string;
  readonly tasks: readonly OwnTask[];
  readonly empty: string;
  readonly isNeeded?: boolean;
}) {
  const [shown, more] = useShortList(tasks, isNeeded ? {} : { narrow: 4, wide: 10 });
  return (
    <section className="sheet" aria-label={name}>
      <header>
        <h2>{name}</h2>
        <span className="small faint">{tasks.length}</span>
      </header>
      {tasks.length === 0 ? (
        <p className="body quiet">{empty}</p>
      ) : (
        <ul className="ownlist" data-is={isNeeded ? 'needed' : undefined}>
          {shown.map((own) => (
            <OwnRow key={own.task.id} own={own} />
          ))}
        </ul>
      )}
      {more}
    </section>
  );
}

function OwnRow({ own: { task, role, sentence, until } }: { readonly own: OwnTask }) {
  return (
    <li>
      <a href={`/market.html?task=${task.id}`} dir="auto">
        {nameTask(task)}
      </a>
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
    </li>
  );
}

mount(<MyPage />);
