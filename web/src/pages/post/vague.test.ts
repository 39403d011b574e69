// What no judge can measure is named as its poster wrote it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findVague } from './vague.ts';

test('a word that cannot be checked is found, and what can be counted is left alone', () => {
  for (const [criteria, found] of [
    ['- 98 % of the times are right\n- Output is CSV, nicely formatted', 'nicely formatted'],
    ['Good quality pictures.', 'Good quality'],
    ['The page is user-friendly.', 'user-friendly'],
    ['Every sentence is there.', null],
    ['A farewell letter of 300 words, with goods listed.', null],
    ['- [ ] All other tests pass.', null],
    ['', null],
  ] as const)
    assert.equal(findVague(criteria), found, criteria);
});
