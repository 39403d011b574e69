// What is found in a contract, and what the contract looks like when each of it can be dropped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mutate } from './mutants.ts';

function mutateBody(body: string, members = '') {
  const text = `contract Box { uint256 value; ${members} function set(uint256 wanted) public { ${body} } }`;
  const { mutants, sources } = mutate([{ name: 'Box.sol', text }]);
  return {
    found: mutants.map(({ kind, text: dropped }) => `${kind}: ${dropped}`),
    text: sources[0]?.text ?? '',
  };
}

test('a require is taken as true', () => {
  const { found, text } = mutateBody('require(wanted != 0, Empty());');
  assert.deepEqual(found, ['check: wanted != 0']);
  assert.match(text, /require\(Mutant\.isOff\(1\) \|\| \(wanted != 0\), Empty\(\)\);/);
});

test('each side of an and is a check of its own', () => {
  const { found, text } = mutateBody('require(wanted != 1 && wanted != 9 && wanted != 5);');
  assert.deepEqual(found, ['check: wanted != 1', 'check: wanted != 9', 'check: wanted != 5']);
  assert.match(
    text,
    /require\(\(Mutant\.isOff\(1\) \|\| \(wanted != 1\)\) && \(Mutant\.isOff\(2\) \|\| \(wanted != 9\)\) && \(Mutant\.isOff\(3\) \|\| \(wanted != 5\)\)\);/,
  );
});

test('a comparison moves by one, and an amount is added instead of taken away', () => {
  const { found, text } = mutateBody('if (wanted >= 3) return; uint256 left = value - wanted;');
  assert.deepEqual(found, ['branch: wanted >= 3', 'boundary: wanted >= 3', 'operator: value - wanted']);
  assert.match(
    text,
    /if \(!Mutant\.isOff\(1\) && \(\(Mutant\.isOff\(2\) \? \(wanted > 3\) : \(wanted >= 3\)\)\)\) return;/,
  );
  assert.match(text, /left = \(Mutant\.isOff\(3\) \? \(value \+ wanted\) : \(value - wanted\)\);/);
});

test('what is rounded up is rounded down, and the smaller of two becomes the larger', () => {
  const { found, text } = mutateBody(
    'uint256 up = Math.ceilDiv(wanted, 2); uint256 low = Math.min(up, wanted);',
  );
  assert.deepEqual(found, ['operator: Math.ceilDiv(wanted, 2)', 'operator: Math.min(up, wanted)']);
  assert.match(text, /\(Mutant\.isOff\(1\) \? \(wanted\) \/ \(2\) : \(Math\.ceilDiv\(wanted, 2\)\)\)/);
  assert.match(text, /\(Mutant\.isOff\(2\) \? Math\.max\(up, wanted\) : \(Math\.min\(up, wanted\)\)\)/);
});

test('two arguments of one type are swapped', () => {
  const { found, text } = mutateBody('vault.slashBond(first, second);');
  assert.deepEqual(found, ['call: vault.slashBond(first, second)', 'swap: vault.slashBond(first, second)']);
  assert.match(
    text,
    /slashBond\(\(Mutant\.isOff\(2\) \? \(second\) : \(first\)\), \(Mutant\.isOff\(2\) \? \(first\) : \(second\)\)\);/,
  );
});

test('effects on state, calls and events are left out, locals are not', () => {
  const { found, text } = mutateBody(
    'uint256 next = wanted; next = 2; value = next; ++value; emit Set(next); tell();',
  );
  assert.deepEqual(found, [
    'effect: value = next',
    'effect: ++value',
    'event: emit Set(next)',
    'call: tell()',
  ]);
  assert.match(text, /next = 2; \{ if \(!Mutant\.isOff\(1\)\) value = next; \}/);
});

test('state that a base contract declares counts as state', () => {
  const text =
    'contract Base { uint256 value; } contract Box is Base { function set() public { value = 1; } }';
  const { mutants } = mutate([{ name: 'Box.sol', text }]);
  assert.deepEqual(
    mutants.map(({ contract, where, text: dropped }) => [contract, where, dropped]),
    [['Box', 'set', 'value = 1']],
  );
});

test('a branch is never taken, unless its one statement is a mutant itself', () => {
  const { found, text } = mutateBody(
    'if (wanted == 0) return; if (wanted == 1) value = 2; else if (wanted == 3) tell();',
  );
  assert.deepEqual(found, [
    'branch: wanted == 0',
    'branch: wanted == 1',
    'effect: value = 2',
    'call: tell()',
  ]);
  assert.match(text, /if \(!Mutant\.isOff\(1\) && \(wanted == 0\)\) return;/);
  assert.match(text, /\{ if \(!Mutant\.isOff\(3\)\) value = 2; \} else if/);
});

test('a modifier is dropped at one use alone', () => {
  const text = `contract Box {
    modifier onlyKeeper(uint256 key) { require(key == 1, Locked()); _; }
    function open(uint256 key) public onlyKeeper(key) nonReentrant {}
    function close(uint256 key) public onlyKeeper(key) {}
  }`;
  const { mutants, sources } = mutate([{ name: 'Box.sol', text }]);
  assert.deepEqual(
    mutants.map(({ where, kind, text: dropped }) => `${where} ${kind}: ${dropped}`),
    ['open modifier: onlyKeeper(key)', 'open modifier: nonReentrant', 'close modifier: onlyKeeper(key)'],
  );
  const mutated = sources[0]?.text ?? '';
  assert.match(mutated, /function open\(uint256 key\) public onlyKeeper_1\(key\) nonReentrant_2 \{\}/);
  assert.match(
    mutated,
    /modifier onlyKeeper_3\(uint256 key\) \{ if \(!Mutant\.isOff\(3\)\) \{ require\(key == 1, Locked\(\)\); \} _; \}/,
  );
});

test('a modifier that nobody explained stops the run', () => {
  assert.throws(
    () => mutate([{ name: 'Box.sol', text: 'contract Box { function set() public onlyOnTuesday {} }' }]),
    /nothing is known about the modifier onlyOnTuesday/,
  );
});

test('of a constructor only checks are dropped', () => {
  const { found } = mutateBody('', 'constructor(uint256 first) { require(first != 0); value = first; }');
  assert.deepEqual(found, ['check: first != 0']);
});
