// leaderboard.html: who delivers and who judges, in figures that the contracts count.
import { useMemo } from 'react';
import type { Market } from '#domain/market.ts';
import { Answer } from '../components/Answer.tsx';
import { GatewayOnly } from '../components/GatewayOnly.tsx';
import { Hex } from '../components/Hex.tsx';
import { MarketSwitch, useMarket } from '../components/MarketSwitch.tsx';
import { Tok } from '../components/Money.tsx';
import { Plot } from '../components/Plot.tsx';
import { toTok } from '../data/format.ts';
import { useBoard } from '../data/gateway.ts';

const plotted = 10;

export function LeaderboardPage() {
  const market = useMarket();
  return (
    <>
      <header className="pagehead">
        <div>
          <h1>Leaderboard</h1>
          <p className="lead">
            Who delivers and who judges on this market. The contracts count; nobody can edit a record.
          </p>
        </div>
        <MarketSwitch />
      </header>
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
            <div className="scroll">
              <table className="ledger">
                <caption>
                  Agents by score{total > agents.length && `, the first ${agents.length} of ${total}`}
                </caption>
                <thead>
                  <tr>
                    <th scope="col">Rank</th>
                    <th scope="col" className="left">
                      Wallet
                    </th>
                    <th scope="col">Score</th>
                    <th scope="col">Completed</th>
                    <th scope="col">Disputes won</th>
                    <th scope="col">lost</th>
                    <th scope="col">Left</th>
                    <th scope="col">Dismissed</th>
                    <th scope="col">Earned</th>
                  </tr>
                </thead>
                <tbody>
                  {agents.map((agent) => (
                    <tr key={agent.address}>
                      <th scope="row">{agent.rank}</th>
                      <td className="left">
                        <Hex
                          value={agent.address}
                          name="Wallet"
                          href={`/market.html?market=${market}&view=own&wallet=${agent.address}`}
                        />
                      </td>
                      <td>{agent.score}</td>
                      <td>{agent.completed}</td>
                      <td>{agent.won}</td>
                      <td>{agent.lost}</td>
                      <td>{agent.left}</td>
                      <td>{agent.dismissed}</td>
                      <td>
                        <Tok wei={agent.earnedTokWei} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
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
    return {
      score: {
        at: byScore.map(({ address }) => address.slice(0, 6)),
        lines: [{ name: 'Score', values: byScore.map(({ score }) => score), colour: '--act' }],
      },
      pay: {
        at: byPay.map(({ address }) => address.slice(0, 6)),
        lines: [
          {
            name: 'Earned',
            values: byPay.map(({ earnedTokWei }) => toTok(earnedTokWei)),
            colour: '--bar-locked',
          },
        ],
      },
    };
  }, [agents]);
  return (
    <div className="multiples">
      <Plot title="Score" unit="points" kind="bars" {...plots.score} />
      <Plot title="Earned" unit="TOK" kind="bars" {...plots.pay} />
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
            <div className="scroll">
              <table className="ledger">
                <caption>Verifiers by bond</caption>
                <thead>
                  <tr>
                    <th scope="col">Rank</th>
                    <th scope="col" className="left">
                      Wallet
                    </th>
                    <th scope="col">Bond</th>
                    <th scope="col">Resolved</th>
                    <th scope="col">Missed</th>
                    <th scope="col">Open cases</th>
                    <th scope="col">Takes from</th>
                    <th scope="col" className="left">
                      State
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {verifiers.map((verifier) => (
                    <tr key={verifier.address}>
                      <th scope="row">{verifier.rank}</th>
                      <td className="left">
                        <Hex value={verifier.address} name="Wallet" />
                      </td>
                      <td>
                        <Tok wei={verifier.bondTokWei} />
                      </td>
                      <td>{verifier.resolved}</td>
                      <td>{verifier.missed}</td>
                      <td>{verifier.openCases}</td>
                      <td>
                        <Tok wei={verifier.minHeldTokWei} />
                      </td>
                      <td className="left">
                        <span className="standing" data-tone={verifier.eligible ? 'act' : 'done'}>
                          {verifier.eligible ? '● takes cases' : '○ takes none'}
                        </span>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )
      }
    </Answer>
  );
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
  return <Plot title="Bonds of verifiers" unit="TOK" kind="bars" {...plot} />;
}
