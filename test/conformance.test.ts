// What guides say is what the code does: type strings, paths, defaults, examples and lists.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { actions } from '#sdk/actions/catalog.ts';
import { privateMeans } from '#sdk/domain/state.ts';
import { mutualSettlementFields, taskTermsFields } from '#sdk/domain/terms.ts';
import { readSettings } from '#service/config.ts';
import { tools } from '#service/mcp/tools.ts';
import { loadPages, type Page, root } from './docs/markdown.ts';

const pages = loadPages('*.md', 'docs/**/*.md');
/** What `npm run build` makes. */
const builds = ['web/dist'];

const pageAt = (path: string): string => (pages.find((page) => page.path === path) as Page).text;

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

test('what private hides and what not is said where somebody chooses it, and in the guides', () => {
  const terms = tools.find(({ name }) => name === 'svc_build_task_terms');
  const guides = ['docs/negotiating.md', 'docs/in-the-browser.md'].map(pageAt);
  for (const text of [JSON.stringify(terms?.schemas?.input), ...guides])
    assert.ok(text.includes(privateMeans.slice(0, -1)), text.slice(0, 80));
  for (const page of ['task/Brief.tsx', 'messages/OfferForm.tsx'])
    assert.match(readFileSync(join(root, 'web/src/pages', page), 'utf8'), /\{privateMeans\}/, page);
});

test('every printed command that prepares an action names all that the action needs', () => {
  const lines = pages.flatMap(({ text }) =>
    [...text.replaceAll('\\\n', ' ').matchAll(/svc prepare ([a-z-]+) (--[^\n`|]*)/g)].map(
      ([line, name = '', options = '']) => ({ line, name, options }),
    ),
  );
  assert.ok(lines.length > 10);
  for (const { line, name, options } of lines) {
    const action = actions.find((one) => one.name === name);
    // A key or a connected wallet signs as itself; the rest may come as JSON.
    if (action === undefined || /--help|--wallet|--sign|…|<| -$/.test(options)) continue;
    const needed = Object.entries(action.input.shape)
      .filter(([, field]) => !field.safeParse(undefined).success)
      .map(([field]) => `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
    for (const option of needed) assert.ok(options.includes(option), `${line} lacks ${option}`);
  }
});
