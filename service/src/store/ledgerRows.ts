// What a ledger is made of: the sums over all tasks of a wallet, and one page of its tasks.
import type { Address, Market, Task } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { loadAtOneBlock } from './chainRow.ts';
import type { Database, Dialect } from './database.ts';
import { readSum, type SumRow, sumColumns } from './moves.ts';
import { queryByKeys, queryColumn } from './rows.ts';
import { loadTasks } from './saveTasks.ts';
import { joinSql, raw, type Sql, sql } from './sql.ts';

const amounts = ['funded', 'released', 'refunded', 'fees'] as const;
type Amount = (typeof amounts)[number];

/** As sums of moves: an amount is units × 10^13 + rest. */
const parts = ['units', 'rest'] as const;
const columns = amounts.flatMap((amount) => parts.map((part) => `${amount}_${part}`));

/** The digits of an amount in the text of a task, and its round. */
const read: Readonly<
  Record<Dialect, Readonly<Record<'units' | 'rest' | 'round', (name: string) => string>>>
> = {
  sqlite: {
    units: (name) =>
      `CAST(substr(json_extract(task, '$.${name}'), 1, max(0, length(json_extract(task, '$.${name}')) - 13)) AS INTEGER)`,
    rest: (name) => `CAST(substr(json_extract(task, '$.${name}'), -13) AS INTEGER)`,
    round: () => `json_extract(task, '$.round')`,
  },
  postgres: {
    units: (name) => `CAST(COALESCE(NULLIF(left(task::jsonb->>'${name}', -13), ''), '0') AS BIGINT)`,
    rest: (name) => `CAST(right(task::jsonb->>'${name}', 13) AS BIGINT)`,
    round: () => `CAST(task::jsonb->>'round' AS BIGINT)`,
  },
};

/** What lists of a wallet filter by. */
const filtered = ['total_key', 'deadline', 'fully_funded'];

/**
 * Amounts of tasks as columns that databases add up, in indexes by wallet: a wallet may have very many tasks. Its lists, in
 * whatever order, and its sums are each read from one index alone.
 */
export function listLedgerStatements(dialect: Dialect): string[] {
  const kind = dialect === 'sqlite' ? 'VIRTUAL' : 'STORED';
  const { round, ...of } = read[dialect];
  const made = [
    ['round', round('round')],
    ...amounts.flatMap((amount) => parts.map((part) => [`${amount}_${part}`, of[part](amount)])),
  ].map(([name, value]) => `ADD COLUMN ${name} BIGINT GENERATED ALWAYS AS (${value}) ${kind}`);
  return [
    ...(dialect === 'sqlite' ? made : [made.join(', ')]).map((change) => `ALTER TABLE tasks ${change}`),
    ...(['poster', 'worker'] as const).flatMap((party) => {
      const of = `market, ${party}`;
      const parties = party === 'poster' ? [] : ['round', 'poster'];
      return [
        `CREATE INDEX tasks_of_${party} ON tasks (${[of, 'number', 'state', ...filtered, ...parties, ...columns]})
          WHERE ${party} IS NOT NULL`,
        ...filtered.map((column) => {
          const others = filtered.filter((other) => other !== column);
          return `CREATE INDEX tasks_of_${party}_by_${column} ON tasks (${[of, column, 'number', 'state', ...others]})
            WHERE ${party} IS NOT NULL`;
        }),
      ];
    }),
    'CREATE INDEX tasks_again ON tasks (market, number, worker, poster, state) WHERE round > 0',
  ];
}

/**
 * Tasks of one role in one state. A worker whose task was listed again for another (`earlier`) has only what it was paid, as
 * `released`; to a worker that took such a task (`again`) what the task released does not count, but what moves say (`paid`).
 */
export type LedgerSum = Readonly<Record<Amount, bigint>> & {
  readonly role: 'poster' | 'worker' | 'again' | 'paid' | 'earlier';
  readonly state: Task['state'];
  readonly count: number;
};

export type StoredLedger = {
  readonly sums: readonly LedgerSum[];
  /** Newest first, with the payments to the wallet. */
  readonly rows: readonly { readonly task: Task; readonly paid: bigint }[];
};

type Page = { readonly before?: bigint | undefined; readonly limit: number };

type ColumnSums = Readonly<Record<string, string | number>>;
type LedgerSumRow = ColumnSums & Pick<LedgerSum, 'role' | 'state' | 'count'>;

/** How many tasks one statement adds up: on SQLite no other request is answered meanwhile. */
const summedAtOnce = 2_500;

export function createLedgerStore(database: Database, atOnce = summedAtOnce) {
  const { query } = database;
  const sumsOf = raw(columns.map((column) => `CAST(SUM(${column}) AS TEXT) AS ${column}`).join(', '));
  const amountsOf = raw(columns.join(', '));
  const none = (amount: Amount) => `'0' AS ${amount}_units, '0' AS ${amount}_rest`;
  const paidSums = raw(
    `${none('funded')}, CAST(SUM(units) AS TEXT) AS released_units, CAST(SUM(rest) AS TEXT) AS released_rest,
     ${none('refunded')}, ${none('fees')}`,
  );
  // SQLite would look each task up in its row.
  const again = raw(database.dialect === 'sqlite' ? 'tasks INDEXED BY tasks_again' : 'tasks');

  type OfWallet = { readonly market: Market; readonly wallet: string };
  const isParty = ({ market, wallet }: OfWallet, party: string) =>
    sql`tasks.market = ${market} AND ${raw(party)} = ${wallet}`;
  const isEarned = ({ market, wallet }: OfWallet) =>
    sql`moves.market = ${market} AND account = ${wallet} AND kind = 'earned'`;

  /** The next tasks after a number, in groups; the last group may be of no role. */
  const partsOf = (own: OfWallet): ((after: number) => Sql)[] => [
    (after) => sql`SELECT 'poster' AS role, state, COUNT(*) AS count, MAX(number) AS last, ${sumsOf} FROM (
        SELECT number, state, ${amountsOf} FROM tasks
        WHERE ${isParty(own, 'poster')} AND number > ${after} ORDER BY number LIMIT ${atOnce}) AS part
      GROUP BY state`,
    (
      after,
    ) => sql`SELECT CASE WHEN round > 0 THEN 'again' ELSE 'worker' END AS role, state, COUNT(*) AS count,
        MAX(number) AS last, ${sumsOf} FROM (
        SELECT number, state, round, ${amountsOf} FROM tasks
        WHERE ${isParty(own, 'worker')} AND poster <> worker AND number > ${after} ORDER BY number LIMIT ${atOnce}) AS part
      GROUP BY 1, state`,
    (
      after,
    ) => sql`SELECT CASE WHEN worker = ${own.wallet} THEN 'paid' WHEN number IS NOT NULL THEN 'earlier' END AS role,
        state, COUNT(*) AS count, MAX(task_number) AS last, ${paidSums} FROM (
        SELECT task_number, SUM(units) AS units, SUM(rest) AS rest FROM moves
        WHERE ${isEarned(own)} AND task_number > ${after}
        GROUP BY task_number ORDER BY task_number LIMIT ${atOnce}) AS part
      LEFT JOIN ${again} ON tasks.market = ${own.market}
        AND tasks.number = task_number AND round > 0 AND poster <> ${own.wallet}
      GROUP BY 1, state`,
  ];

  /** Other requests are answered between two statements. */
  async function loadSums(own: OfWallet): Promise<LedgerSum[]> {
    const found: LedgerSumRow[] = [];
    for (const part of partsOf(own)) {
      for (let [after, isLast] = [0, false]; !isLast; ) {
        const rows = await query<LedgerSumRow & { last: number }>(part(after));
        found.push(...rows.filter(({ role }) => role !== null));
        isLast = rows.reduce((sum, { count }) => sum + count, 0) < atOnce;
        after = Math.max(after, ...rows.map(({ last }) => last));
      }
    }
    return found.map(({ role, state, count, ...row }) => {
      const sumOf = (amount: Amount) =>
        readSum({ units: row[`${amount}Units`], rest: row[`${amount}Rest`] } as SumRow);
      const sums = Object.fromEntries(amounts.map((amount) => [amount, sumOf(amount)]));
      return { role, state, count, ...(sums as Record<Amount, bigint>) };
    });
  }

  async function loadRows(own: OfWallet, { before, limit }: Page): Promise<StoredLedger['rows']> {
    const last = before === undefined ? Number.MAX_SAFE_INTEGER : Number(before);
    const newest = (number: string, source: Sql, name: string, distinct = '') => sql`SELECT * FROM (
      SELECT ${raw(`${distinct} ${number}`)} AS number FROM ${source} AND ${raw(number)} < ${last}
      ORDER BY ${raw(number)} DESC LIMIT ${limit}) AS ${raw(name)}`;
    const found = [
      newest('number', sql`tasks WHERE ${isParty(own, 'poster')}`, 'posted'),
      newest('number', sql`tasks WHERE ${isParty(own, 'worker')}`, 'worked'),
      newest('task_number', sql`moves WHERE ${isEarned(own)}`, 'earned', 'DISTINCT'),
    ];
    const numbers = await queryColumn<number>(
      query,
      sql`SELECT number FROM (${joinSql(found, ' UNION ')}) AS own ORDER BY number DESC LIMIT ${limit}`,
    );
    const keys = numbers.map((number) => ({ market: own.market, number: BigInt(number) }));
    const tasks = await loadTasks(database, keys);
    const moved = await queryByKeys<SumRow & { taskNumber: number }>(
      database,
      numbers,
      (
        list,
      ) => sql`SELECT task_number, ${sumColumns} FROM moves WHERE ${isEarned(own)} AND task_number IN ${list}
        GROUP BY task_number`,
    );
    const paid = new Map(moved.map(({ taskNumber, ...sum }) => [taskNumber, readSum(sum)]));
    return tasks
      .map((task) => ({ task, paid: paid.get(Number(task.number)) ?? 0n }))
      .sort((left, right) => Number(right.task.number - left.task.number));
  }

  return async (market: Market, address: Address, page: Page): Promise<StoredLedger> => {
    const read = await loadAtOneBlock(database, async () => {
      const own = { market, wallet: addressKey(address) };
      return { sums: await loadSums(own), rows: await loadRows(own, page) };
    });
    return read?.found ?? { sums: [], rows: [] };
  };
}
