// The short form of `npm run soak`: a few faults, chosen by the seed, befall a market in use, and every guarantee holds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runNode } from '../scripts/tools.ts';
import type { Report } from '../soak/report.ts';
import { createFolder } from './support/svc.ts';

test('a market in use meets faults and keeps every guarantee', async (context) => {
  const folder = createFolder(context);
  const args = ['--seconds', '8', '--seed', '9', '--out', folder];
  const { exitCode, output } = await runNode(['soak/run.ts', ...args], 'kept');
  context.diagnostic(output);
  assert.equal(exitCode, 0, output);
  const report: Report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  assert.match(output, new RegExp(`^Seed ${report.seed}: --seed ${report.seed} repeats this plan\\.$`, 'm'));
  const others = ['overload', 'end of the run'];
  const kinds = report.faults.map(({ kind }) => kind).filter((kind) => !others.includes(kind));
  assert.equal(new Set(kinds).size, 7, kinds.join());
  assert.deepEqual(
    report.checks.flatMap(({ violations }) => violations),
    [],
  );
  // Without anything done, nothing would have been proven.
  const count = (outcome: string) =>
    report.moves.reduce((sum, { counts }) => sum + (counts[outcome] ?? 0), 0);
  assert.ok(count('done') >= 5, `${count('done')} moves were made`);
  assert.match(readFileSync(join(folder, 'report.md'), 'utf8'), /^# .*: every promise was kept$/m);
});
