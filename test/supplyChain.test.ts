// Proves that installs are reproducible: exact versions, hashes for all packages, and no install scripts; and that nothing is released under
// the name of another.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { createFolder } from './support/svc.ts';

const root = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

const workspaces: readonly string[] = JSON.parse(read('package.json')).workspaces;

test('every dependency is named by an exact version', () => {
  for (const manifest of ['package.json', ...workspaces.map((name) => `${name}/package.json`)]) {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = JSON.parse(
      read(manifest),
    );
    const all = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies };
    for (const [name, version] of Object.entries(all))
      assert.match(String(version), /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${manifest}: ${name}`);
  }
});

test('the lock holds a hash of every package, and leads to no place but the registry', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { integrity?: string; resolved?: string; link?: boolean }>;
  };
  const links = Object.values(packages).flatMap(({ link, resolved }) => (link === true ? [resolved] : []));
  assert.deepEqual(links.sort(), [...workspaces].sort());
  for (const [path, { integrity, resolved, link }] of Object.entries(packages)) {
    if (path === '' || workspaces.includes(path) || link === true) continue;
    assert.match(integrity ?? '', /^sha512-/, path);
    assert.equal(resolved, undefined, path);
  }
});

test('no package runs a script when it is installed', () => {
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m);
  for (const manifest of ['package.json', ...workspaces.map((name) => `${name}/package.json`)]) {
    const { scripts = {} } = JSON.parse(read(manifest)) as { scripts?: Record<string, string> };
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
      assert.ok(!(name in scripts), name);
  }
});

describe('a release', () => {
  /** Runs it with an npm that answers like the registry; `published` is what it would have sent. */
  async function release(
    context: TestContext,
    owners: Readonly<Record<string, string>>,
    user: string | null,
  ) {
    const folder = createFolder(context);
    const log = join(folder, 'log');
    const lines = Object.entries(owners).map(
      ([name, answer]) => `"view ${name} maintainers --json") ${answer} ;;`,
    );
    writeFileSync(
      join(folder, 'npm'),
      `#!/bin/sh
echo "$*" >> ${log}
case "$*" in
whoami) ${user === null ? 'exit 1' : `echo ${user}`} ;;
${lines.join('\n')}
*) echo "npm error code E404" >&2; exit 1 ;;
esac
`,
      { mode: 0o755 },
    );
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const script = join(import.meta.dirname, '../scripts/release.ts');
    const ended = await promisify(execFile)(process.execPath, [script], { env }).then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => error,
    );
    return { ...ended, isPublished: /publish/.test(readFileSync(log, 'utf8')) };
  }
  const foreign = /svc on the registry is somebody else's: publish under another name/;

  test('is refused while a name is somebody else’s or unknown, or nobody is signed in; nothing is published', async (context) => {
    const silent = 'echo "npm error code ETIMEDOUT" >&2; exit 1';
    // An owner whose name only begins alike is somebody else.
    for (const [owners, user, reason] of [
      [{ svc: `echo '["us2 <o@example.org>"]'` }, 'us', foreign],
      [{ svc: silent }, 'us', /does not say whose svc is/],
      [{}, null, /Sign in with npm login/],
    ] as const) {
      const { code, stderr, isPublished } = await release(context, owners, user);
      assert.deepEqual([code, isPublished], [1, false]);
      assert.match(stderr, reason);
    }
    const { stderr } = await release(context, { svc: `echo '["us <u@example.org>"]'` }, 'us');
    assert.doesNotMatch(stderr, /registry|npm login/, 'a name that is ours');
  });
});
