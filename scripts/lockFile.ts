// Reads package-lock.json: every installed package, and whether it is part of what users get.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tools.ts';

export type LockedPackage = {
  readonly name: string;
  readonly version: string;
  readonly licence: string | undefined;
  /** Part of a published package or of the pages, not only of building and testing them. */
  readonly isShipped: boolean;
};

type Entry = {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

const workspaces = ['contracts', 'sdk', 'service', 'web'];

/** Sorted by name and version. */
export function readLockFile(): LockedPackage[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Entry>>;
  };
  const shipped = findShipped(lock.packages);
  const found = new Map<string, LockedPackage>();
  for (const [path, { version = '', license, link }] of Object.entries(lock.packages)) {
    const name = path.split('node_modules/').at(-1) ?? '';
    if (!path.includes('node_modules/') || link === true) continue;
    const key = `${name}@${version}`;
    const isShipped = shipped.has(path) || found.get(key)?.isShipped === true;
    found.set(key, { name, version, licence: license, isShipped });
  }
  return [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one);
}

/** Follows dependencies from the packages. The bundle of `svc` contains its development dependencies, types aside. */
function findShipped(packages: Readonly<Record<string, Entry>>): Set<string> {
  const reached = new Set<string>();
  const follow = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const path = resolve(packages, from, name);
      if (path === undefined || reached.has(path)) continue;
      reached.add(path);
      const { dependencies, optionalDependencies } = packages[path] ?? {};
      follow(path, Object.keys({ ...dependencies, ...optionalDependencies }));
    }
  };
  for (const workspace of workspaces) {
    const { dependencies, optionalDependencies, devDependencies } = packages[workspace] ?? {};
    const bundled = workspace === 'service' ? devDependencies : {};
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...bundled });
    follow(
      workspace,
      names.filter((name) => !name.startsWith('@types/')),
    );
  }
  return reached;
}

/** As Node does: the nearest node_modules from there upwards. */
function resolve(packages: Readonly<Record<string, Entry>>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/(^|\/)(node_modules\/(@[^/]+\/)?[^/]+|[^/]+)$/, '')) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}
