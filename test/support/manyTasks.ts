// Copies the rows of one finished task of a seeded market many times: its poster and its worker then have that many tasks.
// SQLite alone. Nobody may follow the chain meanwhile, since these tasks are not on it.
import type { Database } from '#service/store/database.ts';
import { projectionChannel } from '#service/store/projection.ts';

/** Above every task that is on the chain. */
const firstNumber = 1_000;
const logsOfTask = 1_000;

const columnsOf = {
  tasks: `market, %number, state, scope, poster, worker, deadline, created_at, total_key, fully_funded,
    %task, facts`,
  concerns: 'market, %number, wallet, starts, ends, part, due, roles',
  events: `block_number, %log_index, block_hash, %block_time, tx_hash, market, contract, address, name,
    %task_number, args`,
  moves: `block_number, %log_index, %block_time, market, %task_number, account, kind, units, rest`,
} as const;

const copied: Readonly<Record<string, string>> = {
  number: `${firstNumber} + n`,
  task_number: `${firstNumber} + n`,
  // Over most of a year, as people work.
  block_time: 'block_time - n % 300 * 86400',
  log_index: `log_index + n * ${logsOfTask}`,
  task: `json_set(task, '$.number', CAST(${firstNumber} + n AS TEXT))`,
};

/** Returns the two wallets. */
export async function copyTask(database: Database, count: number) {
  const [found] = await database.query<{ number: number; poster: string; worker: string }>(
    `SELECT number, poster, worker FROM tasks WHERE market = 'standard'
       AND state = 'COMPLETED' AND scope = 'open' ORDER BY number LIMIT 1`,
  );
  if (found === undefined) throw new Error('no task has been completed');
  await database.chain.transaction(async (tx) => {
    for (const [table, columns] of Object.entries(columnsOf)) {
      const own = columns.includes('%task_number') ? 'task_number' : 'number';
      const target = columns.replaceAll('%', '');
      const source = columns.replace(/%(\w+)/g, (_, name: string) => copied[name] ?? name);
      await tx.query(
        `INSERT INTO ${table} (${target})
         WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
         SELECT ${source} FROM ${table}, counted WHERE 1 = 1
           AND market = 'standard' AND ${own} = ${found.number}`,
      );
    }
    await tx.query('UPDATE versions SET version = version + 1');
    await tx.notify(projectionChannel);
  });
  return found;
}

/** Reads about a wallet, and of what everybody shares. */
export const pathsOf = (wallet: string) => [
  `/api/get-market-ledger?address=${wallet}`,
  ...[
    '',
    '&sort=oldest',
    '&sort=highest',
    '&sort=mixed',
    '&q=review',
    '&protocolVersion=v1',
    '&state=COMPLETED',
  ].map((more) => `/api/poster/tasks?address=${wallet}${more}`),
  ...['', '&sort=lowest', '&sort=deadline'].map((more) => `/api/worker/tasks?address=${wallet}${more}`),
  `/api/market/concerns?address=${wallet}`,
  `/api/market/earnings?address=${wallet}`,
  `/api/posting/quota?address=${wallet}`,
  `/api/market/recent?poster=${wallet}`,
  ...['/v1/leaderboard/reputation', '/v1/leaderboard/verifiers', '/v1/treasury'].map(
    (path) => `${path}?address=${wallet}`,
  ),
  ...[
    '/v1/treasury/history',
    '/v1/market/health',
    '/api/market/open',
    '/api/market/recent',
    '/api/market/feed',
  ],
];
