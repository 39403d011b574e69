// Proves that docs/commands.md is generated from the commands, that exit codes are as documented, and that every page
// names existing commands and options.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSettings } from '#service/config.ts';
import { commands } from '#service/main.ts';
import { readNpmScripts, readSvcCalls } from './docs/commandLines.ts';
import { loadPages, root } from './docs/markdown.ts';
import { readCommands } from './support/guide.ts';
import { createFolder, runSvc } from './support/svc.ts';

const pages = loadPages('README.md', 'docs/*.md', 'docs/operations/*.md');

test('every page names existing commands, actions and options', async () => {
  let calls = 0;
  for (const page of pages) {
    for (const { line, command, args } of readSvcCalls(page)) {
      const where = `${page.path}: ${line}`;
      const { usage, findUsage = () => usage } = (await commands[command]?.load()) ?? assert.fail(where);
      const [word = ''] = args;
      const found = findUsage(args);
      if (command === 'prepare' && /^[a-z][a-z-]*$/.test(word))
        assert.equal(found.command, `prepare ${word}`, where);
      for (const [, option = ''] of args.join(' ').matchAll(/(?<=^|[\s[])--([a-z][\w-]*)/g))
        assert.ok(['json', 'help', ...Object.keys(found.options)].includes(option), `${where}: --${option}`);
      calls++;
    }
  }
  assert.ok(calls > 100, `${calls} calls`);
});

test('every page names existing npm scripts and variables', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // Tests, scripts and the compiler have their own variables, which docs/contributing.md lists.
  const tools = [
    'test/support/browser.ts',
    'test/support/nginx.ts',
    'test/package.test.ts',
    'test/toolDispute.test.ts',
    'test/api/hostile.ts',
    'test/pages/approvals.ts',
    'scripts/test.ts',
    'contracts/hardhat.config.ts',
  ].map((path) => readFileSync(join(root, path), 'utf8'));
  const variables = [
    ...readSettings({}).map(({ name }) => name),
    ...tools
      .join('')
      .matchAll(/(?<=process\.env\.|readCount\(')SVC_[A-Z_]+/g)
      .map(([name]) => name),
  ];
  const named = pages.flatMap(readNpmScripts);
  assert.ok(named.length > 20, `${named.length} calls`);
  for (const name of named) assert.ok(Object.hasOwn(scripts, name), `npm run ${name}`);
  for (const { path, text } of pages)
    for (const [name] of text.matchAll(/\bSVC_[A-Z_]+\b/g))
      assert.ok(variables.includes(name), `${path}: ${name}`);
});

test('every shell block of every page is valid shell', () => {
  for (const page of pages) {
    const blocks = readCommands(page);
    if (blocks.length === 0) continue;
    const { status, stderr } = spawnSync('bash', ['-n'], { input: blocks.join('\n'), encoding: 'utf8' });
    assert.equal(status, 0, `${page.path}: ${stderr}`);
  }
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
    cases.map(([, args, env = {}]) => runSvc(args, { cwd, env }).then(({ exitCode }) => exitCode)),
  );
  assert.deepEqual(
    ends,
    cases.map(([code]) => code),
  );
});
