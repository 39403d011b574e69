// Proves that a market of many agents among faults ends with a clean audit and no policy exceeded, and reports it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SwarmReport } from '#service/demo/swarmReport.ts';
import { createFolder, startSvc } from './support/svc.ts';

test('svc demo --agents: the agents trade among faults, the audit is clean, and no policy is exceeded', async (context) => {
  const cwd = createFolder(context);
  const args = ['demo', '--agents', '6', '--minutes', '0.4', '--report', 'market.html'];
  const { exitCode, out, err } = await startSvc(args, { cwd, env: {} }).ended;
  assert.equal(exitCode, 0, `${out}\n${err}`);
  const report = JSON.parse(readFileSync(join(cwd, 'market.json'), 'utf8')) as SwarmReport;
  const { tasks, spending, faults, audit, tools, failures } = report;
  assert.ok(tasks.total > 0 && audit.tasks === tasks.total, JSON.stringify([tasks, failures]));
  assert.deepEqual([audit.differences, report.breaches], [0, 0]);
  assert.equal(spending.length, 6);
  for (const { name, left, counted, limit } of spending)
    for (const token of ['tok', 'usdc'] as const) {
      const [spent, known, allowed] = [left, counted, limit].map((amounts) => Number(amounts[token]));
      assert.ok(spent !== undefined && known !== undefined && allowed !== undefined);
      assert.ok(spent <= known && known <= allowed, `${name}: ${spent}, ${known}, ${allowed} ${token}`);
    }
  assert.ok(faults.some(({ kind }) => kind === 'agent killed'));
  assert.ok((tools.byTool.svc_prepare ?? 0) > 0);
  const page = readFileSync(join(cwd, 'market.html'), 'utf8');
  assert.match(page, /<h1>The books agree<\/h1>/);
  assert.doesNotMatch(page, /<script|<link|<img|src=|url\(|@import/);
  assert.match(
    out,
    /Policy breaches: 0\. Audit: \d+ tasks compared with the chain, state and history: no differences\./,
  );
});
