// The short form of `npm run soak`: a few faults, chosen by the seed, befall a market in use, and every guarantee holds.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Report } from '../soak/report.ts';
import { createFolder } from './support/svc.ts';

const root = join(import.meta.dirname, '..');

async function run(...args: string[]): Promise<{ readonly exitCode: number | null; readonly out: string }> {
  const child = spawn(process.execPath, [join(root, 'soak/run.ts'), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const out = await text(child.stdout);
  return { exitCode: await ended, out };
}

test('a market in use meets faults and keeps every guarantee', async (context) => {
  const folder = createFolder(context);
  const { exitCode, out } = await run('--seconds', '8', '--seed', '9', '--out', folder);
  context.diagnostic(out);
  assert.equal(exitCode, 0, out);
  const report: Report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  assert.match(out, new RegExp(`^Seed ${report.seed}: --seed ${report.seed} repeats this plan\\.$`, 'm'));
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
