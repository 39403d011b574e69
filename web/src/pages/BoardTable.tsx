// The table of the board: sortable, navigated with j and k, and stable while the pointer is on it.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Ago, Countdown } from '../components/Clock.tsx';
import { MoneyBar, Tok, TokText } from '../components/Money.tsx';
import { changeSearch, hrefWith, Link, useSearch } from '../components/navigation.tsx';
import { useShortList } from '../components/ShortList.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { SortHeader } from '../components/StatsTable.tsx';
import { describeRow, directionOf, parseFilter, type Row, type Sort, toggleTag } from '../data/boardRows.ts';
import { shorten } from '../data/format.ts';
import { showCount } from '../data/market.ts';
import { type StableRows, stabilizeRows } from '../data/tableRows.ts';
import { isTyping } from './BoardFilters.tsx';

const columns: readonly { readonly sort?: Sort; readonly label: string; readonly className: string }[] = [
  { label: 'State', className: 'c-state' },
  { sort: 'title', label: 'Task', className: 'c-title' },
  { sort: 'amount', label: 'Amount', className: 'c-amount' },
  { sort: 'deadline', label: 'Deadline', className: 'c-deadline' },
  { sort: 'newest', label: 'Posted', className: 'c-posted' },
];

type BoardTableProps = {
  rows: readonly Row[];
  /** Also those that the search and the filters hide. */
  all: readonly Row[];
  /** The filter and order of `rows`. */
  filter: string;
  /** How many tasks the list has, also those that were not loaded; undefined until it is known, null beyond counting. */
  total: number | null | undefined;
};

export function BoardTable({ rows, all, filter, total }: BoardTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [isHovered, setHovered] = useState(false);
  const stable = useRef<StableRows<Row> | null>(null);
  stable.current = stabilizeRows(stable.current, { rows, all, filter, isHovered });
  const { shown, waiting, arrived } = stable.current;
  const [visible, more] = useShortList(shown, { narrow: 10, wide: 100 });
  useKeyboardNavigation(body);
  return (
    <>
      <p className="tally small quiet" aria-live="polite">
        {rows.length === total ? '' : `${rows.length.toLocaleString('en-US')} of `}
        {total === undefined ? 'more' : showCount(total)} {total === 1 ? 'task' : 'tasks'}
        {waiting > 0 && <span data-tone="act"> · {waiting} new, shown when the pointer leaves the list</span>}
        <span className="keys">
          <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens
        </span>
      </p>
      <table className="sheet board">
        <thead>
          <tr>
            {columns.map((column) => (
              <Header key={column.label} {...column} />
            ))}
          </tr>
        </thead>
        <tbody ref={body} onPointerEnter={() => setHovered(true)} onPointerLeave={() => setHovered(false)}>
          {visible.map((row) => (
            <BoardRow key={row.id} row={row} isNew={arrived.has(row.id)} />
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}

function BoardRow({ row, isNew }: { row: Row; isNew: boolean }) {
  const search = useSearch();
  return (
    <tr className={isNew ? 'arrived' : undefined}>
      <td className="c-state">
        <StateBadge state={row.state} />
      </td>
      <td className="c-title">
        <Link href={`/market.html?task=${row.id}`} dir="auto" title={describeRow(row)}>
          {row.title}
        </Link>
        <span className="tags">
          <span>#{row.number}</span>
          <span>
            by{' '}
            <a className="mono" href={`/agent.html?address=${row.poster}`} title={row.poster}>
              {shorten(row.poster)}
            </a>
          </span>
          {isNew && <span className="mark">new</span>}
          {row.tags.slice(0, 4).map((tag) => (
            <Link
              key={tag}
              href={hrefWith(search, 'tag', toggleTag(search, tag))}
              title={`Tasks with the tag ${tag}`}
            >
              {tag.slice(0, 40)}
            </Link>
          ))}
        </span>
      </td>
      <td className="c-amount">
        <Tok wei={row.total} hasUsd />
        <MoneyBar escrow={row.escrow} />
        <span className="funding small quiet">
          <TokText text={row.funding} />
        </span>
      </td>
      <td className="c-deadline">
        {row.endedAt === null ? (
          <>
            {/* A phone has no column headings. */}
            <span className="narrow">due </span>
            <Countdown to={row.deadline} isCalm={row.state === 'DELIVERED' || row.state === 'DISPUTED'} />
          </>
        ) : (
          <span className="faint">
            ended <Ago time={row.endedAt} />
          </span>
        )}
      </td>
      <td className="c-posted quiet">
        <Ago time={row.createdAt} />
      </td>
    </tr>
  );
}

function Header({ sort, label, className }: (typeof columns)[number]) {
  const filter = parseFilter(useSearch());
  if (sort === undefined) {
    return (
      <th scope="col" className={className}>
        {label}
      </th>
    );
  }
  const next = filter.sort === sort && !filter.isReversed ? `-${sort}` : sort;
  return (
    <SortHeader
      label={label}
      className={className}
      direction={directionOf(filter, sort)}
      onSort={() => changeSearch({ sort: next })}
    />
  );
}

function useKeyboardNavigation(body: RefObject<HTMLTableSectionElement | null>): void {
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      if (step === 0 || event.metaKey || event.ctrlKey || isTyping(event.target)) return;
      const links = [...(body.current?.querySelectorAll<HTMLAnchorElement>('.c-title > a') ?? [])];
      const at = links.indexOf(document.activeElement as HTMLAnchorElement);
      const next = links[at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step];
      next?.focus();
    };
    addEventListener('keydown', move);
    return () => removeEventListener('keydown', move);
  }, [body]);
}
