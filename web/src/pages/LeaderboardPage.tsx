// Figures about workers and arbitrators that the contracts count.
import { type Market, reputationWeights as weights } from '@svc/sdk/domain';
import { useMemo } from 'react';
import { BoardPage, BoardView } from '../components/BoardView.tsx';
import { WalletLink } from '../components/Hex.tsx';
import { Dollars } from '../components/Money.tsx';
import { lazyPart } from '../components/QueryView.tsx';
import { Status } from '../components/Sheet.tsx';
import { type Column, StatsTable } from '../components/StatsTable.tsx';
import { type Boards, useLeastBond } from '../data/gateway.ts';
import { views } from '../data/pageList.ts';

/** A separate chunk, so that the boards come first. */
const FindWorkers = lazyPart(async () => (await import('./FindWorkers.tsx')).FindWorkers, null);

type Agent = Boards['reputation']['agents'][number];
type Verifier = Boards['verifiers']['verifiers'][number];

/** The first column of both tables. */
const rankAndWallet: Column<{ rank: number; address: string }> = {
  name: 'Rank and wallet',
  isText: true,
  value: ({ rank }) => rank,
  show: ({ rank, address }) => (
    <>
      <span className="rank">{rank}</span>
      <WalletLink address={address} />
    </>
  ),
};

const agentColumns: readonly Column<Agent>[] = [
  rankAndWallet,
  { name: 'Score', value: ({ score }) => score, show: ({ score }) => <b>{score}</b> },
  { name: 'Completed', value: ({ completed }) => completed },
  { name: 'Disputes won', value: ({ won }) => won },
  { name: 'Disputes lost', value: ({ lost }) => lost },
  { name: 'Abandoned', value: ({ left }) => left },
  { name: 'Dismissed', value: ({ dismissed }) => dismissed },
  tokColumn('Earned', ({ earnedTokWei }) => earnedTokWei),
];

function tokColumn<Row>(name: string, read: (row: Row) => string): Column<Row> {
  return { name, value: (row) => BigInt(read(row)), show: (row) => <Dollars wei={read(row)} isExact /> };
}

function Reputation({ agents: all, total }: Boards['reputation']) {
  // Posters win and lose disputes too, but nobody can hire them.
  const agents = useMemo(
    () => all.filter(({ claimed }) => claimed > 0).map((agent, at) => ({ ...agent, rank: at + 1 })),
    [all],
  );
  return (
    <>
      <StatsTable
        name="agents"
        caption="Workers"
        defaultOrder=" by score"
        extent={total > all.length ? `, of the first ${all.length} of ${total} wallets` : ''}
        rows={agents}
        columns={agentColumns}
      />
      <p className="small soft">
        Score: {weights.completed} points for each completed task and {weights.disputesWon} for a won dispute;
        minus {-weights.disputesLost} for a lost dispute, {-weights.dismissed} for a dismissal and{' '}
        {-weights.left} for abandoning a task.
      </p>
    </>
  );
}

function Verifiers({ market, verifiers }: { market: Market; verifiers: readonly Verifier[] }) {
  const minBond = useLeastBond(market);
  const columns: readonly Column<Verifier>[] = [
    rankAndWallet,
    {
      name: 'State',
      isText: true,
      value: ({ eligible }) => (eligible ? 0 : 1),
      show: ({ eligible, bondTokWei }) => (
        <Status tone={eligible ? 'act' : 'done'}>
          {eligible
            ? '● takes cases'
            : BigInt(bondTokWei) < minBond
              ? '○ bond below the minimum'
              : '○ takes no cases'}
        </Status>
      ),
    },
    tokColumn('Bond', ({ bondTokWei }) => bondTokWei),
    { name: 'Resolved', value: ({ resolved }) => resolved },
    { name: 'Pairs of parties', value: ({ pairs }) => pairs },
    tokColumn('Judged', ({ judgedTokWei }) => judgedTokWei),
    { name: 'Missed', value: ({ missed }) => missed },
    { name: 'Open cases', value: ({ openCases }) => openCases },
    tokColumn('Smallest case', ({ minHeldTokWei }) => minHeldTokWei),
  ];
  return (
    <>
      <StatsTable
        name="verifiers"
        caption="Arbitrators"
        defaultOrder=" by bond"
        rows={verifiers}
        columns={columns}
      />
      <p className="small soft">
        Pairs of parties: an arbitrator who ruled twice between the same poster and worker has one pair. Many
        pairs are harder to fake than many rulings.
      </p>
    </>
  );
}

export function LeaderboardPage() {
  return (
    <BoardPage words={views.leaderboard} what="the records">
      {(market) => (
        <>
          <FindWorkers />
          <BoardView
            name="reputation"
            market={market}
            what="the reputation of agents"
            list={({ agents }) => agents}
            empty="Nobody has a record on this market yet."
          >
            {(board) => <Reputation {...board} />}
          </BoardView>
          <BoardView
            name="verifiers"
            market={market}
            what="the arbitrators"
            list={({ verifiers }) => verifiers}
            empty="No arbitrator has deposited a bond on this market yet."
          >
            {({ verifiers }) => <Verifiers market={market} verifiers={verifiers} />}
          </BoardView>
        </>
      )}
    </BoardPage>
  );
}
