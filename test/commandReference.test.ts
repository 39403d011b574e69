// Keeps docs/commands.md fresh: it is what the commands print today, and its exit codes are those that they end with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildCommandReference } from '../scripts/commandReference.ts';
import { readGuide } from './support/guide.ts';
import { createFolder, startSvc } from './support/svc.ts';

test('docs/commands.md is what the commands say of themselves', async () => {
  assert.equal(
    readGuide('docs/commands.md').text,
    await buildCommandReference(),
    'run "npm run generate" and commit what it wrote',
  );
});

test('commands end with the documented exit codes', async (context) => {
  const cwd = createFolder(context);
  const cases: readonly [number, string[], Record<string, string>?][] = [
    [0, ['config']],
    [1, ['config'], { SVC_SITE_PORT: 'x' }],
    [1, ['site']],
    [2, ['no-such-command']],
    [2, ['audit', '--no-such-option']],
  ];
  const ends = await Promise.all(
    cases.map(([, args, env = {}]) => startSvc(args, { cwd, env }).ended.then(({ exitCode }) => exitCode)),
  );
  assert.deepEqual(
    ends,
    cases.map(([code]) => code),
  );
});
