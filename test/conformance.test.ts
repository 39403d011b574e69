// What guides and help say is what the code does: type strings, paths, defaults, examples and lists.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as z from 'zod';
import { actions } from '#sdk/actions/catalog.ts';
import { mutualSettlementFields, taskTermsFields } from '#sdk/domain/terms.ts';
import { routes } from '#sdk/schemas/apis.ts';
import { readSettings } from '#service/config.ts';
import { loadPages, type Page, root } from './docs/markdown.ts';
import { createFolder, startSvc } from './support/svc.ts';

const pages = loadPages('*.md', 'docs/**/*.md');
/** What `npm run build` makes. */
const builds = ['web/dist'];

const pageAt = (path: string): string => (pages.find((page) => page.path === path) as Page).text;

/** What an outside check of the documentation found, by its number, and the test that fails where it comes back. */
const caught: Readonly<Record<string, readonly [file: string, words: string]>> = {
  '1 codes of 402 and 409': ['test/claimReceipts.test.ts', "[409, 'NOT_READY_TO_ACT']"],
  '2 Link of every page': ['test/gatewayContract.test.ts', 'every read names the parameters'],
  '3 type strings': ['test/conformance.test.ts', 'the type strings of signatures'],
  '4 the cost of a missed case': ['test/conformance.test.ts', 'what a missed case costs'],
  '5 unknown parameters': ['test/gatewayContract.test.ts', 'every read names the parameters'],
  '6 events without a market': ['test/changes/streams.ts', 'standard, as on every route'],
  '7 commands that lack an option': ['test/conformance.test.ts', 'every printed command'],
  '8 limits that exist': ['test/conformance.test.ts', 'no page denies a limit'],
  '9 paths and lists of schemas': ['test/conformance.test.ts', 'every path of the repository'],
  '10 defaults in force': ['test/conformance.test.ts', 'svc config shows the chain'],
  '11 fields of lists': ['test/conformance.test.ts', 'a list shows of a dispute'],
  '12 terms that may change': ['test/conformance.test.ts', 'no page forgets that a deadline'],
  '13 the hash of a document': ['test/prepare/lifecycle.ts', "prepare('hash-criteria'"],
  '14 examples that find nothing': ['test/api/guide.ts', '[?&](q|tag|state)='],
  '15 the age of the last block': ['test/changes/outages.ts', 'the age of the last block grows'],
};

test('each difference that was found has a test that would find it', () => {
  for (const [what, [file, words]] of Object.entries(caught))
    assert.ok(readFileSync(join(root, file), 'utf8').includes(words), what);
});

test('no page denies a limit that a route has', () => {
  for (const { path, text } of pages)
    assert.doesNotMatch(
      text,
      /no (request|rate) limits?\b(?! (of|for|by))|without (request|rate) limits/i,
      path,
    );
});

test('a list shows of a dispute what its schema has, and only a single task its evidence', () => {
  const fieldsOf = (route: keyof typeof routes) =>
    JSON.stringify(
      z.toJSONSchema(routes[route].reply.schema as z.ZodType, { io: 'output', unrepresentable: 'any' }),
    );
  assert.doesNotMatch(fieldsOf('recent'), /"evidence"/);
  assert.match(fieldsOf('task'), /"evidence"/);
  for (const { path, text } of pages)
    assert.doesNotMatch(text, /lists?[^.\n]{0,60}`dispute`[^.\n]{0,60}`evidence`/i, path);
});

test('the type strings of signatures are those that the code hashes', () => {
  for (const [name, fields] of Object.entries({
    TaskTerms: taskTermsFields,
    MutualSettlement: mutualSettlementFields,
  })) {
    const type = `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`;
    assert.ok(pageAt('docs/contracts.md').includes(type), type);
  }
});

test('every path of the repository that a page names exists', () => {
  const places = /`((?:sdk|service|web|contracts|hosting|scripts|test|bench|soak|docs|src)\/[\w./-]+)`/g;
  for (const { path, text } of pages)
    for (const [, place = ''] of text.matchAll(places)) {
      // Its headings say which package a folder belongs to.
      if (path === 'docs/architecture.md' && place.startsWith('src/')) continue;
      if (builds.includes(place)) continue;
      assert.ok(existsSync(join(root, place)), `${path} names ${place}`);
    }
});

test('every published schema is in the list of its folder', () => {
  const list = pageAt('docs/schemas/README.md');
  const files = readdirSync(join(root, 'docs/schemas')).filter((name) => name.endsWith('.json'));
  assert.ok(files.length > 15);
  for (const name of files) assert.ok(list.includes(`(${name})`), name);
});

test('figures beside the name of a setting are its default', () => {
  const settings = new Map(readSettings({}).map(({ name, value }) => [name, value]));
  let compared = 0;
  for (const { path, text } of pages)
    for (const [, name = '', figure = ''] of text.matchAll(/`(SVC_[A-Z_]+)` \(([\d,]+)\)/g)) {
      assert.equal(Number(figure.replaceAll(',', '')), settings.get(name), `${path}: ${name}`);
      compared++;
    }
  assert.ok(compared > 0);
});

test('every printed command that prepares an action names all that the action needs', () => {
  const lines = pages.flatMap(({ path, text }) =>
    [...text.replaceAll('\\\n', ' ').matchAll(/svc prepare ([a-z-]+) (--[^\n`|]*)/g)].map(
      ([line, name = '', options = '']) => ({ path, line, name, options }),
    ),
  );
  assert.ok(lines.length > 10);
  for (const { path, line, name, options } of lines) {
    const action = actions.find((one) => one.name === name);
    // A key or a connected wallet signs as itself.
    if (action === undefined || /--help|--wallet|--sign|…|</.test(options)) continue;
    if (!/^docs\/commands\.md$/.test(path)) continue;
    const needed = Object.entries(action.input.shape)
      .filter(([, field]) => !field.safeParse(undefined).success)
      .map(([field]) => `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
    for (const option of needed) assert.ok(options.includes(option), `${line} lacks ${option}`);
  }
});

test('no page forgets that a deadline may be extended', () => {
  for (const { path, text } of pages)
    for (const [at] of text.matchAll(/[Tt]he terms never change|\bterms never change/g))
      assert.match(text.slice(text.indexOf(at)).slice(0, 200), /deadline/, path);
});

test('svc config shows the chain that is in force where none is set', async (context) => {
  const { out } = await startSvc(['config', '--json'], { cwd: createFolder(context), env: {} }).ended;
  const settings = JSON.parse(out) as { name: string; value: unknown; source: string }[];
  const chain = settings.find(({ name }) => name === 'SVC_CHAIN_ID');
  assert.deepEqual(chain, { name: 'SVC_CHAIN_ID', value: 8453, source: 'default' });
});
