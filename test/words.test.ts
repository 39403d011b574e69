// Holds the plain-English rule: no word that docs/contributing.md replaces, in the places that are already clean.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Area, areas, findWords } from '../scripts/words.ts';

/** Grows until it lists every area; nothing is ever removed. */
const clean: readonly Area[] = [];

for (const area of clean) {
  test(`${area} is written in plain English`, () => {
    const found = findWords(area).map(
      ({ file, line, found, instead }) => `${file}:${line} "${found}": ${instead}`,
    );
    assert.deepEqual(found, []);
  });
}

test('the search covers files in every area', () => {
  for (const area of areas) assert.doesNotThrow(() => findWords(area));
});
