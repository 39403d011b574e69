// `node scripts/measures.ts`: how much there is of everything, beside what is allowed by measures.json.
//
// Structural rows fail when they get worse. Rows of lines fail above their bound; a merge that needs more names, under `raised`, the row, the
// lines, and the merge that takes them back. Bundles fail above their size; other sizes and times are printed.
//
// --lower   writes lower bounds where there is less than allowed; nothing raises one but a person
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { findPlaces, isAllowed, placeRules, withoutComments } from '../test/support/places.ts';
import { root, runTool } from './tools.ts';

type Raise = { readonly row: string; readonly lines: number; readonly takenBackBy: string };
type Bounds = {
  /** Patterns of the files that are counted apart. */
  readonly entrance: readonly string[];
  /** Files of the pages that may run between the click on *Accept* and the mined transaction. */
  readonly accept: readonly string[];
  readonly structure: Record<string, number>;
  readonly lines: Record<string, number>;
  /** Gzipped kB of programs that are bundled with the SDK. */
  readonly sizes: Record<string, number>;
  readonly raised: readonly Raise[];
};
type File = { readonly path: string; readonly text: string };

const boundsFile = join(root, 'measures.json');
const cache = join(root, 'node_modules/.cache/measures');
/** Written by the page story of an acceptance: the functions that ran for the first time, by script. Absent where no browser has run. */
const acceptFile = join(cache, 'accept.json');
/** Files that may be drawn again without being in the list of an acceptance. */
const mostMore = 4;
const packages = ['service', 'sdk', 'web', 'contracts'];
const production = {
  service: /^service\/(?:src|bin)\//,
  sdk: /^sdk\/src\//,
  web: /^web\/(?:src|docs|public)\/|^web\/\w+\.(?:ts|html)$/,
  contracts: /^contracts\/src\//,
};

const bounds: Bounds = JSON.parse(readFileSync(boundsFile, 'utf8'));
const files = listFiles();
const isTest = ({ path }: File) => /^test\/|\.test\.tsx?$/.test(path);
const isOf = (name: string) => (file: File) =>
  production[name as keyof typeof production].test(file.path) && !isTest(file);
const sources = files.filter(
  (file) => /\.tsx?$/.test(file.path) && packages.some((name) => isOf(name)(file)),
);

const breaches: string[] = [];
const lower = {
  structure: { ...bounds.structure },
  lines: { ...bounds.lines },
  sizes: { ...bounds.sizes },
};
measureLines();
await measureStructure();
await measureSizes();
measureTimes();
for (const { row, lines, takenBackBy } of bounds.raised)
  console.log(`raised: ${row} by ${lines}, taken back by: ${takenBackBy}`);
if (process.argv.includes('--lower'))
  writeFileSync(boundsFile, `${JSON.stringify({ ...bounds, ...lower }, null, 2)}\n`);
for (const breach of breaches) console.log(`WORSE  ${breach}`);
process.exitCode = breaches.length > 0 ? 1 : 0;

function measureLines(): void {
  const entrance = new RegExp(`^(?:${bounds.entrance.join('|') || 'none'})$`);
  const apart = files.filter(({ path }) => entrance.test(path));
  const counted = (keep: (file: File) => boolean) =>
    countLines(files.filter((file) => keep(file) && !apart.includes(file)));
  const each = packages.map((name) => [name, counted(isOf(name))] as const);
  checkLines(
    'production',
    each.reduce((sum, [, lines]) => sum + lines, 0),
  );
  for (const [name, lines] of each) checkLines(`production of ${name}`, lines);
  checkLines(
    'soak, bench, scripts',
    counted((file) => /^(?:soak|bench|scripts)\//.test(file.path) && !isTest(file)),
  );
  print('lines of tests, TypeScript', countLines(files.filter(isTest).filter(isScript)));
  print('lines of the entrance, counted apart', countLines(apart));
  const next = files.filter(({ path }) => path.startsWith('contracts/next/src/'));
  if (next.length > 0) print('lines of contracts/next, which are not used yet', countLines(next));
}

async function measureStructure(): Promise<void> {
  const foreign = sources.flatMap(({ path, text }) =>
    readImports(text)
      .filter(({ from }) => isForeign(path, from))
      .map(() => path),
  );
  checkStructure('imports of sources of another package', foreign.length);
  const inner = sources.flatMap(({ text }) =>
    readImports(text).filter(({ from }) => from.startsWith('@svc/sdk/internal/')),
  );
  const innerNames = new Set(inner.flatMap(({ names, from }) => names.map((name) => `${name} of ${from}`)));
  checkStructure('names imported from @svc/sdk/internal', innerNames.size);
  const entries = files.filter(({ path }) => /^sdk\/src\/entry\/\w+\.ts$/.test(path));
  checkStructure('public names of the SDK', entries.flatMap(({ text }) => listExports(text)).length);
  checkStructure('exports of everything by the SDK', countMatches(entries, /^export \*/gm));
  const published = new Set(entries.flatMap(({ text }) => listExports(text)));
  const sdk = sources.filter(isOf('sdk'));
  checkStructure('public objects of the SDK that only hold functions', countNamespaces(sdk, published));
  for (const rule of placeRules) {
    const found = findPlaces(rule, sources);
    const rooms = new Set(found.map((path) => (isAllowed(rule, path) ? 'allowed' : roomOf(path))));
    checkStructure(`places where one ${rule.does}`, rooms.size);
  }
  const listings = sources.filter(isOf('service')).filter(hasListings);
  checkStructure('files with SQL, rules or routes of listings', listings.length);
  const folders = new Set(listings.map(({ path }) => dirname(path)));
  checkStructure('folders of these files', folders.size);
  // The list is the figure. What is drawn again in these seconds differs from one run to the next, by a file or two.
  checkStructure('files of the pages between Accept and mined', bounds.accept.length);
  for (const path of bounds.accept) if (!existsSync(join(root, path))) breaches.push(`${path} is gone`);
  const ran = await listAcceptFiles();
  if (ran === null) console.log('  not compared: no browser has run since the pages were built');
  const more = (ran ?? []).filter((path) => !bounds.accept.includes(path));
  for (const path of more) console.log(`  ${path} ran as well`);
  if (more.length > mostMore)
    breaches.push(`${more.length} files run between Accept and mined that are not in the list`);
}

async function measureSizes(): Promise<void> {
  const market = `import { createMarketClient } from '@svc/sdk';
    const list = await createMarketClient({ baseUrl: 'https://market.example' }).open();
    console.log(list);`;
  const participant = `import { joinMarket } from '@svc/sdk/client'; console.log(joinMarket);`;
  checkSize('kB of createMarketClient with one list', await bundle(market));
  checkSize(
    'kB of joinMarket without viem',
    await bundle(participant, ['viem', 'viem/*', 'ox', 'ox/*', '@noble/*', 'abitype']),
  );
  const measure = (folder: string) =>
    Number.parseInt(execFileSync('du', ['-sk', folder], { cwd: root, encoding: 'utf8' }), 10);
  const cached = existsSync(dirname(cache)) ? measure(dirname(cache)) : 0;
  print('MB of installed packages', Math.round(((measure('node_modules') - cached) * 1_024) / 1e6));
}

function measureTimes(): void {
  const { SVC_CI_STARTED, SVC_TESTS_SECONDS } = process.env;
  print('minutes of npm test', SVC_TESTS_SECONDS ? (Number(SVC_TESTS_SECONDS) / 60).toFixed(1) : '-');
  const seconds = Date.now() / 1_000 - Number(SVC_CI_STARTED);
  print('minutes of CI until here', SVC_CI_STARTED ? (seconds / 60).toFixed(1) : '-');
}

/** Null where no browser has run, or the pages have changed since. Parts that all pages share are not counted. */
async function listAcceptFiles(): Promise<string[] | null> {
  if (!existsSync(acceptFile)) return null;
  const ran: Record<string, number[]> = JSON.parse(readFileSync(acceptFile, 'utf8'));
  const built = join(cache, 'pages');
  // Maps that nothing refers to leave the scripts, and so their names, as they are.
  const outcome = await runTool('vite', ['build', 'web', '--outDir', built, '--sourcemap', 'hidden'], 'kept');
  if (outcome.exitCode !== 0) throw new Error(outcome.output);
  const found = new Set<string>();
  for (const [script, offsets] of Object.entries(ran)) {
    const path = join(built, 'assets', script);
    if (!existsSync(`${path}.map`)) {
      if (/-[\w-]{8}\.js$/.test(script)) return null;
      continue;
    }
    const lines = readFileSync(path, 'utf8').split('\n');
    const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
    for (const offset of offsets) {
      let [line, column] = [0, offset];
      for (; column > (lines[line] ?? '').length; line++) column -= (lines[line] ?? '').length + 1;
      const entry = map.findEntry(line, column);
      if ('originalSource' in entry) found.add(relative(root, join(dirname(path), entry.originalSource)));
    }
  }
  return [...found].filter((path) => /^web\/src\/(?!components\/|ui\/|frame\/)/.test(path)).sort();
}

function checkLines(row: string, lines: number): void {
  const raised = bounds.raised.filter((raise) => raise.row === row);
  const allowed = raised.reduce((sum, raise) => sum + raise.lines, bounds.lines[row] ?? 0);
  lower.lines[row] = Math.min(bounds.lines[row] ?? lines, lines);
  print(`lines of ${row}`, lines, allowed);
}

function checkStructure(row: string, figure: number): void {
  lower.structure[row] = Math.min(bounds.structure[row] ?? figure, figure);
  print(row, figure, bounds.structure[row] ?? 0);
}

/** A twentieth more than was reached is allowed, since another version of a dependency weighs a little more. */
function checkSize(row: string, size: number): void {
  lower.sizes[row] = Math.min(bounds.sizes[row] ?? Number.POSITIVE_INFINITY, Math.ceil(size * 1.05));
  print(row, size, bounds.sizes[row] ?? 0);
}

function print(row: string, figure: number | string, allowed?: number): void {
  const note = allowed === undefined ? '' : `  of ${allowed}`;
  console.log(`${row.padEnd(70)} ${String(figure).padStart(8)}${note}`);
  if (allowed !== undefined && Number(figure) > allowed)
    breaches.push(`${row}: ${figure}, ${allowed} allowed`);
}

/** Written by hand: what is generated, and data, is nobody's work. */
function listFiles(): File[] {
  const asked = [
    'ls-files',
    '-co',
    '--exclude-standard',
    '--',
    ...packages,
    'test',
    'soak',
    'bench',
    'scripts',
  ];
  const listed = execFileSync('git', asked, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });
  return listed
    .split('\n')
    .filter((path) => /\.(?:tsx?|m?js|css|sol|sql|html)$/.test(path) && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.startsWith('// Generated by '));
}

function isScript({ path }: File): boolean {
  return /\.tsx?$/.test(path);
}

function countLines(some: readonly File[]): number {
  return some.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
}

function countMatches(some: readonly File[], pattern: RegExp): number {
  return some.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0);
}

function readImports(text: string): { readonly names: readonly string[]; readonly from: string }[] {
  const statement =
    /^(?:import|export) (?:type )?(?:\{([^}]*)\}|(\* as \w+|\w+)) from '([^']+)'|import\('([^']+)'\)/gm;
  return [...text.matchAll(statement)].map(([, names, whole, from, later]) => ({
    names: names === undefined ? [whole ?? '*'] : listNames(names),
    from: from ?? later ?? '',
  }));
}

function isForeign(path: string, from: string): boolean {
  const [own = ''] = path.split('/');
  if (!from.startsWith('.'))
    return /^#(?:contracts|sdk|service|web)\//.test(from) || /^@svc\/\w+\/src\//.test(from);
  return !join(dirname(path), from).startsWith(`${own}/`);
}

function listExports(text: string): string[] {
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    listNames(names),
  );
  const own = [...text.matchAll(/^export (?:declare |async )?(?:const|function|class|type) (\w+)/gm)];
  return [...lists, ...own.map(([, name = '']) => name)];
}

/** As the importer knows them, or the exporter calls them. */
function listNames(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '');
}

/** Objects with a member in each line, all of them functions: a second way to publish names. */
function countNamespaces(some: readonly File[], published: ReadonlySet<string>): number {
  const objects = some.flatMap(({ text }) => [
    ...withoutComments(text).matchAll(
      /^export const (\w+)[^=\n]* = (?:Object\.freeze\()?\{\n([\s\S]*?)^\}/gm,
    ),
  ]);
  const holdsFunctions = (members: string) => {
    const starts = members.split('\n').filter((line) => /^ {2}[\w[]/.test(line));
    return (
      starts.length > 0 &&
      starts.every((line) => /^ {2}(?:async )?\w+(?:\(|: (?:async )?(?:\(|function))/.test(line))
    );
  };
  return objects.filter(([, name = '', members = '']) => published.has(name) && holdsFunctions(members))
    .length;
}

/** The package and the folder or file below its `src`. */
function roomOf(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}

/** Tools, commands and the demo use listings, but rule over none. */
function hasListings({ path, text }: File): boolean {
  if (
    /^service\/src\/(?:mcp|cli|demo|devnet|policy|tools|contract|app\/(?:create|notice)\w*|http\/pages)\b/.test(
      path,
    )
  )
    return false;
  const code = withoutComments(text);
  if (!/listing/i.test(code)) return false;
  return /sql`|\b(?:CREATE|SELECT|INSERT|UPDATE|DELETE) |new SvcError\(|createLimits\(|function create\w*(?:Listing|Match)/.test(
    code,
  );
}

/** Gzipped kB of a program for browsers, with all that it may load later. */
async function bundle(program: string, external: string[] = []): Promise<number> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: program, resolveDir: join(root, 'web'), sourcefile: 'program.ts', loader: 'ts' },
    outdir: 'measured',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@svc/source'],
    external,
    write: false,
    logLevel: 'silent',
  });
  return Math.round(outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0) / 1_000);
}
