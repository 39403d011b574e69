// The rows of the board: who pays, how, when and how much; navigated with j and k, and stable while the pointer is on them.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useNow } from '../components/Clock.tsx';
import { Identicon } from '../components/Identicon.tsx';
import { Dollars } from '../components/Money.tsx';
import { hrefWith, Link, useSearch } from '../components/navigation.tsx';
import { WhoName } from '../components/People.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { describeRow, type Row, toggleTag } from '../data/boardRows.ts';
import { showAgo, showDate, showDuration } from '../data/format.ts';
import { type StableRows, stabilizeRows } from '../data/tableRows.ts';
import { isTyping } from './BoardFilters.tsx';

type BoardRowsProps = {
  rows: readonly Row[];
  /** The filter and order of `rows`. */
  filter: string;
  /** Whether the rows have different states. */
  hasStates: boolean;
  tally: string;
};

export function BoardRows({ rows, filter, hasStates, tally }: BoardRowsProps) {
  const body = useRef<HTMLUListElement>(null);
  const [isHovered, setHovered] = useState(false);
  const stable = useRef<StableRows<Row> | null>(null);
  // Another filter shows other rows, none of which are new.
  const before = stable.current?.filter === filter ? stable.current : null;
  stable.current = stabilizeRows(before, { rows, all: rows, filter, isHovered });
  const { shown, waiting, arrived } = stable.current;
  useKeyboardNavigation(body);
  return (
    <>
      <ul
        ref={body}
        className="sheet tasks"
        aria-label="Tasks"
        title="j and k move, Enter opens"
        onPointerEnter={() => setHovered(true)}
        onPointerLeave={() => setHovered(false)}
      >
        {shown.map((row) => (
          <BoardRow key={row.id} row={row} isNew={arrived.has(row.id)} hasState={hasStates} />
        ))}
      </ul>
      <p className="tally small soft" aria-live="polite">
        {tally}
        {waiting > 0 && <span data-tone="act"> {waiting} new, shown when the pointer leaves the list</span>}
      </p>
    </>
  );
}

type RowProps = { row: Row; isNew: boolean; hasState: boolean };

function BoardRow({ row, isNew, hasState }: RowProps) {
  const search = useSearch();
  const now = useNow();
  const left = row.deadline - now;
  return (
    <li className={isNew ? 'task arrived' : 'task'} title={describeRow(row)}>
      <Identicon address={row.poster} />
      <div className="grow">
        <h2>
          <Link href={`/market.html?task=${row.id}`} dir="auto">
            {row.title}
          </Link>
        </h2>
        <p className="rec">
          <WhoName address={row.poster} />
          {isNew && <span className="label mark">new</span>}
          {hasState && <StateBadge state={row.state} />}
          {row.missing !== null && (
            <span className="label" data-tone="time">
              {row.missing.funded === 0n ? (
                'not funded'
              ) : (
                <>
                  <Dollars wei={row.missing.funded} /> of <Dollars wei={row.missing.total} /> funded
                </>
              )}
            </span>
          )}
        </p>
      </div>
      <span className="chips">
        {row.tags.slice(0, 2).map((tag) => (
          <Link
            key={tag}
            href={hrefWith(search, 'tag', toggleTag(search, tag))}
            title={`Tasks with the tag ${tag}`}
          >
            {tag.slice(0, 40)}
          </Link>
        ))}
      </span>
      <span className="due">
        {row.endedAt !== null ? (
          `ended ${showAgo(row.endedAt, now)}`
        ) : (
          <>
            {left < 0 ? 'overdue' : `in ${showDuration(left, 1)}`}
            <br />
            <span className="small soft wideonly">{showDate(row.deadline)}</span>
          </>
        )}
      </span>
      <span className="pay">
        <Dollars wei={row.total} isExact />
      </span>
    </li>
  );
}

function useKeyboardNavigation(body: RefObject<HTMLUListElement | null>): void {
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      if (step === 0 || event.metaKey || event.ctrlKey || isTyping(event.target)) return;
      const links = [...(body.current?.querySelectorAll<HTMLAnchorElement>('h2 > a') ?? [])];
      const at = links.indexOf(document.activeElement as HTMLAnchorElement);
      const next = links[at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step];
      next?.focus();
    };
    addEventListener('keydown', move);
    return () => removeEventListener('keydown', move);
  }, [body]);
}
