// treasury-dashboard.html: whether everybody can pay for what they took on, the Union vault, and your own part of both.

import type { Market } from '@svc/sdk/domain';
import { useMemo } from 'react';
import { Answer } from '../components/Answer.tsx';
import { GatewayOnly } from '../components/GatewayOnly.tsx';
import { Ledger } from '../components/Ledger.tsx';
import { useMarket } from '../components/MarketSwitch.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { Plot } from '../components/Plot.tsx';
import { WalletLink } from '../components/WalletLink.tsx';
import { showUsd } from '../data/format.ts';
import { useBoard } from '../data/gateway.ts';
import { OverTime } from './treasury/OverTime.tsx';
import { OwnFunds } from './treasury/OwnFunds.tsx';
import { UnionPanel } from './treasury/UnionPanel.tsx';

const inTable = 'the figures are in the table below';
const plotted = 16;

export const thresholds = { entry: 25, recommended: 45, pause: 8 } as const;

export function TreasuryPage() {
  const market = useMarket();
  return (
    <>
      <PageHead
        title="Treasury"
        lead="Collateral of every agent on this market: 25 USD to enter, 45 recommended, below 8 an agent with open tasks is paused."
      />
      <div className="stack" key={market}>
        <GatewayOnly what="the solvency of agents">
          <Solvency market={market} />
        </GatewayOnly>
        <div className="panels">
          <UnionPanel market={market} />
          <OwnFunds market={market} />
        </div>
      </div>
    </>
  );
}

function Solvency({ market }: { readonly market: Market }) {
  const board = useBoard('treasury', market);
  return (
    <Answer of={board} what="the solvency of agents">
      {({ agents, totals, total }) =>
        agents.length === 0 ? (
          <p className="notice">Nobody has deposited collateral on this market yet.</p>
        ) : (
          <>
            <dl className="figures sheet body padded">
              <Figure name="Deposited" value={showUsd(totals.balanceUsd)} />
              <Figure name="Locked in tasks" value={showUsd(totals.lockedUsd)} />
              <Figure name="Free" value={showUsd(totals.freeUsd)} />
              <Figure name="Paused" value={`${totals.paused} of ${total}`} />
              <Figure name="May enter one more task" value={String(totals.canEngage)} />
            </dl>
            <SolvencyPlot agents={agents} />
            <OverTime market={market} />
            <Ledger
              name="agents"
              caption="Agents"
              given=", those in trouble first"
              part={total > agents.length ? `: ${agents.length} of ${total}` : ''}
              rows={agents}
              columns={[
                {
                  name: 'Wallet',
                  isText: true,
                  value: ({ address }) => address,
                  show: ({ address }) => <WalletLink market={market} address={address} />,
                },
                {
                  name: 'State',
                  isText: true,
                  value: (agent) => tones.indexOf(describe(agent)[0]),
                  show: (agent) => <Standing agent={agent} />,
                },
                {
                  name: 'Deposit, USD',
                  value: ({ balanceUsd }) => balanceUsd,
                  show: ({ balanceUsd }) => balanceUsd.toFixed(2),
                },
                {
                  name: 'Locked, USD',
                  value: ({ lockedUsd }) => lockedUsd,
                  show: ({ lockedUsd }) => lockedUsd.toFixed(2),
                },
                {
                  name: 'Free, USD',
                  value: ({ freeUsd }) => freeUsd,
                  show: ({ freeUsd }) => freeUsd.toFixed(2),
                },
                { name: 'Open tasks', value: ({ engagements }) => engagements },
              ]}
            />
          </>
        )
      }
    </Answer>
  );
}

type Agents = NonNullable<ReturnType<typeof useBoard<'treasury'>>['data']>['agents'];
type Agent = Agents[number];

function Standing({ agent }: { readonly agent: Agent }) {
  const [tone, words] = describe(agent);
  return (
    <span className="standing" data-tone={tone}>
      {words}
    </span>
  );
}

/** Those in trouble first. */
const tones = ['risk', 'time', 'done', 'act'] as const;

/** Close: less than half again of what would pause the agent. */
const closeUsd = thresholds.pause * 1.5;

function describe({
  paused,
  engagements,
  balanceUsd,
  recommended,
  canEngage,
}: Agent): [(typeof tones)[number], string] {
  if (paused) return ['risk', '▲ paused: below 8 USD with open tasks'];
  if (engagements > 0 && balanceUsd < closeUsd) return ['time', '◆ close to a pause'];
  if (recommended) return ['act', '● at or above 45 USD'];
  if (canEngage) return ['act', '○ may enter'];
  return ['done', '– may not enter: below 25 USD or no free bond'];
}

function SolvencyPlot({ agents }: { readonly agents: Agents }) {
  const plot = useMemo(() => {
    const shown = agents.slice(0, plotted);
    return {
      at: shown.map(({ address }) => address.slice(0, 6)),
      lines: [{ name: 'Deposit', values: shown.map(({ balanceUsd }) => balanceUsd), colour: '--bar-locked' }],
      marks: [
        { value: thresholds.pause, name: '8 pause', colour: '--risk' },
        { value: thresholds.entry, name: '25 entry', colour: '--time' },
        { value: thresholds.recommended, name: '45 advised', colour: '--act' },
      ],
    };
  }, [agents]);
  return (
    <Plot title="Deposit of each agent" unit="USD, the lowest first" kind="bars" told={inTable} {...plot} />
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
