// Keeps docs/operations complete: every function that changes state has its page, and every error and event is explained.
// `npm run generate` writes the tables of these pages, and `npm run verify` checks that they are fresh.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokTokenAbi } from '#contracts/generated/abi/tokToken.ts';
import { usdOracleAbi } from '#contracts/generated/abi/usdOracle.ts';
import { actions } from '#sdk/actions/catalog.ts';
import gasSnapshot from '../contracts/gas.json' with { type: 'json' };
import { entriesOf, operated, spell } from '../scripts/operationPages.ts';
import { loadPages, type Page, readCode, readSection, readTables } from './docs/markdown.ts';

/** OpenZeppelin declares it for proxies; our registry's domain never changes. */
const neverEmitted = ['EIP712DomainChanged'];

const overview = loadPages('docs/operations/README.md')[0] as Page;
const pages = loadPages('docs/operations/*.md').filter(({ path }) => path !== overview.path);

test('every function that changes state has exactly one page, and the overview leads to it', () => {
  const functions = Object.entries(operated).flatMap(([contract, abi]) =>
    entriesOf(abi, 'function')
      .filter(({ stateMutability }) => stateMutability === 'nonpayable' || stateMutability === 'payable')
      .map(({ name }) => `${contract}.${name}`),
  );
  const named = pages.flatMap(({ text }) => text.split('\n\n')[1]?.match(/[A-Z]\w+\.\w+(?=`)/g) ?? []);
  assert.deepEqual(named.sort(), functions.sort());
  for (const { path } of pages) assert.ok(overview.text.includes(`(${path.split('/').at(-1)})`), path);
});

test('every error of the operated contracts is explained on a page, and no page names another', () => {
  const named = new Set([overview, ...pages].flatMap(spelledErrors));
  const raised = Object.values(operated).flatMap((abi) => entriesOf(abi, 'error').map(spell));
  assert.deepEqual(new Set(raised).difference(named), new Set());
  const known = [
    ...raised,
    ...[tokTokenAbi, usdOracleAbi].flatMap((abi) => entriesOf(abi, 'error').map(spell)),
  ];
  assert.deepEqual(named.difference(new Set(known)), new Set());
});

test('every event of the operated contracts stands on a page', () => {
  const tables = pages.map((page) => readTables(readSection(page, 'What it emits'))[0] ?? []);
  const named = new Set(tables.flatMap((table) => table.map(([event]) => event)));
  const emitted = Object.values(operated).flatMap((abi) =>
    entriesOf(abi, 'event').map(({ name }) => `\`${name}\``),
  );
  assert.deepEqual(
    emitted.filter((name) => !neverEmitted.includes(name.replaceAll('`', '')) && !named.has(name)),
    [],
  );
});

test('the page of an action names its roles and states, and its calls are on a page', () => {
  const calls = new Set(pages.flatMap((page) => readCode(page)));
  for (const action of actions) {
    if (action.kind !== 'write' || action.page === 'README') continue;
    const page = pages.find(({ path }) => path.endsWith(`/${action.page ?? action.name}.md`));
    assert.ok(page !== undefined, action.name);
    for (const role of action.by)
      assert.match(readSection(page, 'Who may'), new RegExp(role, 'i'), action.name);
    for (const call of action.calls) assert.ok(calls.has(call), call);
  }
});

test('the gas of every operation that a page names is in the snapshot, and the other way round', () => {
  const named = pages.flatMap(({ path, text }) => {
    const [, gas = ''] = /^Gas: (.*?)\n\n/ms.exec(text) ?? [];
    return readCode({ path, text: gas });
  });
  assert.deepEqual(new Set(named), new Set(Object.keys(gasSnapshot)));
});

/** Code that looks like a declared error. Function calls begin with a small letter. */
function spelledErrors(page: Page): string[] {
  return readCode(page).filter((code) => /^[A-Z]\w+\(.*\)$/.test(code));
}
