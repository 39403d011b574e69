// Lists with filters and an order. One request looks at a limited number of tasks, whatever it asks for: what lies beyond
// them is on the next page.
import type { Address, Market } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { shareOf } from '@svc/sdk/internal/domain/fairShare';
import type { SearchTerm } from '@svc/sdk/internal/domain/searchWords';
import type { ListSort } from '@svc/sdk/internal/schemas/listQueries';
import { shownGeneration } from './chainRow.ts';
import type { Database, Dialect, Param, Query } from './database.ts';
import { totalKey } from './taskRow.ts';
import { formatWordsQuery, selectByWords } from './taskWords.ts';

export type TaskFilter = {
  readonly states?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly minAmount?: bigint | undefined;
  readonly maxAmount?: bigint | undefined;
  readonly poster?: Address | undefined;
  readonly deadlineBefore?: number | undefined;
  readonly fullyFunded?: boolean | undefined;
  readonly terms?: readonly SearchTerm[] | undefined;
  /** Only tasks that changed after this block. */
  readonly since?: number | undefined;
};

/** Which tasks there are to filter. */
export type ListKind =
  | { readonly list: 'open'; readonly now: number }
  | { readonly list: 'recent' }
  | { readonly list: 'poster' | 'worker'; readonly address: Address };

/** The place of a task in an order: what it is sorted by, if not by its number. */
export type ListPlace = { readonly key: string | null; readonly number: number };

export type TaskSearch = ListKind & {
  readonly market: Market;
  readonly limit: number;
  readonly filter: TaskFilter;
  readonly sort: ListSort;
  readonly after: ListPlace | null;
  /** One page is enough: neither a total nor a next page. */
  readonly isUncounted?: boolean | undefined;
};

export type FoundTasks = {
  readonly numbers: readonly number[];
  readonly next: ListPlace | null;
  /** Null where there are too many to count. */
  readonly total: number | null;
};

/** How many tasks one request looks at. */
export const maxLooked = 10_000;

/** Longer searches end with 503, so that other readers need not wait. */
const timeLimitMs = 3_000;

const orders: Readonly<Record<ListSort, { readonly column: string | null; readonly isRising: boolean }>> = {
  newest: { column: null, isRising: false },
  mixed: { column: null, isRising: false },
  oldest: { column: null, isRising: true },
  highest: { column: 'total_key', isRising: false },
  lowest: { column: 'total_key', isRising: true },
  deadline: { column: 'deadline', isRising: true },
  funded: { column: 'fully_funded', isRising: false },
};

/** Whether a cursor belongs to an order. */
export function fitsSort({ key }: ListPlace, sort: ListSort): boolean {
  return (orders[sort].column === null) === (key === null);
}

type PlaceRow = { number: number; key: string | number | null };

export async function findTasks(
  database: Database,
  identity: string,
  search: TaskSearch,
  looked = maxLooked,
): Promise<FoundTasks> {
  return withTimeLimit(database, async (query) => {
    const plan = buildPlan(database.dialect, identity, search, await findSince(query, search.filter), looked);
    if (search.isUncounted) {
      const rows = await query<PlaceRow>(plan.page.sql, plan.page.params);
      return { numbers: rows.slice(0, search.limit).map(({ number }) => number), next: null, total: null };
    }
    const [count] = await query<{ seen: number; fitting: number | null; matching: number }>(
      plan.count.sql,
      plan.count.params,
    );
    const isCounted = count !== undefined && count.seen <= looked && count.matching <= looked;
    const rows = await query<PlaceRow>(plan.page.sql, plan.page.params);
    const shown = rows.slice(0, search.limit);
    const found = {
      numbers: shown.map(({ number }) => number),
      total: isCounted ? (count.fitting ?? 0) : null,
    };
    if (rows.length > search.limit) return { ...found, next: toPlace(shown.at(-1) as PlaceRow) };
    if (isCounted) return { ...found, next: null };
    const [last] = await query<PlaceRow>(plan.last.sql, plan.last.params);
    return { ...found, next: last === undefined ? null : toPlace(last) };
  });
}

function toPlace({ number, key }: PlaceRow): ListPlace {
  return { key: key === null ? null : String(key), number };
}

/** SQLite has no clock for statements; there the number of rows is the limit. */
async function withTimeLimit<T>(database: Database, work: (query: Query) => Promise<T>): Promise<T> {
  if (database.dialect === 'sqlite') return work(database.query);
  return database.transaction(async ({ query }) => {
    await query(`SET LOCAL statement_timeout = ${timeLimitMs}`);
    return work(query);
  });
}

/** Null where not all changes after the block are kept: then every task may have changed. */
async function findSince(query: Query, { since }: TaskFilter): Promise<number | null> {
  if (since === undefined) return null;
  const [first] = await query<{ blockNumber: number }>(
    'SELECT block_number FROM changes ORDER BY seq LIMIT 1',
  );
  return first === undefined || since < first.blockNumber ? null : since;
}

type Statement = { readonly sql: string; readonly params: readonly Param[] };

/**
 * `near` are the tasks that are looked at, in their order, by an index; the rest of the filter is applied to them alone.
 * PostgreSQL would otherwise be free to look at all tasks first.
 */
function buildPlan(
  dialect: Dialect,
  identity: string,
  search: TaskSearch,
  since: number | null,
  looked: number,
): Readonly<Record<'count' | 'page' | 'last', Statement>> {
  const { column, isRising } = orders[search.sort];
  const direction = isRising ? 'ASC' : 'DESC';
  const order = `${column === null ? '' : `${column} ${direction}, `}number ${direction}`;
  const key = column ?? 'CAST(NULL AS TEXT)';
  const isNewest = column === null && !isRising;

  function write(
    place: ListPlace | null,
    compose: (parts: {
      readonly near: () => string;
      readonly fits: () => string;
      readonly words: () => string | null;
      readonly add: (value: Param) => string;
    }) => string,
  ): Statement {
    const params: Param[] = [identity, search.market];
    const add = (value: Param): string => `$${params.push(value)}`;
    const generation = shownGeneration(1);
    const words = () => writeWords(place, add);
    const nearBy = (
      matching: string | null,
    ) => `SELECT number, state, total_key, deadline, fully_funded${search.sort === 'mixed' ? ', poster' : ''} FROM tasks
      WHERE generation = ${generation} AND market = $2 AND ${writeList(search, add)}
        ${since === null ? '' : `AND number IN (SELECT task_number FROM changes WHERE market = $2 AND block_number > ${add(since)})`}
        ${matching === null ? '' : `AND number IN (${matching})`}
        ${place === null ? '' : `AND ${writePlace(place, add)}`}
      ORDER BY ${order} LIMIT ${looked + 1}`;
    const near = () => nearBy(words());
    return { sql: compose({ near, fits: () => writeFilter(search.filter, add), words, add }), params };
  }

  function writeWords(place: ListPlace | null, add: (value: Param) => string): string | null {
    const { terms = [], tags = [] } = search.filter;
    if (terms.length === 0 && tags.length === 0) return null;
    const party = 'address' in search ? [{ word: addressKey(search.address), isPrefix: false }] : [];
    const words = formatWordsQuery(dialect, {
      terms: [...terms, ...party],
      tags,
      isPublic: search.list === 'open' || search.list === 'recent',
      state: search.list === 'open' ? 'POSTED' : null,
    });
    return selectByWords(dialect, {
      generation: shownGeneration(1),
      market: '$2',
      words: add(words),
      before: add(isNewest && place !== null ? place.number : Number.MAX_SAFE_INTEGER),
      limit: looked + 1,
    });
  }

  function writePlace({ key, number }: ListPlace, add: (value: Param) => string): string {
    const comparison = isRising ? '>' : '<';
    if (column === null || key === null) return `number ${comparison} ${add(number)}`;
    return `(${column}, number) ${comparison} (${add(column === 'total_key' ? key : Number(key))}, ${add(number)})`;
  }

  return {
    count: write(null, ({ near, fits, words }) => {
      const matches = words();
      const matching = matches === null ? '0' : `(SELECT COUNT(*) FROM (${matches}) AS found)`;
      return `SELECT COUNT(*) AS seen, SUM(CASE WHEN ${fits()} THEN 1 ELSE 0 END) AS fitting, ${matching} AS matching
        FROM (${near()}) AS near`;
    }),
    page: write(search.after, ({ near, fits, add }) => {
      const fitting = `SELECT * FROM (${near()}) AS near WHERE ${fits()}`;
      const rows = search.sort === 'mixed' ? mix(fitting, add(shareOf(search.limit))) : fitting;
      return `SELECT number, ${key} AS key FROM (${rows}) AS listed ORDER BY ${order} LIMIT ${add(search.limit + 1)}`;
    }),
    // The last one that the page has looked at, if there may be more. In other orders the newest matches are sorted, and
    // there is nothing beyond them.
    last: write(search.after, ({ near, words }) => {
      const all = (isNewest ? words() : null) ?? near();
      return `SELECT number, ${key} AS key FROM (${all}) AS near ORDER BY ${order} LIMIT 1 OFFSET ${looked}`;
    }),
  };
}

/** The newest of each poster, so that no wallet fills the page. */
function mix(fitting: string, most: string): string {
  return `SELECT * FROM (SELECT fitting.*, ROW_NUMBER() OVER (PARTITION BY poster ORDER BY number DESC) AS place
    FROM (${fitting}) AS fitting) AS ranked WHERE place <= ${most}`;
}

/** Conditions that partial indexes have are written out. */
function writeList(kind: TaskSearch, add: (value: Param) => string): string {
  const { poster } = kind.filter;
  const listed = writeKind(kind, add);
  return poster === undefined ? listed : `${listed} AND poster = ${add(addressKey(poster))}`;
}

function writeKind(kind: ListKind, add: (value: Param) => string): string {
  if (kind.list === 'open') return `state = 'POSTED' AND scope = 'open' AND deadline >= ${add(kind.now)}`;
  if (kind.list === 'recent') return `scope = 'open'`;
  return `${kind.list} = ${add(addressKey(kind.address))}`;
}

/** Always the same text, so that there are few statements to keep prepared: an absent filter is null. */
function writeFilter(filter: TaskFilter, add: (value: Param) => string): string {
  const { states, minAmount, maxAmount, deadlineBefore, fullyFunded } = filter;
  const keyOf = (amount: bigint | undefined) => (amount === undefined ? null : totalKey(amount));
  const orAbsent = (value: Param, type: string, compare: (given: string) => string) => {
    const given = `CAST(${add(value)} AS ${type})`;
    return `(${given} IS NULL OR ${compare(given)})`;
  };
  return [
    orAbsent(states ? `,${states.join()},` : null, 'TEXT', (given) => `${given} LIKE '%,' || state || ',%'`),
    orAbsent(keyOf(minAmount), 'TEXT', (given) => `total_key >= ${given}`),
    orAbsent(keyOf(maxAmount), 'TEXT', (given) => `total_key <= ${given}`),
    orAbsent(deadlineBefore ?? null, 'BIGINT', (given) => `deadline < ${given}`),
    orAbsent(
      fullyFunded === undefined ? null : Number(fullyFunded),
      'BIGINT',
      (given) => `fully_funded = ${given}`,
    ),
  ].join(' AND ');
}
