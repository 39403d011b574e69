// What a wallet did in one role, in figures.
import { type Address, type Market, markets } from '@svc/sdk/domain';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Tok } from '#components/Money.tsx';
import { countTasks, showShare } from '#data/agentRecord.ts';
import { client } from '#data/client.ts';
import { maxListed, type Task } from '#data/market.ts';
import { queryKeys } from '#data/queryKeys.ts';
import { showDuration } from '#data/time.ts';

type Role = 'poster' | 'worker';

const words = {
  poster: { title: 'As poster', tasks: 'Posted', sum: 'Paid to workers' },
  worker: { title: 'As worker', tasks: 'Claimed', sum: 'Earned' },
} as const;

export function RoleCard({
  side,
  address,
  tasks,
  failure,
}: {
  readonly side: Role;
  readonly address: Address;
  readonly tasks: readonly Task[] | undefined;
  readonly failure: ReactNode;
}) {
  const { title } = words[side];
  // The heading of the page says that there are none.
  if (tasks?.length === 0) return null;
  return (
    <section className="sheet" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {failure ??
        (tasks === undefined ? (
          <p className="body quiet">Loading its tasks…</p>
        ) : (
          <Figures side={side} address={address} tasks={tasks} />
        ))}
    </section>
  );
}

function Figures({
  side,
  address,
  tasks,
}: {
  readonly side: Role;
  readonly address: Address;
  readonly tasks: readonly Task[];
}) {
  const { completed, disputed, payTime, deliveryTime } = countTasks(tasks);
  const sums = useSums(side, address);
  const isCut = markets.some((market) => tasks.filter((task) => task.market === market).length === maxListed);
  return (
    <dl className="profilefigures body">
      <Figure name={words[side].tasks}>
        {isCut ? `the newest ${tasks.length.toLocaleString('en-US')}` : tasks.length}
      </Figure>
      <Figure name={words[side].sum}>
        {sums === null ? '…' : <Tok wei={sums.released} hasUsd />}
        {sums?.isPartial === true && (
          <small className="faint"> at least; older payments are being read</small>
        )}
      </Figure>
      <Figure name="Paid in full" note="of the ended tasks that had a worker">
        {showShare(completed)}
      </Figure>
      <Figure name="With a dispute" note="of the tasks that had a worker">
        {showShare(disputed)}
      </Figure>
      {side === 'poster' ? (
        <Figure name="Time to pay" note="from a delivery to its payment; half were faster">
          {payTime === null ? 'no payment yet' : showDuration(payTime)}
        </Figure>
      ) : (
        <Figure name="Time to deliver" note="from the claim to the last delivery; half were faster">
          {deliveryTime === null ? 'no delivery yet' : showDuration(deliveryTime)}
        </Figure>
      )}
      {sums !== null && sums.locked > 0n && (
        <Figure name={side === 'poster' ? 'In escrow now' : 'In escrow for its work'}>
          <Tok wei={sums.locked} hasUsd />
        </Figure>
      )}
    </dl>
  );
}

function Figure({
  name,
  note,
  children,
}: {
  readonly name: string;
  readonly note?: string;
  readonly children: ReactNode;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note !== undefined && <dd className="small faint">{note}</dd>}
    </div>
  );
}

/** Of both markets, from the ledger; null while it loads. */
function useSums(role: Role, address: Address) {
  const ledgers = useQueries({
    queries: markets.map((market: Market) => ({
      queryKey: queryKeys.ledger(market, address),
      staleTime: 60_000,
      queryFn: ({ signal }: { signal: AbortSignal }) => client.ledger(address, { market, signal }),
    })),
  });
  const known = ledgers.flatMap(({ data }) => data ?? []);
  if (known.length < markets.length) return null;
  const sides = known.map(({ asPoster, asWorker }) => (role === 'poster' ? asPoster : asWorker));
  return {
    released: sides.reduce((sum, { releasedTokWei }) => sum + BigInt(releasedTokWei), 0n),
    locked: sides.reduce((sum, { lockedTokWei }) => sum + BigInt(lockedTokWei), 0n),
    isPartial: role === 'worker' && known.some(({ complete }) => !complete),
  };
}
