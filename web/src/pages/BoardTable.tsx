// The rows of the board: aligned, sorted by header, walked with j and k, and steady under the pointer.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Ago, Countdown } from '../components/Clock.tsx';
import { Link } from '../components/Link.tsx';
import { MoneyBar, Tok } from '../components/Money.tsx';
import { SortHeader } from '../components/SortHeader.tsx';
import { State } from '../components/State.tsx';
import { changeSearch, useSearch } from '../data/address.ts';
import { maxListed } from '../data/market.ts';
import { describeRow, directionOf, type Row, readFilter, type Sort } from '../data/rows.ts';
import { keepSteady, type Steady } from '../data/steady.ts';
import { isTyping } from './BoardFilters.tsx';

const columns: readonly { readonly sort?: Sort; readonly word: string; readonly className: string }[] = [
  { word: 'State', className: 'c-state' },
  { sort: 'title', word: 'Task', className: 'c-title' },
  { sort: 'amount', word: 'Amount', className: 'c-amount' },
  { sort: 'deadline', word: 'Deadline', className: 'c-deadline' },
  { sort: 'newest', word: 'Posted', className: 'c-posted' },
];

export function BoardTable({
  rows,
  all,
  question,
}: {
  readonly rows: readonly Row[];
  /** Those that the search and the filters leave out as well. */
  readonly all: readonly Row[];
  /** What rows were chosen and sorted by. */
  readonly question: string;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [isHeld, setHeld] = useState(false);
  const steady = useRef<Steady<Row> | null>(null);
  steady.current = keepSteady(steady.current, { rows, all, question, isHeld });
  const { shown, waiting, arrived } = steady.current;
  useRowKeys(body);
  return (
    <>
      <p className="tally small quiet" aria-live="polite">
        {rows.length === all.length ? '' : `${rows.length} of `}
        {all.length >= maxListed && 'the newest '}
        {all.length.toLocaleString('en-US')} {all.length === 1 ? 'task' : 'tasks'}
        {waiting > 0 && (
          <span className="waiting"> · {waiting} new, shown when the pointer leaves the list</span>
        )}
        <span className="keys">
          <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens
        </span>
      </p>
      <table className="board">
        <thead>
          <tr>
            {columns.map((column) => (
              <Header key={column.word} {...column} />
            ))}
          </tr>
        </thead>
        <tbody ref={body} onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
          {shown.map((row) => (
            <BoardRow key={row.id} row={row} isNew={arrived.has(row.id)} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function BoardRow({ row, isNew }: { readonly row: Row; readonly isNew: boolean }) {
  return (
    <tr className={isNew ? 'arrived' : undefined}>
      <td className="c-state">
        <State state={row.state} />
      </td>
      <td className="c-title">
        <Link href={`/market.html?task=${row.id}`} dir="auto" title={describeRow(row)}>
          {row.title}
        </Link>
        <span className="tags">
          <span>#{row.number}</span>
          {isNew && <span className="mark">new</span>}
          {row.tags.slice(0, 4).map((tag) => (
            <span key={tag}>{tag.slice(0, 40)}</span>
          ))}
        </span>
      </td>
      <td className="c-amount">
        <Tok wei={row.total} hasUsd />
        <MoneyBar escrow={row.escrow} />
      </td>
      <td className="c-deadline">
        {row.endedAt === null ? (
          <Countdown to={row.deadline} isCalm={row.state === 'DELIVERED' || row.state === 'DISPUTED'} />
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

function Header({ sort, word, className }: (typeof columns)[number]) {
  const filter = readFilter(useSearch());
  if (sort === undefined) {
    return (
      <th scope="col" className={className}>
        {word}
      </th>
    );
  }
  const next = filter.sort === sort && !filter.isReversed ? `-${sort}` : sort;
  return (
    <SortHeader
      word={word}
      className={className}
      direction={directionOf(filter, sort)}
      onSort={() => changeSearch({ sort: next })}
    />
  );
}

function useRowKeys(body: RefObject<HTMLTableSectionElement | null>): void {
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      if (step === 0 || event.metaKey || event.ctrlKey || isTyping(event.target)) return;
      const links = [...(body.current?.querySelectorAll<HTMLAnchorElement>('.c-title a') ?? [])];
      const at = links.indexOf(document.activeElement as HTMLAnchorElement);
      const next = links[at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step];
      next?.focus();
    };
    addEventListener('keydown', move);
    return () => removeEventListener('keydown', move);
  }, [body]);
}
