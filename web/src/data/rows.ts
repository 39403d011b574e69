// A market's tasks as rows of the board: found, filtered and sorted by what the address says.
import { parseDocumentUri } from '#domain/document.ts';
import { isTerminal, type TaskState } from '#domain/state.ts';
import type { OpenTask, Task } from './market.ts';

export type Row = {
  readonly id: string;
  readonly number: string;
  readonly state: TaskState;
  readonly title: string;
  readonly tags: readonly string[];
  /** Everything a search looks into, in lower case. */
  readonly text: string;
  readonly escrow: OpenTask;
  readonly total: bigint;
  readonly deadline: number;
  /** When a task that is over came to its end. */
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

export type Filter = {
  readonly search: string;
  /** In TOK; null where anything goes. */
  readonly min: number | null;
  readonly max: number | null;
  /** The deadline comes within this many seconds. */
  readonly dueWithin: number | null;
  readonly funding: 'any' | 'full' | 'open';
  readonly sort: Sort;
  readonly isReversed: boolean;
};

export function readFilter(search: URLSearchParams): Filter {
  const sort = search.get('sort') ?? '';
  const name = sort.replace(/^-/, '');
  const funding = search.get('funding');
  return {
    search: search.get('q') ?? '',
    min: readNumber(search.get('min')),
    max: readNumber(search.get('max')),
    dueWithin: readNumber(search.get('due')),
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

export function chooseRows(rows: readonly Row[], filter: Filter, now: number): Row[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = rows.filter(
    (row) =>
      words.every((word) => row.text.includes(word)) &&
      (filter.min === null || row.total >= toWei(filter.min)) &&
      (filter.max === null || row.total <= toWei(filter.max)) &&
      (filter.dueWithin === null || (row.deadline >= now && row.deadline <= now + filter.dueWithin)) &&
      (filter.funding === 'any' || row.isFunded === (filter.funding === 'full')),
  );
  const order = orders[filter.sort];
  return chosen.sort((left, right) => (filter.isReversed ? order(right, left) : order(left, right)));
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

function readNumber(text: string | null): number | null {
  return text !== null && /^[0-9]{1,12}(\.[0-9]{1,6})?$/.test(text) ? Number(text) : null;
}
