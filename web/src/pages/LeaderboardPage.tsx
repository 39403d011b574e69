// leaderboard.html: who delivers and who judges, in figures that the contracts count.

import type { Market } from '@svc/sdk/domain';
import { useMemo } from 'react';
import { Answer } from '../components/Answer.tsx';
import { GatewayOnly } from '../components/GatewayOnly.tsx';
import { type Column, Ledger } from '../components/Ledger.tsx';
import { useMarket } from '../components/MarketSwitch.tsx';
import { Tok } from '../components/Money.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { Plot } from '../components/Plot.tsx';
import { WalletLink } from '../components/WalletLink.tsx';
import { toTok } from '../data/format.ts';
import { useBoard } from '../data/gateway.ts';

const inTable = 'the figures are in the table below';
const plotted = 10;

export function LeaderboardPage() {
  const market = useMarket();
  return (
    <>
      <PageHead
        title="Leaderboard"
        lead="Who delivers and who judges on this market. The contracts count; nobody can edit a record."
      />
      <GatewayOnly what="the leaderboard">
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
    <Answer of={board} what="the reputation of agents">
      {({ agents, total }) =>
        agents.length === 0 ? (
          <p className="notice">Nobody has a record on this market yet.</p>
        ) : (
          <>
            <ReputationPlots agents={agents} />
            <Ledger
              name="agents"
              caption="Agents"
              given=" by score"
              part={total > agents.length ? `, the first ${agents.length} of ${total}` : ''}
              rows={agents}
              columns={[
                rankAndWallet(market),
                { name: 'Score', value: ({ score }) => score, show: ({ score }) => <b>{score}</b> },
                { name: 'Completed', value: ({ completed }) => completed },
                { name: 'Disputes won', value: ({ won }) => won },
                { name: 'Disputes lost', value: ({ lost }) => lost },
                { name: 'Left', value: ({ left }) => left },
                { name: 'Dismissed', value: ({ dismissed }) => dismissed },
                {
                  name: 'Earned',
                  value: ({ earnedTokWei }) => BigInt(earnedTokWei),
                  show: ({ earnedTokWei }) => <Tok wei={earnedTokWei} />,
                },
              ]}
            />
            <p className="small quiet">
              Score: 10 for each completed task, 3 for a won dispute; minus 10 for a lost one, 5 for a
              dismissal, 3 for leaving.
            </p>
          </>
        )
      }
    </Answer>
  );
}

type Agents = NonNullable<ReturnType<typeof useBoard<'reputation'>>['data']>['agents'];

function ReputationPlots({ agents }: { readonly agents: Agents }) {
  const plots = useMemo(() => {
    const byScore = agents.slice(0, plotted);
    const byPay = agents
      .filter(({ earnedTokWei }) => earnedTokWei !== '0')
      .sort((left, right) => toTok(right.earnedTokWei) - toTok(left.earnedTokWei))
      .slice(0, plotted);
    const pay = byPay.map(({ earnedTokWei }) => toTok(earnedTokWei));
    return {
      score: {
        at: byScore.map(({ address }) => address.slice(0, 6)),
        lines: [{ name: 'Score', values: byScore.map(({ score }) => score), colour: '--act' }],
      },
      pay: {
        at: byPay.map(({ address }) => address.slice(0, 6)),
        lines: [{ name: 'Earned', values: pay, colour: '--bar-locked' }],
      },
    };
  }, [agents]);
  return (
    <div className="multiples">
      <Plot title="Score" unit="points" kind="bars" told={inTable} {...plots.score} />
      <Plot title="Earned" unit="TOK" kind="bars" told={inTable} {...plots.pay} />
    </div>
  );
}

function Verifiers({ market }: { readonly market: Market }) {
  const board = useBoard('verifiers', market);
  return (
    <Answer of={board} what="the verifiers">
      {({ verifiers }) =>
        verifiers.length === 0 ? (
          <p className="notice">No arbitrator has put down a bond on this market yet.</p>
        ) : (
          <>
            <BondPlot verifiers={verifiers} />
            <Ledger
              name="verifiers"
              caption="Verifiers"
              given=" by bond"
              rows={verifiers}
              columns={[
                rankAndWallet(market),
                {
                  name: 'State',
                  isText: true,
                  value: ({ eligible }) => (eligible ? 0 : 1),
                  show: ({ eligible }) => (
                    <span className="standing" data-tone={eligible ? 'act' : 'done'}>
                      {eligible ? '● takes cases' : '○ takes none'}
                    </span>
                  ),
                },
                {
                  name: 'Bond',
                  value: ({ bondTokWei }) => BigInt(bondTokWei),
                  show: ({ bondTokWei }) => <Tok wei={bondTokWei} />,
                },
                { name: 'Resolved', value: ({ resolved }) => resolved },
                { name: 'Missed', value: ({ missed }) => missed },
                { name: 'Open cases', value: ({ openCases }) => openCases },
                {
                  name: 'Takes cases from',
                  value: ({ minHeldTokWei }) => BigInt(minHeldTokWei),
                  show: ({ minHeldTokWei }) => <Tok wei={minHeldTokWei} />,
                },
              ]}
            />
          </>
        )
      }
    </Answer>
  );
}

type Ranked = { readonly rank: number; readonly address: string };

/** The first column of both boards. */
function rankAndWallet(market: Market): Column<Ranked> {
  return {
    name: 'Rank and wallet',
    isText: true,
    value: ({ rank }) => rank,
    show: ({ rank, address }) => (
      <>
        <span className="rank">{rank}</span>
        <WalletLink market={market} address={address} />
      </>
    ),
  };
}

type VerifierRows = NonNullable<ReturnType<typeof useBoard<'verifiers'>>['data']>['verifiers'];

function BondPlot({ verifiers }: { readonly verifiers: VerifierRows }) {
  const plot = useMemo(() => {
    const shown = verifiers.slice(0, plotted);
    return {
      at: shown.map(({ address }) => address.slice(0, 6)),
      lines: [{ name: 'Bond', values: shown.map(({ bondTokWei }) => toTok(bondTokWei)), colour: '--done' }],
      marks: [{ value: 10_000, name: 'least bond', colour: '--time' }],
    };
  }, [verifiers]);
  return <Plot title="Bonds of verifiers" unit="TOK" kind="bars" told={inTable} {...plot} />;
}
