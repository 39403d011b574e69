// The entry of leaderboard.html: figures about workers and arbitrators that the contracts count.

import { type Market, marketParameters, reputationWeights as weights } from '@svc/sdk/domain';
import { useMemo } from 'react';
import { WalletLink } from '#components/Hex.tsx';
import { MarketHeader, useMarket } from '#components/MarketHeader.tsx';
import { Tok } from '#components/Money.tsx';
import { Plot } from '#components/Plot.tsx';
import { GatewayOnly, QueryView } from '#components/QueryView.tsx';
import { type Column, StatsTable } from '#components/StatsTable.tsx';
import { toTok } from '#data/format.ts';
import { useBoard } from '#data/gateway.ts';
import { views } from '#data/pageList.ts';
import { mount } from '#frame/mount.tsx';

const inTable = 'the figures are in the table below';
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

function Reputation({ market }: { readonly market: Market }) {
  const board = useBoard('reputation', market);
  return (
    <QueryView query={board} what="the reputation of agents" shape="figures">
      {({ agents, total }) =>
        agents.length === 0 ? (
          <p className="notice">Nobody has a record on this market yet.</p>
        ) : (
          <>
            <ReputationPlots agents={agents} />
            <StatsTable
              name="agents"
              caption="Agents"
              defaultOrder=" by score"
              extent={total > agents.length ? `, the first ${agents.length} of ${total}` : ''}
              rows={agents}
              columns={[
                rankAndWallet(),
                { name: 'Score', value: ({ score }) => score, show: ({ score }) => <b>{score}</b> },
                { name: 'Completed', value: ({ completed }) => completed },
                { name: 'Disputes won', value: ({ won }) => won },
                { name: 'Disputes lost', value: ({ lost }) => lost },
                { name: 'Abandoned', value: ({ left }) => left },
                { name: 'Dismissed', value: ({ dismissed }) => dismissed },
                {
                  name: 'Earned',
                  value: ({ earnedTokWei }) => BigInt(earnedTokWei),
                  show: ({ earnedTokWei }) => <Tok wei={earnedTokWei} hasUsd />,
                },
              ]}
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

type Agents = NonNullable<ReturnType<typeof useBoard<'reputation'>>['data']>['agents'];

function ReputationPlots({ agents }: { readonly agents: Agents }) {
  const plots = useMemo(() => {
    const byScore = agents.slice(0, plottedCount);
    const byPay = agents
      .filter(({ earnedTokWei }) => earnedTokWei !== '0')
      .sort((left, right) => toTok(right.earnedTokWei) - toTok(left.earnedTokWei))
      .slice(0, plottedCount);
    const pay = byPay.map(({ earnedTokWei }) => toTok(earnedTokWei));
    return {
      score: {
        at: byScore.map(({ address }) => address.slice(0, 6)),
        series: [{ name: 'Score', values: byScore.map(({ score }) => score), colour: '--act' }],
      },
      pay: {
        at: byPay.map(({ address }) => address.slice(0, 6)),
        series: [{ name: 'Earned', values: pay, colour: '--bar-locked' }],
      },
    };
  }, [agents]);
  return (
    <div className="multiples">
      <Plot title="Score" unit="points" kind="bars" description={inTable} {...plots.score} />
      <Plot title="Earned" unit="TOK" kind="bars" description={inTable} {...plots.pay} />
    </div>
  );
}

function Verifiers({ market }: { readonly market: Market }) {
  const board = useBoard('verifiers', market);
  return (
    <QueryView query={board} what="the arbitrators" shape="figures">
      {({ verifiers }) =>
        verifiers.length === 0 ? (
          <p className="notice">No arbitrator has deposited a bond on this market yet.</p>
        ) : (
          <>
            <BondPlot market={market} verifiers={verifiers} />
            <StatsTable
              name="verifiers"
              caption="Arbitrators"
              defaultOrder=" by bond"
              rows={verifiers}
              columns={[
                rankAndWallet(),
                {
                  name: 'State',
                  isText: true,
                  value: ({ eligible }) => (eligible ? 0 : 1),
                  show: ({ eligible, bondTokWei }) => (
                    <span className="status" data-tone={eligible ? 'act' : 'done'}>
                      {eligible
                        ? '● takes cases'
                        : BigInt(bondTokWei) < marketParameters[market].arbitratorMinBondTokWei
                          ? '○ no cases: bond below the minimum'
                          : '○ takes no cases'}
                    </span>
                  ),
                },
                {
                  name: 'Bond',
                  value: ({ bondTokWei }) => BigInt(bondTokWei),
                  show: ({ bondTokWei }) => <Tok wei={bondTokWei} hasUsd />,
                },
                { name: 'Resolved', value: ({ resolved }) => resolved },
                { name: 'Missed', value: ({ missed }) => missed },
                { name: 'Open cases', value: ({ openCases }) => openCases },
                {
                  name: 'Smallest case',
                  value: ({ minHeldTokWei }) => BigInt(minHeldTokWei),
                  show: ({ minHeldTokWei }) => <Tok wei={minHeldTokWei} hasUsd />,
                },
              ]}
            />
          </>
        )
      }
    </QueryView>
  );
}

type Ranked = { readonly rank: number; readonly address: string };

/** The first column of both tables. */
function rankAndWallet(): Column<Ranked> {
  return {
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
}

type VerifierRows = NonNullable<ReturnType<typeof useBoard<'verifiers'>>['data']>['verifiers'];

function BondPlot({ market, verifiers }: { readonly market: Market; readonly verifiers: VerifierRows }) {
  const minBond = marketParameters[market].arbitratorMinBondTokWei;
  const plot = useMemo(() => {
    const shown = verifiers.slice(0, plottedCount);
    return {
      at: shown.map(({ address }) => address.slice(0, 6)),
      series: [{ name: 'Bond', values: shown.map(({ bondTokWei }) => toTok(bondTokWei)), colour: '--done' }],
      marks: [{ value: toTok(minBond), name: 'minimum', colour: '--time' }],
    };
  }, [verifiers, minBond]);
  return <Plot title="Bonds of arbitrators" unit="TOK" kind="bars" description={inTable} {...plot} />;
}

mount(<LeaderboardPage />);
