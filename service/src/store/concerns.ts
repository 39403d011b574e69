// The index of what concerns a wallet: written with each task, read a page at a time.
import type { Address, Market } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { type Turn, turns } from '@svc/sdk/internal/domain/concernNames';
import { type ConcernRow, listConcerns, noEnd } from '../contract/concernRows.ts';
import { isShown, ofMarket } from './chainRow.ts';
import type { Database, Transaction } from './database.ts';
import { insertRows, queryByTasks } from './rows.ts';
import { joinSql, raw, type Sql, sql } from './sql.ts';
import { parseTaskRow, type StoredTask, type TaskRow } from './taskRow.ts';

export async function saveConcerns(tx: Transaction, stored: readonly StoredTask[]): Promise<void> {
  const tasks = stored.map(({ task }) => task);
  const select = (market: Market, list: Sql) =>
    sql`DELETE FROM concerns WHERE market = ${market} AND number IN ${list}`;
  await queryByTasks(tx, tasks, select);
  const rows = stored.flatMap(({ task, facts }) =>
    listConcerns(task, facts).map((row) => ({
      market: task.market,
      number: Number(task.number),
      ...row,
    })),
  );
  await insertRows(tx, 'concerns', rows);
}

/** The place of a row in the order of the list. */
export type ConcernPlace = { readonly part: number; readonly due: number; readonly number: number };

export type ConcernQuery = {
  readonly market: Market;
  readonly address: Address;
  /** The second of chain time at which the rows hold. */
  readonly now: number;
  readonly limit: number;
  readonly after?: ConcernPlace | undefined;
  /** Only rows with one of these roles; see `maskOf`. */
  readonly roles?: number | undefined;
};

export type StoredConcern = StoredTask & Pick<ConcernRow, 'part' | 'due' | 'roles'>;

type FoundRow = Pick<ConcernRow, 'part' | 'due' | 'roles'> & Pick<TaskRow, 'task' | 'facts'>;

/** Counting goes no further. */
export const countLimit = 100;

const clockBounds: Readonly<Record<Turn, (now: number) => Sql>> = {
  mine: (now) => sql`AND due >= ${now}`,
  anyone: (now) => sql`AND due < ${now}`,
  theirs: (now) => sql`AND due >= ${now}`,
  nobody: () => raw(''),
};

/** From this bit on a smaller index holds the rows. */
const firstOther = 4;

export function createConcernStore(database: Database) {
  /**
   * The rows of one part that hold. Those of a running clock end with it, and anyone's turn begins after it: without that
   * bound every row of other times would be read as well.
   */
  const where = (part: number, { address, market, now, roles }: Omit<ConcernQuery, 'limit'>) =>
    sql`${ofMarket(market)} AND wallet = ${addressKey(address)}
      AND part = ${part} AND starts <= ${now} AND ends >= ${now} ${clockBounds[turns[part] as Turn](now)}
      ${raw(roles === undefined ? '' : `AND (roles & ${roles}) <> 0`)}
      ${raw(roles !== undefined && roles % firstOther === 0 ? `AND roles >= ${firstOther}` : '')}`;

  return {
    /** What is the wallet's turn first, then by the clock; finished tasks last, newest first. */
    async loadConcerns(query: ConcernQuery): Promise<StoredConcern[]> {
      const { part: from, due, number } = query.after ?? { part: 0, due: -noEnd, number: 0 };
      const pages = [...turns.keys().filter((part) => part >= from)].map(
        (part) => sql`SELECT * FROM (
          SELECT market, number, part, due, roles FROM concerns
          WHERE ${where(part, query)} ${part === from ? sql`AND (due, number) > (${due}, ${number})` : raw('')}
          ORDER BY due, number LIMIT ${query.limit}) AS part${raw(`${part}`)}`,
      );
      const rows = await database.query<FoundRow>(sql`SELECT part, due, roles, task, facts FROM (
          ${joinSql(pages, ' UNION ALL ')} ORDER BY part, due, number LIMIT ${query.limit}) AS page
        JOIN tasks USING (market, number)
        ORDER BY part, due, number`);
      return rows.map(toStored);
    },

    /** The rows of these tasks that hold for the wallet. */
    async loadOf(
      { address, market, now }: Pick<ConcernQuery, 'address' | 'market' | 'now'>,
      numbers: readonly number[],
    ): Promise<StoredConcern[]> {
      if (numbers.length === 0) return [];
      const rows = await database.query<FoundRow>(sql`SELECT part, due, roles, task, facts FROM concerns
        JOIN tasks USING (market, number)
        WHERE ${ofMarket(market)} AND wallet = ${addressKey(address)} AND starts <= ${now} AND ends >= ${now}
          AND number IN (${joinSql(
            numbers.map((number) => sql`${number}`),
            ', ',
          )})`);
      return rows.map(toStored);
    },

    /** How many there are of each turn, in the order of `turns`; at most `countLimit`. */
    async countConcerns(query: Omit<ConcernQuery, 'limit'>): Promise<number[]> {
      const counts = turns.map(
        (_, part) => sql`(SELECT COUNT(*) FROM (
          SELECT 1 FROM concerns WHERE ${where(part, query)} LIMIT ${countLimit}) AS counted) AS part${raw(`${part}`)}`,
      );
      const [row] = await database.query<Record<string, number>>(sql`SELECT ${joinSql(counts, ', ')}`);
      return turns.map((_, part) => Number(row?.[`part${part}`]));
    },

    /** Whether the first reading is whole. */
    isShown: () => isShown(database),
  };
}

function toStored(row: FoundRow): StoredConcern {
  return { ...parseTaskRow(row), part: row.part, due: row.due, roles: row.roles };
}

export type ConcernStore = ReturnType<typeof createConcernStore>;
