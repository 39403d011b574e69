// The entry of treasury-dashboard.html: the collateral of all agents, the Union vault, and the connected wallet's funds.

import type { Market } from '@svc/sdk/domain';
import type { TreasuryHistory } from '@svc/sdk/schemas';
import { useMemo } from 'react';
import { useNow } from '#components/Clock.tsx';
import { WalletLink } from '#components/Hex.tsx';
import { MarketHeader, useMarket } from '#components/MarketHeader.tsx';
import { Plot } from '#components/Plot.tsx';
import { GatewayOnly, QueryView } from '#components/QueryView.tsx';
import { StatsTable } from '#components/StatsTable.tsx';
import { describeCollateral, type Limits } from '#data/collateral.ts';
import { showDeposit, toTok } from '#data/format.ts';
import { useBoard } from '#data/gateway.ts';
import { useLimits } from '#data/market.ts';
import { views } from '#data/pageList.ts';
import { mount } from '#frame/mount.tsx';
import { ArbitrationPanel, CollateralPanel, UnionPanel } from './treasury/Panels.tsx';

const inTable = 'the figures are in the table below';
const plottedCount = 16;

function TreasuryPage() {
  const market = useMarket();
  return (
    <>
      <MarketHeader title={views.treasury.heading} lead={describeCollateral(useLimits(market))} />
      <div className="stack" key={market}>
        <p className="small">
          <a href={`/market-health.html?market=${market}`}>How the market is doing</a> ·{' '}
          <a href="#funds">Your funds</a>
        </p>
        <GatewayOnly what="the collateral of agents" shape="figures">
          <Solvency market={market} />
        </GatewayOnly>
        <h2 id="funds">Your funds, the Union vault and arbitration</h2>
        <div className="panels">
          <UnionPanel market={market} />
          <CollateralPanel market={market} />
          <ArbitrationPanel market={market} />
        </div>
      </div>
    </>
  );
}

function Solvency({ market }: { readonly market: Market }) {
  const board = useBoard('treasury', market);
  const limits = useLimits(market);
  return (
    <QueryView query={board} what="the collateral of agents" shape="figures">
      {({ agents, totals, total }) =>
        agents.length === 0 ? (
          <p className="notice">Nobody has deposited collateral on this market yet.</p>
        ) : (
          <>
            <dl className="figures sheet body padded">
              <Figure name="Deposited" value={showDeposit(totals.balanceUsd)} />
              <Figure name="Locked in tasks" value={showDeposit(totals.lockedUsd)} />
              <Figure name="Free" value={showDeposit(totals.freeUsd)} />
              <Figure name="Paused" value={`${totals.paused} of ${total}`} />
              <Figure name="Can enter another task" value={String(totals.canEngage)} />
            </dl>
            <SolvencyPlot agents={agents} limits={limits} />
            <CollateralHistory market={market} />
            <StatsTable
              name="agents"
              caption="Agents"
              defaultOrder=", most at risk first"
              extent={total > agents.length ? `: ${agents.length} of ${total}` : ''}
              rows={agents}
              columns={[
                {
                  name: 'Wallet',
                  isText: true,
                  value: ({ address }) => address,
                  show: ({ address }) => <WalletLink address={address} />,
                },
                {
                  name: 'State',
                  isText: true,
                  value: (agent) => tones.indexOf(describeStatus(agent, limits)[0]),
                  show: (agent) => <AgentStatus agent={agent} limits={limits} />,
                },
                {
                  name: 'Deposit, USDC',
                  value: ({ balanceUsd }) => balanceUsd,
                  show: ({ balanceUsd }) => balanceUsd.toFixed(2),
                },
                {
                  name: 'Locked, USDC',
                  value: ({ lockedUsd }) => lockedUsd,
                  show: ({ lockedUsd }) => lockedUsd.toFixed(2),
                },
                {
                  name: 'Free, USDC',
                  value: ({ freeUsd }) => freeUsd,
                  show: ({ freeUsd }) => freeUsd.toFixed(2),
                },
                { name: 'Open tasks', value: ({ engagements }) => engagements },
              ]}
            />
          </>
        )
      }
    </QueryView>
  );
}

type Agents = NonNullable<ReturnType<typeof useBoard<'treasury'>>['data']>['agents'];
type Agent = Agents[number];

function AgentStatus({ agent, limits }: { readonly agent: Agent; readonly limits: Limits }) {
  const [tone, label] = describeStatus(agent, limits);
  return (
    <span className="status" data-tone={tone}>
      {label}
    </span>
  );
}

/** Most at risk first. */
const tones = ['risk', 'time', 'done', 'act'] as const;

/** Times the pause threshold: below it an agent with open tasks gets a warning. */
const warningFactor = 1.5;

function describeStatus(agent: Agent, limits: Limits): [(typeof tones)[number], string] {
  const { paused, engagements, balanceUsd, recommended, canEngage } = agent;
  const { entryCollateralUsd, recommendedCollateralUsd, pauseThresholdUsd } = limits;
  if (paused) return ['risk', `▲ paused: below ${pauseThresholdUsd} USDC with open tasks`];
  if (engagements > 0 && balanceUsd < warningFactor * pauseThresholdUsd)
    return ['time', '◆ close to a pause'];
  if (recommended) return ['act', `● at or above ${recommendedCollateralUsd} USDC`];
  if (canEngage) return ['act', '○ can enter'];
  return ['done', `– cannot enter: below ${entryCollateralUsd} USDC or no free bond`];
}

function SolvencyPlot({ agents, limits }: { readonly agents: Agents; readonly limits: Limits }) {
  const plot = useMemo(() => {
    const shown = agents.slice(0, plottedCount);
    const { entryCollateralUsd: entry, recommendedCollateralUsd: advised, pauseThresholdUsd: pause } = limits;
    return {
      at: shown.map(({ address }) => address.slice(0, 6)),
      series: [
        { name: 'Deposit', values: shown.map(({ balanceUsd }) => balanceUsd), colour: '--bar-locked' },
      ],
      marks: [
        { value: pause, name: `${pause} pause`, colour: '--risk' },
        { value: entry, name: `${entry} entry`, colour: '--time' },
        { value: advised, name: `${advised} advised`, colour: '--act' },
      ],
    };
  }, [agents, limits]);
  return (
    <Plot
      title="Deposit of each agent"
      unit="USDC, lowest first"
      kind="bars"
      description={inTable}
      {...plot}
    />
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Deposits of agents and bonds of arbitrators over time. */
function CollateralHistory({ market }: { readonly market: Market }) {
  const history = useBoard('treasuryHistory', market);
  const hour = Math.floor(useNow() / 3_600);
  return (
    <QueryView query={history} what="the history of collateral">
      {({ points }) =>
        points.length === 0 ? (
          <p className="notice">Nobody has deposited collateral on this market yet.</p>
        ) : (
          <HistoryPlots points={points} now={(hour + 1) * 3_600} />
        )
      }
    </QueryView>
  );
}

function HistoryPlots({ points, now }: { readonly points: TreasuryHistory['points']; readonly now: number }) {
  const plots = useMemo(() => {
    const last = points.at(-1);
    // The last known amounts are still held now.
    const known = last === undefined ? [] : [...points, { ...last, time: Math.max(now, last.time) }];
    const deposits = known.map(({ depositsUsd }) => depositsUsd);
    const bonds = known.map(({ bondsTokWei }) => toTok(bondsTokWei));
    const at = known.map(({ time }) => time);
    return {
      deposits: buildLine(at, deposits, `${whole(deposits.at(-1))} USDC`, '--act'),
      bonds: buildLine(at, bonds, `${whole(bonds.at(-1))} TOK`, '--done'),
    };
  }, [points, now]);
  return (
    <div className="multiples">
      <Plot title="Deposits of all agents" unit="USDC over time" kind="lines" {...plots.deposits} />
      <Plot title="Bonds of all arbitrators" unit="TOK over time" kind="lines" {...plots.bonds} />
    </div>
  );
}

function buildLine(at: readonly number[], values: readonly number[], name: string, colour: string) {
  return { at, series: [{ name, values, colour }], description: `${name} now` };
}

function whole(value = 0): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

mount(<TreasuryPage />);
