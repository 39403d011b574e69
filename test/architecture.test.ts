// Holds the architecture: who may import whom, no cycles, short files, browser code free of Node, one reader of the environment.
//
// Biome has rules for all of this, but needs ten seconds of processor time for a table of this size; this takes one.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { test } from 'node:test';
import { innerModules } from './support/innerModules.ts';
import { findPlaces, isAllowed, placeRules } from './support/places.ts';

type Package = {
  /** Packages whose front doors its files may import. */
  readonly packages: readonly string[];
  /** Room -> rooms of the same package it may import; '*' stands for all. A room is a folder or a file below `src`. */
  readonly rooms: Readonly<Record<string, readonly string[]>>;
  /** Must run in browsers, hence without `node:`. */
  readonly isBrowserSafe?: boolean;
  /** Base names that several files may have, because they are the same thing in two rooms. */
  readonly sharedNames?: readonly string[];
};

const root = join(import.meta.dirname, '..');
const maxLines = 400;
const forbiddenNames = ['index', 'utils', 'helpers', 'types', 'common'];
const environmentReader = 'service/src/config.ts';
/** Pairs of folders that never import each other. */
const strangers = [['service/src/http/api', 'service/src/http/gateway']] as const;

const words = (text: string): string[] => text.trim().split(/\s+/);

const packages: Readonly<Record<string, Package>> = {
  sdk: {
    packages: ['contracts'],
    rooms: {
      domain: [],
      schemas: ['domain'],
      describe: ['domain', 'schemas'],
      chain: ['domain', 'schemas', 'describe'],
      documents: ['domain', 'schemas'],
      rules: ['domain', 'schemas', 'describe', 'documents'],
      negotiation: words('domain schemas documents rules'),
      messages: words('domain schemas rules negotiation'),
      actions: words('domain schemas describe chain documents rules negotiation'),
      send: words('domain schemas describe chain actions'),
      client: words('domain schemas describe chain documents rules negotiation messages actions send'),
      entry: ['*'],
    },
    isBrowserSafe: true,
    sharedNames: words('envelope market task terms'),
  },
  service: {
    packages: ['sdk', 'contracts'],
    rooms: {
      errors: [],
      contract: [],
      chain: ['store', 'errors'],
      secrets: [],
      png: [],
      config: ['secrets', 'errors'],
      store: ['errors', 'contract'],
      market: ['store', 'contract'],
      posting: ['store', 'chain'],
      files: ['store'],
      payments: ['store', 'chain', 'contract', 'errors'],
      claims: ['contract'],
      sessions: ['store', 'webhooks'],
      requests: ['store', 'wallet'],
      relay: ['store', 'sessions'],
      matching: ['store', 'sessions'],
      todo: words('store contract market relay matching requests'),
      webhooks: ['store', 'market'],
      notify: ['store', 'market', 'webhooks', 'contract'],
      chat: ['store'],
      keeper: ['store', 'errors'],
      messages: ['store', 'errors'],
      wallet: ['store', 'chain', 'errors'],
      policy: ['store', 'wallet', 'contract', 'errors'],
      deploy: ['errors'],
      devnet: ['store', 'deploy', 'png', 'errors'],
      http: words(
        'contract errors market posting payments claims sessions requests relay matching todo files notify chat',
      ),
      mcp: ['market', 'wallet', 'contract', 'errors'],
      app: words(`
        errors contract chain secrets config store market posting payments claims sessions requests relay matching todo files
        webhooks notify chat keeper wallet policy deploy devnet http mcp`),
      demo: ['app', 'config', 'policy', 'devnet', 'http', 'errors'],
      cli: words(`
        errors contract chain secrets app demo config market keeper messages wallet policy deploy devnet http mcp`),
      main: ['app', 'cli'],
    },
    sharedNames: words(`
      audit changes chat claim config deploy earlier files gateway keeper mailbox market messages needs
      payments posting receipts requests server sessions site`),
  },
  web: {
    packages: ['sdk', 'contracts'],
    rooms: {
      style: [],
      data: [],
      components: ['data'],
      wallet: ['components', 'data'],
      frame: ['components', 'data', 'wallet'],
      pages: ['components', 'data', 'wallet', 'frame'],
    },
    isBrowserSafe: true,
  },
};

type Source = { readonly path: string; readonly text: string };

const files: readonly Source[] = Object.keys(packages).flatMap((name) =>
  globSync(`${name}/src/**/*.{ts,tsx}`, { cwd: root })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
);

test('every file keeps the table', () => {
  assert.deepEqual(files.flatMap(findBreaches), []);
});

test('the rooms are those of the table, and no two of them import each other', () => {
  for (const [name, { rooms }] of Object.entries(packages)) {
    const present = files.map(({ path }) => locate(path)).filter((place) => place.package === name);
    assert.deepEqual([...new Set(present.map(({ room }) => room))].sort(), Object.keys(rooms).sort(), name);
    assert.deepEqual(findCycle(new Map(Object.entries(rooms))), undefined, name);
  }
});

test('no file imports itself through others', () => {
  const targets = files.map(({ path, text }) => [
    path,
    readImports(text)
      .map(({ specifier }) => resolve(path, specifier))
      .filter((target) => target !== undefined),
  ]);
  assert.deepEqual(findCycle(new Map(targets as [string, string[]][])), undefined);
  const loop = Object.entries({ a: ['b'], b: ['c'], c: ['d', 'b'], d: [] });
  assert.deepEqual(findCycle(new Map(loop)), ['b', 'c', 'b']);
});

test('a file name stands once in a package', () => {
  const seen = new Map<string, string>();
  for (const { path, text } of files) {
    const { package: name, room } = locate(path);
    const base = basename(path);
    if (isTest(path) || isGenerated(text) || room === 'entry') continue;
    if (packages[name]?.sharedNames?.includes(base.replace(/\.tsx?$/, ''))) continue;
    assert.equal(seen.get(`${name}/${base}`), undefined, `${path} has the name of another file`);
    seen.set(`${name}/${base}`, path);
  }
});

test('the SDK holds nothing that only a server needs: its entries or the pages reach each module', () => {
  const targets = new Map(
    files
      .filter(({ path }) => !isTest(path))
      .map(({ path, text }) => [path, readImports(text).map(({ specifier }) => resolveSdk(path, specifier))]),
  );
  const reached = new Set<string | undefined>();
  const reach = (path: string | undefined): void => {
    if (path === undefined || reached.has(path)) return;
    reached.add(path);
    for (const next of targets.get(path) ?? []) reach(next);
  };
  const modules = [...targets.keys()].filter((path) => path.startsWith('sdk/'));
  for (const path of targets.keys()) if (/^(?:web|sdk\/src\/entry)\//.test(path)) reach(path);
  assert.deepEqual(
    modules.filter((path) => !reached.has(path)),
    [],
  );
});

test('service and pages import only these modules from inside the SDK, and the list gets shorter', () => {
  for (const [name, listed] of Object.entries(innerModules)) {
    const own = files.filter(({ path }) => path.startsWith(`${name}/`) && !isTest(path));
    const inner = own.flatMap(({ text }) =>
      readImports(text).flatMap(({ specifier }) => /^@svc\/sdk\/internal\/(.+)/.exec(specifier)?.[1] ?? []),
    );
    assert.deepEqual([...new Set(inner)].sort(), listed, `test/support/innerModules.ts: ${name}`);
  }
});

test('what one place does is done elsewhere only by the files of the list, which gets shorter', () => {
  for (const rule of placeRules) {
    const elsewhere = findPlaces(rule).filter((path) => !isAllowed(rule, path));
    assert.deepEqual(elsewhere, rule.exceptions, `test/support/places.ts: ${rule.does}`);
  }
});

test('tests of promises know nothing of what is behind routes, tools and pages', () => {
  const listed = readFileSync(join(root, 'test/promises.txt'), 'utf8').match(/^test\/.+$/gm) ?? [];
  assert.ok(listed.length > 50);
  // The accounts of the embedded chain are documented, and the contract is what the routes promise.
  const inner = /'#(?:web|service\/(?!devnet\/accounts\.ts'|contract\/))[^']*'|'@svc\/sdk\/internal/;
  for (const path of listed) assert.doesNotMatch(readFileSync(join(root, path), 'utf8'), inner, path);
});

/** What is a breach of each of these rules, in their order, and what only looks like one. */
const placeCases = [
  ['await signEnvelope(envelope, sign);', 'import { signEnvelope } from "a";'],
  ["ask({ method: 'eth_sendTransaction', params });", '// sendTransaction(client) sends it'],
  ['const terms = buildTermsDocument(input);', 'export function buildTermsDocument(input: Input) {'],
  ['function describeOffer(offer: Offer) {', 'function describeServer() {'],
] as const;

test('each place is found, and each folder that is allowed', () => {
  assert.equal(placeCases.length, placeRules.length);
  for (const [at, rule] of placeRules.entries()) {
    const [breach = '', other = ''] = placeCases[at] ?? [];
    assert.deepEqual(findPlaces(rule, [{ path: 'web/src/a.ts', text: `\n  ${breach}` }]), ['web/src/a.ts']);
    assert.deepEqual(findPlaces(rule, [{ path: 'web/src/a.ts', text: `\n  ${other}` }]), []);
    assert.ok(isAllowed(rule, `${rule.allowed[0]}a.ts`) && !isAllowed(rule, 'web/src/a.ts'));
  }
});

/** A file that breaks each rule, and one that keeps all of them. */
const cases: readonly (readonly [path: string, text: string, breach: string | undefined])[] = [
  ['service/src/market/a.ts', "import '../store/a.ts';\nimport { b } from './b.ts';", undefined],
  ['service/src/market/a.ts', "import { c } from '@svc/sdk/domain';\n// process.env", undefined],
  ['sdk/src/domain/a.test.ts', "import { test } from 'node:test';", undefined],
  ['service/src/market/a.ts', "import type { A } from '../http/a.ts';", 'market may not import http'],
  ['service/src/market/a.ts', "import {\n  a,\n} from '../http/a.ts';", 'market may not import http'],
  ['service/src/market/a.ts', "export { a } from '../app/a.ts';", 'market may not import app'],
  ['service/src/market/a.ts', "  await import('../cli/a.ts');", 'market may not import cli'],
  ['service/src/market/a.ts', "import '../../../sdk/src/a.ts';", 'leaves its package'],
  ['service/src/market/a.ts', "import '#service/market/b.ts';", 'imports by a name of tests'],
  ['service/src/market/a.ts', "import '@svc/web';", 'service may not import web'],
  ['sdk/src/domain/a.ts', "import { a } from '@svc/service';", 'sdk may not import service'],
  ['sdk/src/domain/a.ts', "import { hash } from 'node:crypto';", 'browsers load it'],
  ['web/src/data/a.tsx', "import 'node:fs';", 'browsers load it'],
  ['service/src/http/api/a.ts', "import '../gateway/a.ts';", 'is apart from service/src/http/gateway'],
  ['service/src/market/a.ts', '  const module = await import(name);', 'imports a computed name'],
  ['service/src/market/a.ts', 'const { A } = process.env;', 'reads the environment'],
  ['service/src/market/a.ts', "import { env } from 'node:process';", 'reads the environment'],
  ['service/src/market/utils.ts', '', 'has a name that says nothing'],
  ['service/src/market/a.ts', '\n'.repeat(401), 'has over 400 lines'],
];

test('each breach is found', () => {
  for (const [path, text, breach] of cases) {
    const found = findBreaches({ path, text });
    assert.equal(found.length, breach === undefined ? 0 : 1, `${text}: ${found}`);
    if (breach !== undefined) assert.ok(found[0]?.includes(breach), `${found} is not "${breach}"`);
  }
});

function findBreaches({ path, text }: Source): string[] {
  const found: string[] = [];
  const report = (message: string) => found.push(`${path} ${message}`);
  if (forbiddenNames.includes(basename(path).replace(/(\.test)?\.tsx?$/, '')))
    report('has a name that says nothing');
  if (!isGenerated(text) && text.split('\n').length - 1 > maxLines) report(`has over ${maxLines} lines`);
  if (path !== environmentReader && /^(?!\s*(?:\/\/|\*)).*(?<!['`])\bprocess(?:\.env\b|\[)/m.test(text))
    report('reads the environment');
  if (!isTest(path) && /^(?!\s*(?:\/\/|\*)).*(?<![\w$.])import\((?!')/m.test(text))
    report('imports a computed name');
  for (const { specifier } of readImports(text)) {
    const breach = checkImport(path, specifier);
    if (breach !== undefined) report(`${breach} ("${specifier}")`);
  }
  return found;
}

function checkImport(path: string, specifier: string): string | undefined {
  const from = locate(path);
  const { rooms = {}, packages: doors = [], isBrowserSafe = false } = packages[from.package] ?? {};
  if (/^(?:node:)?process$/.test(specifier)) return 'reads the environment';
  if (specifier.startsWith('node:') && isBrowserSafe && !isTest(path))
    return 'uses Node, but browsers load it';
  if (specifier.startsWith('#')) return 'imports by a name of tests';
  const [, door] = specifier.match(/^@svc\/([^/]+)/) ?? [];
  if (door !== undefined) return doors.includes(door) ? undefined : `${from.package} may not import ${door}`;
  const target = resolve(path, specifier);
  if (target === undefined) return undefined;
  const to = locate(target);
  const isSameRoom = to.package === from.package && to.room === from.room;
  if (to.package !== from.package) return 'leaves its package';
  const allowed = rooms[from.room] ?? [];
  if (!isSameRoom && !allowed.includes(to.room) && !allowed.includes('*'))
    return `${from.room} may not import ${to.room}`;
  for (const pair of strangers) {
    const own = pair.find((folder) => path.startsWith(`${folder}/`));
    const other = pair.find((folder) => target.startsWith(`${folder}/`));
    if (own !== undefined && other !== undefined && own !== other) return `is apart from ${other}`;
  }
  return undefined;
}

/** Every static and dynamic import of a TypeScript file, in the shape that Biome gives them. */
function readImports(text: string): { readonly specifier: string }[] {
  const statement = /^(?:(?:import|export)\b[^'"\n]*|\} from )'([^']+)'|(?<![\w$.])import\('([^']+)'\)/gm;
  return [...text.matchAll(statement)].map(([, fixed, dynamic]) => ({ specifier: fixed ?? dynamic ?? '' }));
}

/** The source file behind an import of the own package; other packages, styles and data are nobody's room. */
function resolve(path: string, specifier: string): string | undefined {
  if (!/\.tsx?$/.test(specifier)) return undefined;
  const target = posix.join(posix.dirname(path), specifier);
  return target.startsWith('test/') ? undefined : target;
}

/** As `resolve`, through the doors of the SDK as well. */
function resolveSdk(path: string, specifier: string): string | undefined {
  const [, door] = /^@svc\/sdk(?:\/(.+))?$/.exec(specifier) ?? [];
  if (!specifier.startsWith('@svc/sdk')) return resolve(path, specifier);
  if (door?.startsWith('internal/')) return `sdk/src/${door.slice('internal/'.length)}.ts`;
  return `sdk/src/entry/${door ?? 'sdk'}.ts`;
}

function locate(path: string): { readonly package: string; readonly room: string } {
  const [name = '', , room = ''] = path.split('/');
  return { package: name, room: room.replace(/(\.test)?\.tsx?$/, '') };
}

function findCycle(targets: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (place: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(place)) return [...trail.slice(trail.indexOf(place)), place];
    if (done.has(place)) return undefined;
    done.add(place);
    return firstOf(targets.get(place) ?? [], (next) => visit(next, [...trail, place]));
  };
  return firstOf([...targets.keys()], (place) => visit(place, []));
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined) {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

function isGenerated(text: string): boolean {
  return text.startsWith('// Generated by ');
}
