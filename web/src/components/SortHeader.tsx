// The head of a column by which its table can be sorted; it says the direction in which the values run.

export type Direction = 'ascending' | 'descending';

const arrows: Readonly<Record<Direction, string>> = { ascending: ' ↑', descending: ' ↓' };

export function SortHeader({
  word,
  className,
  direction,
  onSort,
}: {
  readonly word: string;
  readonly className?: string | undefined;
  /** Undefined where the table is sorted by another column. */
  readonly direction: Direction | undefined;
  readonly onSort: () => void;
}) {
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" onClick={onSort}>
        {word}
        <span aria-hidden="true">{direction === undefined ? '' : arrows[direction]}</span>
      </button>
    </th>
  );
}
