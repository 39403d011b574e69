// Every name that docs/specification.md fixes is one of ours: routes, fields, tools, actions, variables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { actions } from '#sdk/actions/catalog.ts';
import * as envelope from '#sdk/schemas/envelope.ts';
import { methodOf, type Route } from '#sdk/schemas/route.ts';
import { readSettings } from '#service/config.ts';
import { gatewayRoutes, siteApi } from '#service/contract/apis.ts';
import { tools } from '#service/mcp/tools.ts';
import { loadPages, readTables } from './docs/markdown.ts';

const [page] = loadPages('docs/specification.md');
assert.ok(page);
const tables = readTables(page.text);
const ours: readonly Route[] = [...Object.values(siteApi.routes), ...Object.values(gatewayRoutes)];

/** The rows of every table with these columns at the start. */
function rowsOf(...columns: string[]): string[][] {
  const found = tables.filter(([head = []]) => columns.every((column, at) => head[at] === column));
  assert.ok(found.length > 0, columns.join());
  return found.flatMap(([, ...rows]) => rows);
}

/** The words in backticks of the line that begins with this text. */
function wordsOf(start: string): string[] {
  const line = page?.text.split('\n').find((one) => one.startsWith(start));
  assert.ok(line, start);
  return [...line.slice(start.length).matchAll(/`([\w-]+)`/g)].map(([, word = '']) => word);
}

test('every route of the specification is one of ours', () => {
  const known = new Set(ours.map((route) => `${methodOf(route).toUpperCase()} ${route.path}`));
  const pages = ['GET /', 'GET /market.html', 'GET /leaderboard.html', 'GET /treasury-dashboard.html'];
  const fixed = rowsOf('Method', 'Path').map(([method, path]) => `${method} ${path}`);
  assert.ok(fixed.length > 20);
  for (const route of fixed.filter((one) => !pages.includes(one))) assert.ok(known.has(route), route);
});

test('every field of the specification is in a request or a reply', () => {
  const schemas = [...ours, ...Object.values(envelope)].map(describe).join();
  const fields = [...rowsOf('Field', 'Type'), ...rowsOf('Field', 'Required')].map(([field = '']) => field);
  const chat = rowsOf('Direction', 'Field').map(([, field = '']) => field);
  for (const field of [...fields, ...chat]) assert.ok(schemas.includes(`"${field}"`), field);
});

test('every tool, action and variable of the specification exists', () => {
  const names = new Set([
    ...tools.map(({ name }) => name),
    ...actions.map(({ name }) => name),
    ...readSettings({}).map(({ name }) => name),
  ]);
  const fixed = [
    ...wordsOf('Tools (names use the neutral prefix `svc_`):'),
    ...wordsOf('A prepare command builds unsigned calldata for a wallet tool to send. Its actions:'),
    ...wordsOf('5. Environment variables used:'),
  ].filter((word) => !['approvalUrl', 'requestId'].includes(word));
  assert.ok(fixed.length > 40);
  for (const name of fixed) assert.ok(names.has(name), name);
});

test('a suffix names one unit: Tok is whole, TokWei is wei, and names that the specification fixes say theirs', () => {
  const fixed = ['totalStakedTok', 'taskAmountTok'];
  const named = [
    ...ours
      .map(describe)
      .join()
      .matchAll(/"(\w+(?:Tok|TokWei))":(\{[^{}]*\})/g),
  ];
  assert.ok(named.length > 20);
  for (const [, name = '', schema = ''] of named) {
    if (name.endsWith('TokWei')) continue;
    assert.ok(fixed.includes(name), `${name}: an amount in wei is called ${name}Wei`);
    assert.match(JSON.parse(schema).description, /wei/i, name);
  }
});

/** The JSON Schemas of whatever this holds, as text. */
function describe(value: unknown): string {
  if (value instanceof z.ZodType)
    return JSON.stringify(z.toJSONSchema(value, { unrepresentable: 'any', io: 'input' }));
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(describe).join();
}
