// What a wallet did in one role, in figures.
import { type Address, markets } from '@svc/sdk/domain';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { Dollars } from '../../components/Money.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { type Figure, Figures, Sheet } from '../../components/Sheet.tsx';
import { countTasks, showShare } from '../../data/agentRecord.ts';
import { showDuration } from '../../data/format.ts';
import { ledgerQuery, showCount, type Task } from '../../data/market.ts';
import { type Profile, useProfile } from '../../data/profiles.ts';

type Role = 'poster' | 'worker';

const words = {
  poster: { title: 'As poster', tasks: 'Posted', sum: 'Paid to workers', locked: 'In escrow now' },
  worker: { title: 'As worker', tasks: 'Claimed', sum: 'Earned', locked: 'In escrow for its work' },
} as const;

type Props = {
  side: Role;
  address: Address;
  query: UseQueryResult<readonly Task[]>;
  /** Of all its tasks, also of those that were not loaded. */
  count: number | null | undefined;
};

export function RoleCard({ side, address, query, count }: Props) {
  const { title } = words[side];
  // The heading of the page says that there are none.
  if (query.data?.length === 0) return null;
  return (
    <Sheet title={title} aria-label={title} isBare>
      <QueryView query={query} what="its tasks">
        {(tasks) => <RoleFigures side={side} address={address} tasks={tasks} count={count} />}
      </QueryView>
    </Sheet>
  );
}

type FiguresProps = Omit<Props, 'query'> & { tasks: readonly Task[] };

function RoleFigures({ side, address, tasks, count }: FiguresProps) {
  const { completed, disputed, payTime, deliveryTime } = countTasks(tasks);
  const sums = useSums(side, address);
  return (
    <Figures
      className="columns figures body"
      noteClass="small faint"
      figures={[
        {
          name: words[side].tasks,
          value: count === undefined ? '…' : showCount(count),
          ...(count !== undefined &&
            count !== tasks.length && { note: `shares and times: of the newest ${showCount(tasks.length)}` }),
        },
        {
          name: words[side].sum,
          value: <>{typeof sums === 'string' ? sums : <Dollars wei={sums.released} isExact />}</>,
        },
        { name: 'Paid in full', value: showShare(completed), note: 'of the ended tasks that had a worker' },
        { name: 'With a dispute', value: showShare(disputed), note: 'of the tasks that had a worker' },
        side === 'poster'
          ? {
              name: 'Time to pay',
              value: payTime === null ? 'no payment yet' : showDuration(payTime),
              note: 'from a delivery to its payment; half were faster',
            }
          : {
              name: 'Time to deliver',
              value: deliveryTime === null ? 'no delivery yet' : showDuration(deliveryTime),
              note: 'from the claim to the last delivery; half were faster',
            },
        ...describeRecord(side, useProfile(address).data),
        typeof sums !== 'string' &&
          sums.locked > 0n && { name: words[side].locked, value: <Dollars wei={sums.locked} isExact /> },
      ]}
    />
  );
}

const others = { poster: 'Different workers', worker: 'Different posters' } as const;

/** With how many it worked, and a poster's points: those of a worker stand beside. */
function describeRecord(side: Role, profile: Profile | undefined): (Figure | false)[] {
  if (profile === undefined) return [];
  const records = profile.records.map((record) => record[side]);
  const sum = (field: 'counterparties' | 'score') => records.reduce((total, one) => total + one[field], 0);
  return [
    { name: others[side], value: sum('counterparties'), note: 'on both markets, in the newest tasks' },
    side === 'poster' && {
      name: 'Points as poster',
      value: sum('score'),
      note: '10 for each different worker paid in full, 2 for each of up to 5 further tasks with it; −10 for a lost dispute',
    },
  ];
}

/** Of both markets, from the ledger; words while there are none. */
function useSums(role: Role, address: Address) {
  const ledgers = useQueries({ queries: markets.map((market) => ledgerQuery(market, address)) });
  const known = ledgers.flatMap(({ data }) => data ?? []);
  if (known.length < markets.length)
    return ledgers.some(({ isError }) => isError) ? 'cannot be read now' : '…';
  const sides = known.map(({ asPoster, asWorker }) => (role === 'poster' ? asPoster : asWorker));
  return {
    released: sides.reduce((sum, { releasedTokWei }) => sum + BigInt(releasedTokWei), 0n),
    locked: sides.reduce((sum, { lockedTokWei }) => sum + BigInt(lockedTokWei), 0n),
  };
}
