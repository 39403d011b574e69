// Lists with filters and an order. One request looks at a limited number of tasks, whatever it asks for: what lies beyond
// them is on the next page.
import type { Address, Market } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { shareOf } from '@svc/sdk/internal/domain/fairShare';
import type { SearchTerm } from '@svc/sdk/internal/domain/searchWords';
import type { ListSort } from '@svc/sdk/internal/schemas/listQueries';
import { ofMarket } from './chainRow.ts';
import { findNextChange } from './changes.ts';
import type { Database, Dialect, Query } from './database.ts';
import { joinSql, type Param, raw, type Sql, sql } from './sql.ts';
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
  /** Only tasks that changed after a reply showed this block. */
  readonly since?: number | undefined;
};

/** Which tasks a list has. One past its deadline is not open, although the chain still calls it POSTED. */
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
  search: TaskSearch,
  looked = maxLooked,
): Promise<FoundTasks> {
  return withTimeLimit(database, async (query) => {
    const { since } = search.filter;
    const next = since === undefined ? null : await findNextChange(query, search.market, since);
    const plan = buildPlan(database.dialect, search, next, looked);
    if (search.isUncounted) {
      const rows = await query<PlaceRow>(plan.page);
      return { numbers: rows.slice(0, search.limit).map(({ number }) => number), next: null, total: null };
    }
    const [count] = await query<{ seen: number; fitting: number | null; matching: number }>(plan.count);
    const isCounted = count !== undefined && count.seen <= looked && count.matching <= looked;
    const rows = await query<PlaceRow>(plan.page);
    const shown = rows.slice(0, search.limit);
    const found = {
      numbers: shown.map(({ number }) => number),
      total: isCounted ? (count.fitting ?? 0) : null,
    };
    if (rows.length > search.limit) return { ...found, next: toPlace(shown.at(-1) as PlaceRow) };
    if (isCounted) return { ...found, next: null };
    const [last] = await query<PlaceRow>(plan.last);
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

/**
 * `near` are the tasks that are looked at, in their order, by an index; the rest of the filter is applied to them alone.
 * PostgreSQL might otherwise look at all tasks first.
 */
function buildPlan(
  dialect: Dialect,
  search: TaskSearch,
  nextChange: number | null,
  looked: number,
): Readonly<Record<'count' | 'page' | 'last', Sql>> {
  const { column, isRising } = orders[search.sort];
  const direction = isRising ? 'ASC' : 'DESC';
  const order = raw(`${column === null ? '' : `${column} ${direction}, `}number ${direction}`);
  const key = raw(column ?? 'CAST(NULL AS TEXT)');
  const isNewest = column === null && !isRising;
  const fits = writeFilter(search.filter);

  function writeNear(place: ListPlace | null): Sql {
    const { market } = search;
    const matching = writeWords(place);
    const conditions = [
      sql`${ofMarket(market)} AND ${writeList(search)}`,
      ...(nextChange === null
        ? []
        : [
            sql`number IN (SELECT task_number FROM changes WHERE market = ${market} AND seq >= ${nextChange})`,
          ]),
      ...(matching === null ? [] : [sql`number IN (${matching})`]),
      ...(place === null ? [] : [writePlace(place)]),
    ];
    return sql`SELECT number, state, total_key, deadline,
      fully_funded${raw(search.sort === 'mixed' ? ', poster' : '')} FROM tasks
      WHERE ${joinSql(conditions, ' AND ')} ORDER BY ${order} LIMIT ${looked + 1}`;
  }

  function writeWords(place: ListPlace | null): Sql | null {
    const { terms = [], tags = [] } = search.filter;
    if (terms.length === 0 && tags.length === 0) return null;
    const party = 'address' in search ? [{ word: addressKey(search.address), isPrefix: false }] : [];
    const words = formatWordsQuery(dialect, {
      terms: [...terms, ...party],
      tags,
      isPublic: search.list === 'open' || search.list === 'recent',
      state: search.list === 'open' ? 'POSTED' : null,
    });
    const before = isNewest && place !== null ? place.number : Number.MAX_SAFE_INTEGER;
    return selectByWords(dialect, search.market, { words, before, limit: looked + 1 });
  }

  function writePlace({ key, number }: ListPlace): Sql {
    const comparison = raw(isRising ? '>' : '<');
    if (column === null || key === null) return sql`number ${comparison} ${number}`;
    return sql`(${raw(column)}, number) ${comparison} (${column === 'total_key' ? key : Number(key)},
      ${number})`;
  }

  const matches = writeWords(null);
  const matching = matches === null ? raw('0') : sql`(SELECT COUNT(*) FROM (${matches}) AS found)`;
  const near = writeNear(search.after);
  const fitting = sql`SELECT * FROM (${near}) AS near WHERE ${fits}`;
  return {
    count: sql`SELECT COUNT(*) AS seen, SUM(CASE WHEN ${fits} THEN 1 ELSE 0 END) AS fitting,
        ${matching} AS matching
      FROM (${writeNear(null)}) AS near`,
    page: sql`SELECT number, ${key} AS key
      FROM (${search.sort === 'mixed' ? mix(fitting, shareOf(search.limit)) : fitting}) AS listed
      ORDER BY ${order} LIMIT ${search.limit + 1}`,
    // The last one that the page has looked at, if there may be more. In other orders the newest matches are sorted, and
    // there is nothing beyond them.
    last: sql`SELECT number, ${key} AS key
      FROM (${(isNewest ? writeWords(search.after) : null) ?? near}) AS near
      ORDER BY ${order} LIMIT 1 OFFSET ${looked}`,
  };
}

/** The newest of each poster, so that no wallet fills the page. */
function mix(fitting: Sql, most: number): Sql {
  return sql`SELECT * FROM (SELECT fitting.*,
      ROW_NUMBER() OVER (PARTITION BY poster ORDER BY number DESC) AS place
    FROM (${fitting}) AS fitting) AS ranked WHERE place <= ${most}`;
}

/** Conditions that partial indexes have are written out. */
function writeList(kind: TaskSearch): Sql {
  const { poster } = kind.filter;
  return poster === undefined ? writeKind(kind) : sql`${writeKind(kind)} AND poster = ${addressKey(poster)}`;
}

export function writeKind(kind: ListKind): Sql {
  if (kind.list === 'open') return sql`state = 'POSTED' AND scope = 'open' AND deadline >= ${kind.now}`;
  if (kind.list === 'recent') return sql`scope = 'open'`;
  return sql`${raw(kind.list)} = ${addressKey(kind.address)}`;
}

/** Always the same text, so that there are few statements to keep prepared: an absent filter is null. */
function writeFilter({ states, minAmount, maxAmount, deadlineBefore, fullyFunded }: TaskFilter): Sql {
  const keyOf = (amount: bigint | undefined) => (amount === undefined ? null : totalKey(amount));
  const [text, whole] = [raw('TEXT'), raw('BIGINT')];
  const orAbsent = (value: Param | undefined, type: Sql, compare: (given: Sql) => Sql) => {
    const given = sql`CAST(${value ?? null} AS ${type})`;
    return sql`(${given} IS NULL OR ${compare(given)})`;
  };
  const filters = [
    orAbsent(states && `,${states.join()},`, text, (given) => sql`${given} LIKE '%,' || state || ',%'`),
    orAbsent(keyOf(minAmount), text, (given) => sql`total_key >= ${given}`),
    orAbsent(keyOf(maxAmount), text, (given) => sql`total_key <= ${given}`),
    orAbsent(deadlineBefore, whole, (given) => sql`deadline < ${given}`),
    orAbsent(
      fullyFunded === undefined ? null : Number(fullyFunded),
      whole,
      (given) => sql`fully_funded = ${given}`,
    ),
  ];
  return joinSql(filters, ' AND ');
}
