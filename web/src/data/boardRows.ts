// A market's tasks as rows of the board, searched, filtered and sorted by the address.

import type { ListFilters } from '@svc/sdk';
import {
  describeEscrow,
  describeFunding,
  isAddress,
  isTerminal,
  parseTaskId,
  taskStates,
} from '@svc/sdk/domain';
import { parseDocumentUri } from '@svc/sdk/internal/domain/document';
import { parseUsd } from '@svc/sdk/internal/domain/dollars';
import { keepSearch } from '@svc/sdk/internal/domain/savedSearches';
import { maxSearchLength, maxSearchTerms, readSearch, tagKey } from '@svc/sdk/internal/domain/searchWords';
import { offeredAmount } from '@svc/sdk/internal/domain/task';
import { toPlain } from '@svc/sdk/internal/domain/text';
import { showMoment } from './format.ts';
import { dropThousands, parseAmount, splitList } from './formValues.ts';
import type { Task } from './market.ts';
import { showSays } from './showSays.ts';

export type Row = ReturnType<typeof buildRow>;

export const sorts = {
  newest: 'Newest',
  amount: 'Amount',
  deadline: 'Deadline',
  funded: 'Funded first',
} as const;
export type Sort = keyof typeof sorts;

/** The parameters by which listings are found: words, a poster, and one tag. */
export function keepListingFilters(search: URLSearchParams): URLSearchParams {
  const [tag = ''] = parseTags(search);
  const [q, poster] = [search.get('q') ?? '', search.get('poster') ?? ''];
  return new URLSearchParams({ q, poster, tag });
}

export type Filter = ReturnType<typeof parseFilter>;

export function parseFilter(search: URLSearchParams) {
  const sort = search.get('sort') ?? '';
  const name = sort.replace(/^-/, '');
  return {
    search: search.get('q') ?? '',
    /** In wei; null for no limit. */
    min: readTok(search.get('min')),
    max: readTok(search.get('max')),
    minUsd: readUsd(search.get('minUsd')),
    maxUsd: readUsd(search.get('maxUsd')),
    poster: readPoster(search.get('poster')),
    /** Seconds until the deadline. */
    dueWithin: /^\d{1,9}$/.test(search.get('due') ?? '') ? Number(search.get('due')) : null,
    funding: (['full', 'open'] as const).find((one) => one === search.get('funding')) ?? ('any' as const),
    state: shownStates.find((state) => state === search.get('state')) ?? null,
    tags: parseTags(search),
    sort: Object.hasOwn(sorts, name) ? (name as Sort) : 'newest',
    isReversed: sort.startsWith('-'),
    /** Newest first, where no wallet fills the page: the order unless one is chosen. */
    isMixed: !Object.hasOwn(sorts, name),
  };
}

function readUsd(text: string | null): string | null {
  const plain = dropThousands(text ?? '');
  return parseUsd(plain) === null ? null : plain;
}

/** With or without commas between thousands. */
export function readTok(text: string | null): bigint | null {
  return parseAmount(dropThousands(text ?? ''));
}

function readPoster(text: string | null): string | null {
  return isAddress(text?.trim()) ? (text?.trim() ?? null) : null;
}

export const shownStates = taskStates.filter((state) => state !== 'NONE');

/** The tags in the address, separated by commas. */
function parseTags(search: URLSearchParams): string[] {
  return splitList(search.get('tag') ?? '');
}

/** The value of `tag` in the address after a click on a tag, which sets it or takes it away. */
export function toggleTag(search: URLSearchParams, tag: string): string {
  const tags = parseTags(search);
  const others = tags.filter((one) => tagKey(one) !== tagKey(tag));
  return (others.length < tags.length ? others : [...tags, tag]).join();
}

export function buildRow(task: Task) {
  const document = task.uri === null ? null : parseDocumentUri(task.uri);
  const key = parseTaskId(task.id);
  const number = String(key.number);
  const title = toPlain(document?.title ?? `Task ${number}`);
  const { poster } = task;
  const tags = document?.tags ?? [];
  return {
    id: task.id,
    market: key.market,
    number,
    poster,
    state: task.state,
    title,
    tags,
    /** "Fully funded", for those who do not read bars. */
    funding: showSays(describeFunding(task)),
    escrow: task,
    /** What is left to earn of a task that can be claimed. */
    total: offeredAmount(task),
    deadline: task.deadline,
    /** Null while the task is not over. */
    endedAt: isTerminal(task.state) ? task.updatedAt : null,
    createdAt: task.createdAt,
    isFunded: task.fullyFunded,
    /** Of an open task that is not fully funded: a reader should see it. */
    missing:
      task.fullyFunded || isTerminal(task.state)
        ? null
        : { funded: BigInt(task.fundedTokWei), total: BigInt(task.totalAmountTokWei) },
  };
}

/** Drops tasks past their deadline: they cannot be claimed, and no event reports it. The same array if there are none. */
export function dropExpired(rows: readonly Row[], now: number): readonly Row[] {
  return rows.every(({ deadline }) => deadline >= now)
    ? rows
    : rows.filter(({ deadline }) => deadline >= now);
}

/** The number of active filters; an amount that cannot be parsed is not one. */
export function countFilters(filter: Filter): number {
  const { min, max, minUsd, maxUsd, poster, dueWithin, funding, state, tags } = filter;
  const set = [min, max, minUsd, maxUsd, poster, dueWithin, state].filter((value) => value !== null).length;
  return set + Number(funding !== 'any') + tags.length;
}

/** The full text of a row, for its title. */
export function describeRow({ title, poster, escrow, deadline, endedAt, createdAt }: Row): string {
  const end = endedAt === null ? `Deadline ${showMoment(deadline)}` : `Ended ${showMoment(endedAt)}`;
  return [title, showSays(describeEscrow(escrow)), end, `Posted ${showMoment(createdAt)} by ${poster}`].join(
    '\n',
  );
}

export const orders: Readonly<Record<Sort, (left: Row, right: Row) => number>> = {
  newest: (left, right) => right.createdAt - left.createdAt || Number(right.number) - Number(left.number),
  amount: (left, right) => Number(right.total - left.total) || right.createdAt - left.createdAt,
  deadline: (left, right) => left.deadline - right.deadline,
  funded: (left, right) => Number(right.isFunded) - Number(left.isFunded) || right.createdAt - left.createdAt,
};

const apiSorts: Readonly<Record<Sort, readonly [plain: ListFilters['sort'], reversed: ListFilters['sort']]>> =
  {
    newest: ['newest', 'oldest'],
    amount: ['highest', 'lowest'],
    deadline: ['deadline', 'deadline'],
    funded: ['funded', 'funded'],
  };

/** The same filter for the API, for markets with more tasks than the page holds. `now` is rounded, for the cache. */
export function toListFilters(filter: Filter, now: number): ListFilters {
  const { search, min, max, minUsd, maxUsd, poster, dueWithin, funding, state, tags, sort, isReversed } =
    filter;
  const terms = readSearch(search).length;
  const isSearch = terms > 0 && terms <= maxSearchTerms && search.length <= maxSearchLength;
  return {
    ...(isSearch && { q: search }),
    ...(min !== null && { minAmountTokWei: min }),
    ...(max !== null && { maxAmountTokWei: max }),
    ...(minUsd !== null && { minAmountUsd: minUsd }),
    ...(maxUsd !== null && { maxAmountUsd: maxUsd }),
    ...(poster !== null && { poster }),
    ...(dueWithin !== null && { deadlineBefore: now + dueWithin }),
    ...(funding !== 'any' && { fullyFunded: funding === 'full' }),
    ...(state !== null && { state }),
    ...(tags.length > 0 && { tag: tags }),
    // The list of one poster has nobody to mix it with.
    sort: filter.isMixed && poster === null ? 'mixed' : apiSorts[sort][Number(isReversed) as 0 | 1],
  };
}

/** The query of the page that saves this search; null where nothing is searched for. */
export function toSavedSearch(filter: Filter, market: string, view = ''): string | null {
  const { sort: _, state: _state, deadlineBefore: _deadline, ...kept } = toListFilters(filter, 0);
  const named = Object.entries(kept).map(([name, value]) => [name, String(value)]);
  const write = (filters: string[][]) =>
    keepSearch(new URLSearchParams([['market', market], ['view', view], ...filters]).toString());
  return write(named) === write([]) ? null : write(named);
}
