// Where the files of this package are: in a checkout of the repository, and in an installed package.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Found by its package.json, because a bundle moves this code to another depth below it. */
const packageFolder = findPackage(import.meta.dirname);

/** The root of the repository; null in an installed package. */
export const checkoutFolder = existsSync(join(packageFolder, 'src/main.ts')) ? dirname(packageFolder) : null;

/** The built pages: the web package's build in a checkout, a copy inside an installed package. */
export const builtPagesFolder =
  checkoutFolder === null ? join(packageFolder, 'dist/web') : join(checkoutFolder, 'web/dist');

/** The script that starts svc as a process. */
export const svcScript = join(packageFolder, 'bin/svc.mjs');

export function readVersion(): string {
  return JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version;
}

/** Tells builds of one version apart; `source` in a checkout. */
export function readBuild(): string {
  const entry = join(packageFolder, 'dist/main.js');
  if (checkoutFolder !== null || !existsSync(entry)) return 'source';
  // Its imports have the hashes of the other files in their names.
  return createHash('sha256').update(readFileSync(entry)).digest('hex').slice(0, 12);
}

function findPackage(from: string): string {
  let folder = from;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
