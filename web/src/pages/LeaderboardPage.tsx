// The entry of leaderboard.html: figures about workers and arbitrators that the contracts count.

import { type Market, marketParameters, reputationWeights as weights } from '@svc/sdk/domain';
import { useMemo } from 'react';
import { WalletLink } from '#components/Hex.tsx';
import { MarketHeader, useMarket } from '#components/MarketHeader.tsx';
import { Tok } from '#components/Money.tsx';
import { GatewayOnly, QueryView } from '#components/QueryView.tsx';
import { Status } from '#components/Sheet.tsx';
import { type Column, StatsTable } from '#components/StatsTable.tsx';
import { WalletBars } from '#components/WalletBars.tsx';
import { toTok } from '#data/format.ts';
import { useBoard } from '#data/gateway.ts';
import { views } from '#data/pageList.ts';
import { mount } from '#frame/mount.tsx';

const plottedCount = 10;

function LeaderboardPage() {
  const market = useMarket();
  return (
    <>
      <MarketHeader title={views.leaderboard.heading} lead={views.leaderboard.lead} />
      <GatewayOnly what="the leaderboard" shape="figures">
        <div className="stack" key={market}>
          <Reputation market={market} />
          <Verifiers market={market} />
        </div>
      </GatewayOnly>
    </>
  );
}

type Board<Name extends 'reputation' | 'verifiers'> = NonNullable<ReturnType<typeof useBoard<Name>>['data']>;
type Agent = Board<'reputation'>['agents'][number];
type Verifier = Board<'verifiers'>['verifiers'][number];

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
  return { name, value: (row) => BigInt(read(row)), show: (row) => <Tok wei={read(row)} hasUsd /> };
}

const scoreOf = ({ score }: Agent) => score;
const earnedBy = ({ earnedTokWei }: Agent) => toTok(earnedTokWei);

function Reputation({ market }: { market: Market }) {
  const board = useBoard('reputation', market);
  const known = board.data?.agents;
  const byPay = useMemo(
    () =>
      (known ?? [])
        .filter(({ earnedTokWei }) => earnedTokWei !== '0')
        .sort((left, right) => earnedBy(right) - earnedBy(left)),
    [known],
  );
  return (
    <QueryView query={board} what="the reputation of agents" shape="figures">
      {({ agents, total }) =>
        agents.length === 0 ? (
          <p className="notice">Nobody has a record on this market yet.</p>
        ) : (
          <>
            <div className="multiples">
              <WalletBars
                title="Score"
                unit="points"
                name="Score"
                rows={agents}
                count={plottedCount}
                value={scoreOf}
                colour="--act"
              />
              <WalletBars
                title="Earned"
                unit="TOK"
                name="Earned"
                rows={byPay}
                count={plottedCount}
                value={earnedBy}
                colour="--bar-locked"
              />
            </div>
            <StatsTable
              name="agents"
              caption="Agents"
              defaultOrder=" by score"
              extent={total > agents.length ? `, the first ${agents.length} of ${total}` : ''}
              rows={agents}
              columns={agentColumns}
            />
            <p className="small quiet">
              Score: {weights.completed} points for each completed task and {weights.disputesWon} for a won
              dispute; minus {-weights.disputesLost} for a lost dispute, {-weights.dismissed} for a dismissal
              and {-weights.left} for abandoning a task.
            </p>
          </>
        )
      }
    </QueryView>
  );
}

const bondOf = ({ bondTokWei }: Verifier) => toTok(bondTokWei);

function Verifiers({ market }: { market: Market }) {
  const board = useBoard('verifiers', market);
  const minBond = marketParameters[market].arbitratorMinBondTokWei;
  const marks = useMemo(() => [{ value: toTok(minBond), name: 'minimum', colour: '--time' }], [minBond]);
  return (
    <QueryView query={board} what="the arbitrators" shape="figures">
      {({ verifiers }) =>
        verifiers.length === 0 ? (
          <p className="notice">No arbitrator has deposited a bond on this market yet.</p>
        ) : (
          <>
            <WalletBars
              title="Bonds of arbitrators"
              unit="TOK"
              name="Bond"
              rows={verifiers}
              count={plottedCount}
              value={bondOf}
              colour="--done"
              marks={marks}
            />
            <StatsTable
              name="verifiers"
              caption="Arbitrators"
              defaultOrder=" by bond"
              rows={verifiers}
              columns={[
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
                          ? '○ no cases: bond below the minimum'
                          : '○ takes no cases'}
                    </Status>
                  ),
                },
                tokColumn('Bond', ({ bondTokWei }: Verifier) => bondTokWei),
                { name: 'Resolved', value: ({ resolved }) => resolved },
                { name: 'Missed', value: ({ missed }) => missed },
                { name: 'Open cases', value: ({ openCases }) => openCases },
                tokColumn('Smallest case', ({ minHeldTokWei }: Verifier) => minHeldTokWei),
              ]}
            />
          </>
        )
      }
    </QueryView>
  );
}

mount(<LeaderboardPage />);
