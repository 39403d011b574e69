// Holds the plain-English rule: no word that docs/contributing.md replaces, in the places that are already clean.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areas, findWords } from '../scripts/words.ts';

/** Areas of scripts/words.ts, or folders in them. Grows until it lists every area; nothing is removed. */
const clean = [
  'README.md',
  'bench',
  'contracts/src',
  'docs',
  'hosting',
  'sdk/src/entry',
  'service/src/app',
  'service/src/devnet',
  'service/src/messages',
  'service/src/wallet',
  'soak',
  'test/docs',
  'test/pages',
  'web',
];

for (const area of clean) {
  test(`${area} is written in plain English`, () => {
    const findings = findWords(area);
    assert.deepEqual(
      findings.map(({ file, line, found, instead }) => `${file}:${line} "${found}": ${instead}`),
      [],
    );
  });
}

test('every clean place is inside a searched area', () => {
  for (const place of clean)
    assert.ok(
      areas.some((area) => `${place}/`.startsWith(`${area}/`)),
      place,
    );
});
