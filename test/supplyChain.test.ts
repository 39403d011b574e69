// Proves that what is installed is what was looked at: exact versions, hashes for all, and no script that runs by itself.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

test('every dependency is named by an exact version', () => {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = JSON.parse(
    read('package.json'),
  );
  const all = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies };
  for (const [name, version] of Object.entries(all))
    assert.match(String(version), /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
});

test('the lock holds a hash of every package, and leads to no place but the registry', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { integrity?: string; resolved?: string; link?: boolean }>;
  };
  for (const [path, { integrity, resolved, link }] of Object.entries(packages).filter(
    ([path]) => path !== '',
  )) {
    assert.match(integrity ?? '', /^sha512-/, path);
    assert.equal(resolved, undefined, path);
    assert.notEqual(link, true, path);
  }
});

test('no package runs a script when it is installed', () => {
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) assert.ok(!(name in scripts), name);
});
