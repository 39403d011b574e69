// Proves what a command of the operator does to the database of the servers, and that it makes none of its own.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../config.ts';
import { migrate } from '../store/migrate.ts';
import { beginNewNumbers, openDatabase } from './openDatabase.ts';

test('a restore begins numbers above all that were given, in a database that is there', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-numbers-'));
  context.after(() => rmSync(dataDir, { recursive: true }));
  const config = readConfig({ SVC_DATA_DIR: dataDir });
  await assert.rejects(beginNewNumbers(config), { code: 'FILE_UNUSABLE' });
  assert.deepEqual(readdirSync(dataDir), []);

  const database = openDatabase({ dataDir, databaseUrl: undefined });
  context.after(database.close);
  await migrate(database);
  const readLast = async () => {
    const [row] = await database.query<{ last: number }>('SELECT MAX(seq) AS last FROM changes');
    return row?.last ?? 0;
  };
  const before = await readLast();
  const first = await beginNewNumbers(config);
  assert.ok(first > before && Math.abs(first / 1_000 - Date.now() / 1_000) < 60, `${first}`);
  assert.ok((await readLast()) > first, 'streams get a reset with a new number');
});
