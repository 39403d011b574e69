// The index of what concerns a wallet: written with each task, read a page at a time.
import { type Address, type Market, markets } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { type Turn, turns } from '@svc/sdk/internal/domain/concernNames';
import { type ConcernRow, listConcerns, noEnd } from '@svc/sdk/internal/domain/concerns';
import { type Generation, loadWholeGeneration, shownGeneration } from './chainRow.ts';
import type { Database, Param, Transaction } from './database.ts';
import { insertRows, queryByKeys } from './rows.ts';
import { parseTaskRow, type StoredTask } from './taskRow.ts';

export async function saveConcerns(
  tx: Transaction,
  generation: Generation,
  stored: readonly StoredTask[],
): Promise<void> {
  for (const market of markets) {
    const numbers = stored
      .filter(({ task }) => task.market === market)
      .map(({ task }) => Number(task.number));
    const before = 'DELETE FROM concerns WHERE generation = $1 AND market = $2 AND number IN {keys}';
    await queryByKeys(tx, before, [generation, market], numbers);
  }
  const rows = stored.flatMap(({ task, facts }) =>
    listConcerns(task, facts).map((row) => ({
      generation,
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

type FoundRow = Pick<ConcernRow, 'part' | 'due' | 'roles'> & {
  readonly task: string;
  readonly facts: string;
};

/** Counting goes no further. */
export const countLimit = 100;

const clockBounds: Readonly<Record<Turn, string>> = {
  mine: 'AND due >= $4',
  anyone: 'AND due < $4',
  theirs: 'AND due >= $4',
  nobody: '',
};

/** From this bit on a smaller index holds the rows. */
const firstOther = 4;

export function createConcernStore(database: Database, identity: string) {
  /**
   * The rows of one part that hold. Those of a running clock end with it, and anyone's turn begins after it: without that
   * bound every row of other times would be read as well.
   */
  const where = (part: number, roles: number | undefined) =>
    `generation = ${shownGeneration(1)} AND wallet = $2 AND market = $3 AND part = ${part}
     AND starts <= $4 AND ends >= $4 ${clockBounds[turns[part] as Turn]}
     ${roles === undefined ? '' : `AND (roles & ${roles}) <> 0`}
     ${roles !== undefined && roles % firstOther === 0 ? `AND roles >= ${firstOther}` : ''}`;
  const paramsOf = ({ address, market, now }: ConcernQuery): Param[] => [
    identity,
    addressKey(address),
    market,
    now,
  ];

  return {
    /** What is the wallet's turn first, then by the clock; finished tasks last, newest first. */
    async loadConcerns(query: ConcernQuery): Promise<StoredConcern[]> {
      const { part: from, due, number } = query.after ?? { part: 0, due: -noEnd, number: 0 };
      const parts = turns.keys().filter((part) => part >= from);
      const pages = parts.map(
        (part) => `SELECT * FROM (
          SELECT generation, market, number, part, due, roles FROM concerns
          WHERE ${where(part, query.roles)} ${part === from ? 'AND (due, number) > ($5, $6)' : ''}
          ORDER BY due, number LIMIT $7) AS part${part}`,
      );
      const rows = await database.query<FoundRow>(
        `SELECT part, due, roles, task, facts FROM (
           ${[...pages].join(' UNION ALL ')} ORDER BY part, due, number LIMIT $7) AS page
         JOIN tasks USING (generation, market, number)
         ORDER BY part, due, number`,
        [...paramsOf(query), due, number, query.limit],
      );
      return rows.map((row) => ({ ...parseTaskRow(row), part: row.part, due: row.due, roles: row.roles }));
    },

    /** How many there are of each turn, in the order of `turns`; at most `countLimit`. */
    async countConcerns(query: Omit<ConcernQuery, 'limit'>): Promise<number[]> {
      const counts = turns.map(
        (_, part) => `(SELECT COUNT(*) FROM (
          SELECT 1 FROM concerns WHERE ${where(part, query.roles)} LIMIT ${countLimit}) AS counted) AS part${part}`,
      );
      const [row] = await database.query<Record<string, number>>(
        `SELECT ${counts}`,
        paramsOf({ ...query, limit: 0 }),
      );
      return turns.map((_, part) => Number(row?.[`part${part}`]));
    },

    /** Whether every event since the deployment is known: workers who left are only in events. */
    async isHistoryComplete(): Promise<boolean> {
      return (await loadWholeGeneration(database, identity)) !== null;
    },
  };
}

export type ConcernStore = ReturnType<typeof createConcernStore>;
