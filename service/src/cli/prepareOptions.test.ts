// Proves how flags, lists, files and JSON become the arguments of an action.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findAction } from '@svc/sdk/actions';
import { buildActionUsage, parsePrepareOptions } from './prepareOptions.ts';

const noInput = async () => assert.fail('standard input was read');

function parse(name: string, argv: readonly string[], readStdin: () => Promise<string> = noInput) {
  const action = findAction(name);
  assert.ok(action !== undefined);
  return parsePrepareOptions(action, argv, readStdin);
}

function createFile(context: TestContext, name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-options-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test('flags are the names of JSON in kebab-case, lists are given with commas, repeated or as JSON', async () => {
  const { args } = await parse('post-task', [
    '--total-amount-tok',
    '5',
    '--milestones',
    '1, 2',
    '--milestones',
    '[{"amountTokWei":"7"}]',
    '--tags=a',
  ]);
  assert.deepEqual(args, { totalAmountTok: '5', milestones: ['1', '2', { amountTokWei: '7' }], tags: ['a'] });
});

test('standard input is read for "-" alone, and flags win over it', async () => {
  const stdin = async () => '{"taskId":"v2:micro:1","from":"0x1"}';
  const { args } = await parse('claim-task', ['--from', '0x2', '-'], stdin);
  assert.deepEqual(args, { taskId: 'v2:micro:1', from: '0x2' });
});

test('objects come as JSON or from a file, and files of a delivery are hashed', async (context) => {
  const file = createFile(context, 'terms.json', '{"poster":"0x1"}');
  assert.deepEqual((await parse('create-task', ['--terms', `@${file}`, '--sign'])).args, {
    terms: { poster: '0x1' },
    sign: true,
  });
  const { args } = await parse('prepare-receipt', ['--file', file]);
  assert.deepEqual(args.artifacts, [
    {
      name: 'terms.json',
      mediaType: 'application/json',
      bytes: 16,
      sha256: 'e9e3111d06fa423922da0cdfbba9e87c459ec81e33106123fbecb63895d538eb',
    },
  ]);
});

test('an invalid option is reported by name', async () => {
  const cases: readonly (readonly [string, string[], string, RegExp])[] = [
    ['claim-task', ['--bogus'], '', /^Unknown option '--bogus'; see svc prepare claim-task --help\.$/],
    ['claim-task', ['word'], '', /takes options and "-"; see/],
    ['claim-task', ['--wallet', 'pocket'], '', /^--wallet: must be one of local, none, key, mcp\.$/],
    ['claim-task', ['--from', '--task-id'], '', /^Option '--from' argument is ambiguous; see/],
    ['claim-task', ['-'], '{', /^what came on standard input is not valid JSON\.$/],
    ['claim-task', ['-'], '[1]', /must be a JSON object/],
    ['create-task', ['--terms', '{'], '', /^--terms is not valid JSON\.$/],
  ];
  for (const [name, argv, input, message] of cases)
    await assert.rejects(
      parse(name, argv, async () => input),
      { code: 'USAGE', message },
    );
  await assert.rejects(parse('create-task', ['--terms', '@/no/such/file']), {
    code: 'FILE_UNUSABLE',
    message: '/no/such/file cannot be used: there is no such file.',
  });
});

test('an argument of few values names them all, and the one that it has by default', () => {
  const action = findAction('build-task-terms') ?? assert.fail();
  const { options } = buildActionUsage(action);
  assert.match(options.scope?.about ?? '', /^open \(default\) or private\. Private hides/);
  assert.equal(options.market?.about, 'standard (default) or micro');
});
