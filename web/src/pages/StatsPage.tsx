// What a market paid, how its tasks ended week by week, and whether the deposits of its agents hold.

import type { MarketHealth } from '@svc/sdk';
import { type Market, protocolConstants } from '@svc/sdk/domain';
import { BoardPage, BoardView } from '../components/BoardView.tsx';
import { WalletLink } from '../components/Hex.tsx';
import { Dollars, RoundTok } from '../components/Money.tsx';
import { QueryView } from '../components/QueryView.tsx';
import { Facts, Figures, Sheet, Status } from '../components/Sheet.tsx';
import { type Column, DataTable, StatsTable } from '../components/StatsTable.tsx';
import type { Limits } from '../data/collateral.ts';
import { showDeposit, showDuration, showRoundTok, showTok } from '../data/format.ts';
import { type Boards, useBoard } from '../data/gateway.ts';
import { useLimits, useUnion } from '../data/market.ts';
import { views } from '../data/pageList.ts';

type Props = { market: Market };

export function StatsPage() {
  return (
    <BoardPage words={views.stats} what="the figures of this market">
      {(market) => (
        <>
          <BoardView
            name="marketHealth"
            market={market}
            what="the figures of this market"
            list={({ weeks }) => weeks}
            empty="Nothing has happened on this market in the last twelve weeks."
          >
            {({ weeks, open }) => (
              <>
                <Totals weeks={weeks} />
                <div className="columns">
                  <Tags market={market} open={open} />
                  <Fees market={market} />
                  <Vault market={market} />
                </div>
                <WeekTable weeks={weeks} />
              </>
            )}
          </BoardView>
          <BoardView
            name="treasury"
            market={market}
            what="the collateral of agents"
            list={({ agents }) => agents}
            empty="Nobody has deposited collateral on this market yet."
          >
            {(board) => <Solvency market={market} board={board} />}
          </BoardView>
        </>
      )}
    </BoardPage>
  );
}

type Weeks = MarketHealth['weeks'];
type Week = Weeks[number];

function Totals({ weeks }: { weeks: Weeks }) {
  const paid = weeks.reduce((total, { paidTokWei }) => total + BigInt(paidTokWei), 0n);
  const sum = (count: (week: Week) => number) => weeks.reduce((total, week) => total + count(week), 0);
  const [ended, completed] = [sum(endedIn), sum((week) => week.completed)];
  const [disputes, deliveries] = [sum((week) => week.disputes), sum((week) => week.deliveries)];
  const accepted = sum((week) => week.accepted);
  return (
    <Figures
      aria-label={`The last ${weeks.length} weeks`}
      figures={[
        { name: 'Paid to workers', value: <Dollars wei={paid} />, note: `${showRoundTok(paid)} TOK` },
        {
          name: 'Completed',
          value: showShare(completed, ended),
          note: `${completed} of ${ended} that ended`,
        },
        {
          name: 'Disputed',
          value: showShare(disputes, deliveries),
          note: `${disputes} of ${deliveries} deliveries`,
        },
        {
          name: 'From delivery to payment',
          value: accepted === 0 ? 'none yet' : showDuration(sum((week) => week.waitedSeconds) / accepted),
          note: `average of ${accepted}`,
        },
        {
          name: 'Posted',
          value: sum((week) => week.posted),
          note: `in ${weeks.length} ${weeks.length === 1 ? 'week' : 'weeks'}`,
        },
      ]}
    />
  );
}

function endedIn({ completed, resolved, cancelled }: Week): number {
  return completed + resolved + cancelled;
}

function showShare(part: number, whole: number): string {
  return whole === 0 ? 'none yet' : `${Math.round((100 * part) / whole)} %`;
}

const shownTags = 6;

/** Which work is asked for. */
function Tags({ market, open }: { market: Market; open: MarketHealth['open'] }) {
  const most = Math.max(1, ...open.tags.map(({ tasks }) => tasks));
  const note = open.isAll ? `${open.tasks} open` : `the newest ${open.tasks.toLocaleString('en-US')}`;
  return (
    <Sheet title="Open tasks by tag" note={note}>
      {open.tags.length === 0 && <p className="small soft">No open task has a tag.</p>}
      <ul className="bars">
        {open.tags.slice(0, shownTags).map(({ tag, tasks }) => (
          <li key={tag}>
            <a href={`/market.html?market=${market}&tag=${encodeURIComponent(tag)}`} dir="auto">
              {tag}
            </a>
            <progress max={most} value={tasks} aria-hidden="true" />
            <span>
              {tasks}
              <span className="hidden"> {tasks === 1 ? 'task' : 'tasks'}</span>
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

function Fees({ market }: Props) {
  const limits = useLimits(market);
  const { data } = useBoard('fees', market);
  return (
    <Sheet title="Fees and deposits">
      <Facts
        facts={{
          'For each post and each claim': data && <Dollars wei={data.accessFee.tokWei} isExact />,
          'Bond of each side': data && `${data.collateral.bondUsd} USDC, returned`,
          'Deposit to enter': `${limits.entryCollateralUsd} USDC`,
          'Deposit advised': `${limits.recommendedCollateralUsd} USDC`,
          'Paused below': `${limits.pauseThresholdUsd} USDC`,
        }}
      />
    </Sheet>
  );
}

function Vault({ market }: Props) {
  const union = useUnion(market);
  const credits = (amount: string, text = showRoundTok(amount, 2)) => (
    <span title={showTok(amount)}>{text}</span>
  );
  return (
    <Sheet title="Union vault" note={`stakers share ${protocolConstants.stakingBps / 100} % of all fees`}>
      <QueryView query={union} what="the Union vault">
        {(vault) => (
          <Facts
            facts={{
              Staking: vault.stakingActive ? 'open' : 'not open yet',
              'Staked by all': <Dollars wei={vault.totalStakedTok} isExact />,
              'Reward reserve': <RoundTok wei={vault.rewardReserveTokWei} />,
              'Credits issued': credits(vault.totalCreditsIssued),
              'Credits left to issue': credits(
                vault.creditsRemaining,
                vault.creditIssuanceClosed ? 'closed' : undefined,
              ),
            }}
          />
        )}
      </QueryView>
    </Sheet>
  );
}

const week = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const weekColumns: readonly Column<Week>[] = [
  { name: 'Week from', value: ({ start }) => start, show: ({ start }) => week.format(start * 1_000) },
  { name: 'Posted', value: ({ posted }) => posted },
  { name: 'Claimed', value: ({ claimed }) => claimed },
  { name: 'Completed', value: ({ completed }) => completed },
  { name: 'Resolved', value: ({ resolved }) => resolved },
  { name: 'Cancelled', value: ({ cancelled }) => cancelled },
  { name: 'Deliveries', value: ({ deliveries }) => deliveries },
  { name: 'Disputes', value: ({ disputes }) => disputes },
  {
    name: 'Wait',
    value: ({ waitedSeconds, accepted }) => (accepted === 0 ? '–' : showDuration(waitedSeconds / accepted)),
  },
  { name: 'Paid, TOK', value: ({ paidTokWei }) => showRoundTok(paidTokWei) },
];

function WeekTable({ weeks }: { weeks: Weeks }) {
  return (
    <>
      <div className="sheet scroll">
        <DataTable
          caption={<caption>Week by week</caption>}
          columns={weekColumns}
          rows={weeks}
          keyOf={({ start }) => start}
        />
      </div>
      <p className="small soft">
        A week is from Monday to Sunday (UTC); the last one is not over. Payments count in the week in which
        escrow paid, those of private tasks as well.
      </p>
    </>
  );
}

type Board = Boards['treasury'];
type Agent = Board['agents'][number];

function Solvency({ market, board: { agents, totals, total } }: { market: Market; board: Board }) {
  const limits = useLimits(market);
  return (
    <>
      <h2>Deposits of agents</h2>
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
      value: (agent) => tones.indexOf(stateOf(agent, limits)[0]),
      show: (agent) => {
        const [tone, label] = stateOf(agent, limits);
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

function stateOf(agent: Agent, limits: Limits): [(typeof tones)[number], string] {
  const { paused, engagements, balanceUsd, recommended, canEngage } = agent;
  const { entryCollateralUsd, recommendedCollateralUsd, pauseThresholdUsd } = limits;
  if (paused) return ['risk', `▲ paused: below ${pauseThresholdUsd} USDC with open tasks`];
  if (engagements > 0 && balanceUsd < warningFactor * pauseThresholdUsd)
    return ['time', '◆ close to a pause'];
  if (recommended) return ['act', `● at or above ${recommendedCollateralUsd} USDC`];
  if (canEngage) return ['act', '○ can enter'];
  return ['done', `– cannot enter: below ${entryCollateralUsd} USDC or no free bond`];
}
