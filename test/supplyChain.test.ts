// Proves that installs are reproducible: exact versions, hashes for all packages, and no install scripts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

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
