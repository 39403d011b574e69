// Payments, completion, disputes and waiting times of a market week by week.

import type { MarketHealth } from '@svc/sdk';
import type { Market } from '@svc/sdk/domain';
import { BoardPage, BoardView } from '../components/BoardView.tsx';
import { Usd } from '../components/Money.tsx';
import { Figures } from '../components/Sheet.tsx';
import { type Column, DataTable } from '../components/StatsTable.tsx';
import { showDuration, showRoundTok } from '../data/format.ts';
import { views } from '../data/pageList.ts';

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
        {
          name: 'Paid to workers',
          value: (
            <>
              {showRoundTok(paid)} <span className="unit">TOK</span>
            </>
          ),
          note: <Usd wei={paid} />,
        },
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

const week = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const showWeek = (start: number) => week.format(start * 1_000);

const shownTags = 6;

/** Which work is asked for: a link for each tag. */
function Tags({ market, open }: { market: Market; open: MarketHealth['open'] }) {
  return (
    <section className="sheet" aria-labelledby="tags">
      <header>
        <h2 id="tags">Open tasks by tag</h2>
        <span className="faint">
          {open.isAll ? `${open.tasks} open` : `the newest ${open.tasks.toLocaleString('en-US')}`}
        </span>
      </header>
      <div className="body row small">
        {open.tags.length === 0 && <p className="quiet">No open task has a tag.</p>}
        {open.tags.slice(0, shownTags).map(({ tag, tasks }) => (
          <span key={tag}>
            <a href={`/market.html?market=${market}&tag=${encodeURIComponent(tag)}`} dir="auto">
              {tag}
            </a>{' '}
            {tasks}
            <span className="hidden"> {tasks === 1 ? 'task' : 'tasks'}</span>
          </span>
        ))}
      </div>
    </section>
  );
}

const columns: readonly Column<Week>[] = [
  { name: 'Week from', value: ({ start }) => start, show: ({ start }) => showWeek(start) },
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
    <div className="sheet scroll">
      <DataTable
        caption={<caption>Week by week</caption>}
        columns={columns}
        rows={weeks}
        keyOf={({ start }) => start}
      />
    </div>
  );
}

function endedIn({ completed, resolved, cancelled }: Week): number {
  return completed + resolved + cancelled;
}

function showShare(part: number, whole: number): string {
  return whole === 0 ? 'none yet' : `${Math.round((100 * part) / whole)} %`;
}

export function HealthPage() {
  return (
    <BoardPage words={views.health} what="the figures of this market">
      {(market) => (
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
              <Tags market={market} open={open} />
              <WeekTable weeks={weeks} />
              <p className="small quiet">
                Each row is one week from Monday to Sunday (UTC). The last week is not over.
              </p>
              <p className="small quiet">
                Payments count in the week in which escrow paid. Private tasks count as well; the start page
                adds up public ones.
              </p>
            </>
          )}
        </BoardView>
      )}
    </BoardPage>
  );
}
