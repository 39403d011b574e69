// Proves that answers stay short, and read few rows, however many tasks a wallet has.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { projectionChannel } from '#service/store/projection.ts';
import { countRows } from './support/countRows.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { copyTask, pathsOf } from './support/manyTasks.ts';
import { until } from './support/until.ts';

const copies = 5_000;
/** More rows than any page has, and fewer than the tasks of the wallets. */
const mostRows = 1_100;
const mostBytes = 1_000_000;

let gateway: TestGateway;
let wallets: readonly string[];
let counted: ReturnType<typeof countRows>;
before(async () => {
  gateway = await startGateway({ isSeeded: true });
  const { database, drain } = gateway.site().market;
  drain();
  const { poster, worker } = await copyTask(database, copies);
  wallets = [poster, worker];
  counted = countRows(database);
});
after(() => gateway.close());

test('no answer about a wallet with thousands of tasks is long, or made of many rows', async () => {
  const findings: string[] = [];
  for (const path of wallets.flatMap(pathsOf)) {
    await until(async () => (await fetch(gateway.url() + path)).status !== 503);
    counted.mostRows = 0;
    // Answers are kept until the market changes.
    await gateway
      .site()
      .market.database.chain.transaction(({ notify, query }) =>
        query('UPDATE versions SET version = version + 1').then(() => notify(projectionChannel)),
      );
    const response = await fetch(gateway.url() + path);
    const body = await response.text();
    assert.equal(response.status, 200, `${path}: ${body.slice(0, 200)}`);
    if (body.length > mostBytes) findings.push(`${path}: ${body.length} bytes`);
    if (counted.mostRows > mostRows) findings.push(`${path}: ${counted.mostRows} rows in one query`);
  }
  assert.deepEqual(findings, []);
});
