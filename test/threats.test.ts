// Keeps the threat model honest: every threat names a test that proves its answer, and every such test exists.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import {
  type Link,
  loadPages,
  type Page,
  readLinks,
  readSection,
  readTables,
  root,
} from './docs/markdown.ts';

const [page] = loadPages('docs/security.md') as [Page];
const tables = readTables(readSection(page, 'Threat model'));
const threats = tables.flatMap(([, ...rows]) => rows);
const deviations = readTables(readSection(page, 'Most profitable deviations')).flatMap(([, ...rows]) => rows);

test('every threat and every finding of the third reading names tests that stand in the files that they link to', () => {
  assert.ok(threats.length >= 70, `${threats.length} threats`);
  const [[, ...findings] = []] = readTables(readSection(page, 'Third reading'));
  assert.equal(findings.length, 16);
  for (const cells of [...threats, ...findings]) {
    const [threat = '', where = '', answer = '', proof = ''] = cells;
    assert.ok(threat !== '' && where !== '' && answer !== '', threat);
    checkProof(threat, proof);
  }
});

test('every call of an owner stands on the page of powers, and is tried as everybody else', () => {
  const [{ text }] = loadPages('docs/powers.md') as [Page];
  const tried = readFileSync(join(root, 'contracts/test/attacks/Powers.t.sol'), 'utf8');
  const calls = globSync('contracts/src/*.sol', { cwd: root }).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/function (\w+)\([^)]*\)[^{;]* onlyOwner/g)].map(
      ([, name]) => [basename(path, '.sol'), name] as const,
    ),
  );
  assert.ok(calls.length >= 6, `${calls.length} calls`);
  for (const [contract, name] of calls) {
    assert.ok(text.includes(`\`${contract}.${name}\``), `${contract}.${name} is not on the page`);
    assert.match(tried, new RegExp(`\\.${name}, \\(`), name);
  }
});

test('every deviation says what it gains and costs, why that is bearable, and which test computes it', () => {
  assert.ok(deviations.length >= 20, `${deviations.length} deviations`);
  for (const cells of deviations) {
    const [party = '', deviation = '', , , , verdict = '', proof = ''] = cells;
    assert.equal(cells.length, 7, deviation);
    for (const cell of cells) assert.notEqual(cell, '', `${party}: ${deviation}`);
    assert.match(verdict, /^(\*\*accepted\*\*: |.*\b(costs?|gain|better|seen)\b)/, deviation);
    checkProof(deviation, proof);
  }
});

test('a test that is not there, or a name that only a comment holds, would be noticed', () => {
  assert.ok(!isTest({ text: 'a test that nobody wrote', target: '../test/threats.test.ts' }));
  assert.ok(!isTest({ text: 'Keeps the threat model honest', target: '../test/threats.test.ts' }));
  assert.ok(!isTest({ text: 'test_nothing', target: '../contracts/test/attacks/AdminKey.t.sol' }));
  assert.ok(!isTest({ text: 'AdminKeys', target: '../contracts/test/attacks/AdminKey.t.sol' }));
});

function checkProof(claim: string, proof: string): void {
  const links = readLinks({ path: page.path, text: proof });
  assert.ok(links.length > 0, `${claim}: no test is named`);
  for (const link of links) assert.ok(isTest(link), `${claim}: there is no "${link.text}" in ${link.target}`);
}

/** Solidity by the name of a function, or of the file for all that is in it; TypeScript by a test's own words. */
function isTest({ text, target }: Link): boolean {
  const path = join(root, 'docs', target);
  const source = readFileSync(path, 'utf8');
  if (target.endsWith('.sol'))
    return /^(test|invariant)/.test(text)
      ? source.includes(`function ${text}(`)
      : basename(target).replace(/(\.t)?\.sol$/, '') === text && /function (test|invariant)/.test(source);
  return readTitles(source).includes(text);
}

/** As they stand in the source, with … for what a template fills in. */
function readTitles(source: string): string[] {
  const titles = source.matchAll(/^\s*test\(\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/gm);
  return [...titles].map(([, plain, template]) => plain ?? (template ?? '').replace(/\$\{[^}]*\}+/g, '…'));
}
