// Proves the pieces of the settlement digest; test/terms.test.ts compares the whole with the contracts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Hex, keccak256, stringToBytes } from 'viem';
import { buildOpenSalt, hashCriteria, hashMilestones, settlementTypeHash, termsTypeHash } from './terms.ts';

const book = readFileSync(new URL('../../../contracts/src/TaskBook.sol', import.meta.url), 'utf8');

function hashInSource(struct: string): Hex {
  const [, text = ''] = new RegExp(`"(${struct}\\([^"]*\\))"`).exec(book) ?? [];
  return keccak256(stringToBytes(text));
}

test('both type hashes are those of the Solidity type strings', () => {
  assert.equal(termsTypeHash, hashInSource('TaskTerms'));
  assert.equal(settlementTypeHash, hashInSource('MutualSettlement'));
});

test('an empty list of milestones has the hash of no bytes', () => {
  assert.equal(hashMilestones([]), keccak256('0x'));
});

test('milestones hash as 32-byte words in their order', () => {
  assert.equal(hashMilestones([1n, 2n]), keccak256(`0x${'1'.padStart(64, '0')}${'2'.padStart(64, '0')}`));
  assert.notEqual(hashMilestones([1n, 2n]), hashMilestones([2n, 1n]));
});

test('criteria hash by their UTF-8 bytes', () => {
  assert.equal(hashCriteria('ä'), keccak256('0xc3a4'));
  assert.equal(hashCriteria(''), keccak256('0x'));
});

test('the salt of an open task holds its number and its round', () => {
  assert.equal(buildOpenSalt(5n, 2), `0x${'500000002'.padStart(64, '0')}`);
});
