// The collateral of all agents, the Union vault, and the connected wallet's funds.

import type { Market } from '@svc/sdk/domain';
import { BoardView } from '../components/BoardView.tsx';
import { WalletLink } from '../components/Hex.tsx';
import { PageHead, useMarket } from '../components/MarketHeader.tsx';
import { GatewayOnly } from '../components/QueryView.tsx';
import { Figures, Status } from '../components/Sheet.tsx';
import { type Column, StatsTable } from '../components/StatsTable.tsx';
import { describeCollateral, type Limits } from '../data/collateral.ts';
import { showDeposit } from '../data/format.ts';
import type { Boards } from '../data/gateway.ts';
import { useLimits } from '../data/market.ts';
import { views } from '../data/pageList.ts';
import { FundPanels } from './treasury/FundPanels.tsx';

const nobody = 'Nobody has deposited collateral on this market yet.';

export function TreasuryPage() {
  const market = useMarket();
  return (
    <>
      <PageHead title={views.treasury.heading} lead={describeCollateral(useLimits(market))} hasMarkets />
      <div className="stack" key={market}>
        <p className="small">
          <a href={`/market-health.html?market=${market}`}>How the market is doing</a> ·{' '}
          <a href="#funds">Your funds</a>
        </p>
        <GatewayOnly what="the collateral of agents" shape="figures">
          <BoardView
            name="treasury"
            market={market}
            what="the collateral of agents"
            list={({ agents }) => agents}
            empty={nobody}
          >
            {(board) => <Solvency market={market} board={board} />}
          </BoardView>
        </GatewayOnly>
        <h2 id="funds">Your funds, the Union vault and arbitration</h2>
        <FundPanels market={market} />
      </div>
    </>
  );
}

type Board = Boards['treasury'];
type Agent = Board['agents'][number];

function Solvency({ market, board: { agents, totals, total } }: { market: Market; board: Board }) {
  const limits = useLimits(market);
  return (
    <>
      <Figures
        figures={[
          { name: 'Deposited', value: showDeposit(totals.balanceUsd) },
          { name: 'Locked in tasks', value: showDeposit(totals.lockedUsd) },
          { name: 'Free', value: showDeposit(totals.freeUsd) },
          { name: 'Paused', value: `${totals.paused} of ${total}` },
          { name: 'Can enter another task', value: totals.canEngage },
        ]}
      />
      <StatsTable
        name="agents"
        caption="Agents"
        defaultOrder=", most at risk first"
        extent={total > agents.length ? `: ${agents.length} of ${total}` : ''}
        rows={agents}
        columns={listColumns(limits)}
      />
    </>
  );
}

function listColumns(limits: Limits): readonly Column<Agent>[] {
  const usdc = (name: string, value: (agent: Agent) => number): Column<Agent> => ({
    name: `${name}, USDC`,
    value,
    show: (agent) => value(agent).toFixed(2),
  });
  return [
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
      show: (agent) => {
        const [tone, label] = describeStatus(agent, limits);
        return <Status tone={tone}>{label}</Status>;
      },
    },
    usdc('Deposit', ({ balanceUsd }) => balanceUsd),
    usdc('Locked', ({ lockedUsd }) => lockedUsd),
    usdc('Free', ({ freeUsd }) => freeUsd),
    { name: 'Open tasks', value: ({ engagements }) => engagements },
  ];
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
