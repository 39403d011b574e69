// Payments, completion, disputes and waiting times of a market week by week.

import type { MarketHealth } from '@svc/sdk';
import type { Market } from '@svc/sdk/domain';
import { useMemo } from 'react';
import { BoardPage, BoardView } from '../components/BoardView.tsx';
import { Usd } from '../components/Money.tsx';
import { Plot } from '../components/Plot.tsx';
import { Figures } from '../components/Sheet.tsx';
import { type Column, DataTable } from '../components/StatsTable.tsx';
import { showDuration, showRoundTok, toTok } from '../data/format.ts';
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
const showPercent = (value: number) => `${Math.round(value)} %`;
const showHours = (value: number) => `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} h`;

/** What each small plot shows of a week; null where nothing happened that it could be a part of. */
const plots = [
  {
    title: 'Paid to workers',
    unit: 'TOK',
    colour: '--bar-locked',
    read: ({ paidTokWei }: Week) => toTok(paidTokWei),
  },
  { title: 'Tasks posted', unit: 'tasks', colour: '--bar-refunded', read: ({ posted }: Week) => posted },
  {
    title: 'Completed',
    unit: '% of the tasks that ended',
    colour: '--bar-locked',
    show: showPercent,
    top: 100,
    read: (one: Week) => share(one.completed, endedIn(one)),
  },
  {
    title: 'Disputed',
    unit: '% of deliveries',
    colour: '--bar-fees',
    show: showPercent,
    top: 100,
    read: ({ disputes, deliveries }: Week) => share(disputes, deliveries),
  },
  {
    title: 'From delivery to payment',
    unit: 'hours on average',
    colour: '--bar-refunded',
    show: showHours,
    read: ({ waitedSeconds, accepted }: Week) => (accepted === 0 ? null : waitedSeconds / accepted / 3_600),
  },
] as const;

function WeekPlots({ weeks }: { weeks: Weeks }) {
  const drawn = useMemo(() => {
    const at = weeks.map(({ start }) => showWeek(start));
    return plots.map(({ read, colour, ...plot }) => {
      const values = weeks.map(read);
      const show = 'show' in plot ? plot.show : (value: number) => value.toLocaleString('en-US');
      const described = values.map((value, index) => `${at[index]} ${value === null ? 'none' : show(value)}`);
      const series = [{ name: plot.title, values, colour }];
      return { ...plot, at, series, description: described.join(', ') };
    });
  }, [weeks]);
  return drawn.map((plot) => <Plot key={plot.title} kind="bars" isSeries height={180} {...plot} />);
}

/** As many as the plots beside it have room for. */
const shownTags = 6;

/** Which work is asked for: a link for each tag, with a bar of its share. */
function Tags({ market, open }: { market: Market; open: MarketHealth['open'] }) {
  const most = Math.max(1, ...open.tags.map(({ tasks }) => tasks));
  return (
    <section className="sheet plot" aria-labelledby="tags">
      <p className="small">
        <b id="tags">Open tasks by tag</b>{' '}
        <span className="faint">
          {open.isAll ? `${open.tasks} open` : `the newest ${open.tasks.toLocaleString('en-US')}`}
        </span>
      </p>
      {open.tags.length === 0 ? (
        <p className="small quiet">No open task has a tag.</p>
      ) : (
        <ul className="tagbars">
          {open.tags.slice(0, shownTags).map(({ tag, tasks }) => (
            <li key={tag}>
              <a href={`/market.html?market=${market}&tag=${encodeURIComponent(tag)}`} dir="auto">
                {tag}
              </a>
              <span className="track" aria-hidden="true">
                <span style={{ width: `${(100 * tasks) / most}%` }} />
              </span>
              <span>
                {tasks}
                <span className="hidden"> {tasks === 1 ? 'task' : 'tasks'}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
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
    <details className="sheet">
      <summary className="body">All figures as a table</summary>
      <div className="sheet scroll">
        <DataTable
          caption={<caption className="hidden">Figures by week</caption>}
          columns={columns}
          rows={weeks}
          keyOf={({ start }) => start}
        />
      </div>
    </details>
  );
}

function endedIn({ completed, resolved, cancelled }: Week): number {
  return completed + resolved + cancelled;
}

/** In percent; null of nothing. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : (100 * part) / whole;
}

function showShare(part: number, whole: number): string {
  const value = share(part, whole);
  return value === null ? 'none yet' : showPercent(value);
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
              <div className="columns multiples" data-is="small">
                <WeekPlots weeks={weeks} />
                <Tags market={market} open={open} />
              </div>
              <p className="small quiet">
                Each bar is one week from Monday to Sunday (UTC). The last week is not over.
              </p>
              <p className="small quiet">
                Payments count in the week in which escrow paid. Private tasks count as well; the start page
                adds up public ones.
              </p>
              <WeekTable weeks={weeks} />
            </>
          )}
        </BoardView>
      )}
    </BoardPage>
  );
}
