// An earlier version of svc, out of the history of this repository, beside the one under test.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { chainSchema } from '#service/store/indexedTables.ts';

const root = join(import.meta.dirname, '../..');

/** The oldest version whose database this one takes over: the first with the same first step of the part `chain`. */
export function findEarlierCommit(): string {
  const search = [
    'log',
    '--reverse',
    '--format=%H',
    '-S',
    `'${chainSchema.name}'`,
    '--',
    'service/src/store',
  ];
  const [first = 'HEAD'] = execFileSync('git', search, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
  return first;
}

/** Links to the packages of the repository itself. */
const own = ['svc', '@svc'];

/** Its sources in this folder, with the packages that are installed here; returns the script of its command. */
export function extractEarlier(folder: string): string {
  const archive = execFileSync('git', ['archive', findEarlierCommit()], { cwd: root, maxBuffer: 2 ** 29 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const link = (target: string, path: string) => symlinkSync(target, join(folder, path));
  mkdirSync(join(folder, 'node_modules/@svc'), { recursive: true });
  for (const name of ['contracts', 'sdk', 'web']) link(join(folder, name), `node_modules/@svc/${name}`);
  link(join(folder, 'service'), 'node_modules/svc');
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!own.includes(name) && !name.startsWith('.'))
      link(join(root, 'node_modules', name), `node_modules/${name}`);
  link(join(root, 'service/node_modules'), 'service/node_modules');
  return join(folder, 'service/bin/svc.mjs');
}
