// A market's tasks as rows of the board, searched, filtered and sorted by the address.
import { isTerminal, parseDocumentUri, type TaskState } from '@svc/sdk/domain';
import { describeEscrow } from './escrow.ts';
import type { OpenTask, Task } from './market.ts';
import type { Direction } from './tableRows.ts';
import { showMoment } from './time.ts';

export type Row = {
  readonly id: string;
  readonly number: string;
  readonly state: TaskState;
  readonly title: string;
  readonly tags: readonly string[];
  /** What a search looks at, in lower case. */
  readonly text: string;
  readonly escrow: OpenTask;
  readonly total: bigint;
  readonly deadline: number;
  /** Null while the task is not over. */
  readonly endedAt: number | null;
  readonly createdAt: number;
  readonly isFunded: boolean;
};

export const sorts = {
  newest: 'Newest',
  amount: 'Amount',
  deadline: 'Deadline',
  title: 'Title',
} as const;
export type Sort = keyof typeof sorts;

/** Largest first. */
const descendingSorts: ReadonlySet<Sort> = new Set(['newest', 'amount']);

export type Filter = {
  readonly search: string;
  /** In TOK; null for no limit. */
  readonly min: number | null;
  readonly max: number | null;
  /** Seconds until the deadline. */
  readonly dueWithin: number | null;
  readonly funding: 'any' | 'full' | 'open';
  readonly sort: Sort;
  readonly isReversed: boolean;
};

export function parseFilter(search: URLSearchParams): Filter {
  const sort = search.get('sort') ?? '';
  const name = sort.replace(/^-/, '');
  const funding = search.get('funding');
  return {
    search: search.get('q') ?? '',
    min: parseAmount(search.get('min')),
    max: parseAmount(search.get('max')),
    dueWithin: parseAmount(search.get('due')),
    funding: funding === 'full' || funding === 'open' ? funding : 'any',
    sort: Object.hasOwn(sorts, name) ? (name as Sort) : 'newest',
    isReversed: sort.startsWith('-'),
  };
}

export function buildRow(task: OpenTask | Task): Row {
  const document = task.uri === null ? null : parseDocumentUri(task.uri);
  const number = task.id.split(':')[2] ?? '';
  const title = document?.title ?? `Task ${number}`;
  const tags = document?.tags ?? [];
  return {
    id: task.id,
    number,
    state: task.state,
    title,
    tags,
    text: [task.id, title, ...tags, document?.description ?? '', 'poster' in task ? task.poster : '']
      .join('\n')
      .toLowerCase(),
    escrow: task,
    total: BigInt(task.totalAmountTokWei),
    deadline: task.deadline,
    endedAt: isTerminal(task.state) && 'updatedAt' in task ? task.updatedAt : null,
    createdAt: task.createdAt,
    isFunded: task.fullyFunded,
  };
}

/** Drops tasks past their deadline: they cannot be claimed, and no event reports it. The same array if there are none. */
export function dropExpired(rows: readonly Row[], now: number): readonly Row[] {
  return rows.every(({ deadline }) => deadline >= now)
    ? rows
    : rows.filter(({ deadline }) => deadline >= now);
}

export function directionOf(filter: Filter, sort: Sort): Direction | undefined {
  if (filter.sort !== sort) return undefined;
  return descendingSorts.has(sort) === filter.isReversed ? 'ascending' : 'descending';
}

/** The number of active filters; an amount that cannot be parsed is not one. */
export function countFilters({ min, max, dueWithin, funding }: Filter): number {
  return [min, max, dueWithin].filter((value) => value !== null).length + Number(funding !== 'any');
}

/** The full text of a row, for its title. */
export function describeRow({ title, escrow, deadline, endedAt, createdAt }: Row): string {
  const end = endedAt === null ? `Deadline ${showMoment(deadline)}` : `Ended ${showMoment(endedAt)}`;
  return [title, describeEscrow(escrow), end, `Posted ${showMoment(createdAt)}`].join('\n');
}

export function filterRows(rows: readonly Row[], filter: Filter, now: number): Row[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = rows.filter(
    (row) =>
      words.every((word) => row.text.includes(word)) &&
      (filter.min === null || row.total >= toWei(filter.min)) &&
      (filter.max === null || row.total <= toWei(filter.max)) &&
      (filter.dueWithin === null || (row.deadline >= now && row.deadline <= now + filter.dueWithin)) &&
      (filter.funding === 'any' || row.isFunded === (filter.funding === 'full')),
  );
  const order = orders[filter.sort];
  return matching.sort((left, right) => (filter.isReversed ? order(right, left) : order(left, right)));
}

const orders: Readonly<Record<Sort, (left: Row, right: Row) => number>> = {
  newest: (left, right) => right.createdAt - left.createdAt || Number(right.number) - Number(left.number),
  amount: (left, right) => Number(right.total - left.total) || right.createdAt - left.createdAt,
  deadline: (left, right) => left.deadline - right.deadline,
  title: (left, right) => left.title.localeCompare(right.title),
};

function toWei(tok: number): bigint {
  return BigInt(Math.round(tok * 1e6)) * 10n ** 12n;
}

/** With or without commas between thousands; null if it is not an amount. */
export function parseAmount(text: string | null): number | null {
  const plain = /^[0-9]{1,3}(,[0-9]{3})+(\.|$)/.test(text ?? '') ? text?.replaceAll(',', '') : text?.trim();
  return plain !== undefined && /^[0-9]{1,12}(\.[0-9]{1,6})?$/.test(plain) ? Number(plain) : null;
}
