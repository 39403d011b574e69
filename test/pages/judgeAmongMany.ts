// A judge who is named in one private task among very many others sees it first, in page, tool, SDK (and so the API) and command
// line; and no longer when a fork removes the naming. SVC_LONG_TESTS=1 stores a hundred thousand others.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { createMarketClient } from '#sdk/client/createMarketClient.ts';
import { type Address, addressKey } from '#sdk/domain/address.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { ask } from '../support/devnet.ts';
import { createPrivateTask } from '../support/posting.ts';
import { runSvc } from '../support/svc.ts';
import { callTool, openClient, startTools } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { enterCast, gateway, openAs, options } from './scene.ts';
import { readTask, steps } from './taskSteps.ts';

const market = 'micro';
const others = process.env.SVC_LONG_TESTS ? 100_000 : 1_000;

/** Copies of the stored tasks, as the rows of other tasks. Finished ones are the judge's, as their poster. */
function storeOthers(dataDir: string, judge: Address): number {
  const database = new DatabaseSync(join(dataDir, 'index-1.sqlite'));
  const of = `market = '${market}' AND number < 1000`;
  const copies = [
    `INSERT INTO tasks (market, number, state, scope, poster, worker, deadline, created_at, total_key,
       fully_funded, task, facts)
     SELECT market, number + $1, state, scope, poster, worker, deadline, created_at, total_key, fully_funded,
       replace(task, '"number":"' || number || '"', '"number":"' || CAST(number + $1 AS INTEGER) || '"'), facts
     FROM tasks WHERE ${of}`,
    `INSERT INTO concerns (market, number, wallet, starts, ends, part, due, roles)
     SELECT market, number + $1, CASE WHEN part = 3 AND roles = 1 THEN '${addressKey(judge)}' ELSE wallet END,
       starts, ends, part, due, roles FROM concerns WHERE ${of} AND wallet <> '${addressKey(judge)}'`,
  ].map((sql) => database.prepare(sql));
  const stored = () => Number(Object.values(database.prepare('SELECT COUNT(*) FROM tasks').get() ?? {})[0]);
  try {
    for (let copy = 1; stored() < others; copy++) {
      database.exec('BEGIN IMMEDIATE');
      for (let part = 0; part < 100; part++)
        for (const statement of copies) statement.run({ $1: 10_000_000 + 1_000 * (100 * copy + part) });
      database.exec('COMMIT');
    }
    return stored();
  } finally {
    database.close();
  }
}

/** Each way by which somebody learns what concerns the wallet: the ids of its tasks, the first one first. */
async function openWays(context: TestContext, judge: Address) {
  const url = gateway.url();
  const tools = await startTools(url);
  const client = await openClient(context, tools.url);
  context.after(tools.close);
  type Listed = { readonly concerns: readonly { readonly taskId: string }[] };
  const idsOf = ({ concerns }: Listed) => concerns.map(({ taskId }) => taskId);
  const { page } = await openAs(context, 'assessor', '/my.html');
  const rows = page.locator('section', { hasText: 'Needs you now' }).getByRole('listitem');
  return {
    SDK: async () => idsOf(await createMarketClient({ baseUrl: url }).concerns(judge, { market })),
    tool: async () =>
      idsOf((await callTool(client, 'svc_my_work', { address: judge, market })).data.markets[0]),
    page: async () => {
      const links = await rows.locator('a[href*="task="]').evaluateAll((all) => all.map((link) => `${link}`));
      return links.map((link) => new URL(link).searchParams.get('task') ?? '');
    },
    'command line': async () => {
      const args = ['work', '--json', '--address', judge];
      const { out } = await runSvc(args, { cwd: gateway.dataDir, env: { SVC_SITE_URL: url } });
      return idsOf(JSON.parse(out)[market]);
    },
  };
}

describe('a judge among many', options, () => {
  test('the judge of one private task among very many sees it first everywhere, and not after a fork', async (context) => {
    const cast = await enterCast(market);
    const { contracts, client, arbitrator } = cast;
    const id = await createPrivateTask(cast, parseTok('500'));
    const { number } = parseTaskId(id);
    const { settlementDigest } = await readTask(cast, number);
    await cast.poster.write(contracts.registry, 'startWork', [number, settlementDigest]);
    for (const step of ['deliver', 'dispute', 'answer'] as const) await steps[step](cast, number);
    await cast.poster.write(contracts.court, 'proposeArbitrator', [number, arbitrator.address]);
    await until(
      async () => (await gateway.get(`/api/market/task?id=${id}`)).body.task?.dispute?.posterPick !== null,
    );
    const stored = storeOthers(gateway.dataDir, arbitrator.address);
    assert.ok(stored >= others);
    const ways = await openWays(context, arbitrator.address);
    // The others ask the API: once it answers so, a program need ask once.
    const all = async (isSo: (first: string | undefined) => boolean) => {
      for (const read of Object.values(ways)) await until(async () => isSo((await read())[0]));
    };
    for (const [name, read] of Object.entries(ways)) assert.notEqual((await read())[0], id, name);
    const snapshot = await ask(client, 'evm_snapshot');
    await cast.worker.write(contracts.court, 'proposeArbitrator', [number, arbitrator.address]);
    await all((first) => first === id);
    context.diagnostic(`first among ${stored} tasks`);
    await ask(client, 'evm_revert', snapshot);
    for (const _ of [1, 2]) await ask(client, 'evm_mine');
    await all((first) => first !== id);
  });
});
