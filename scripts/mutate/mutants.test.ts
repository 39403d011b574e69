// What is found in a contract, and what the contract looks like when each of it can be dropped.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../tools.ts';
import { byHand } from './byHand.ts';
import { byHandNext } from './byHandNext.ts';
import { mutate } from './mutants.ts';
import { readSources } from './tree.ts';

/** The body of a function, what is found in it, and a part of what it becomes. */
const cases: readonly (readonly [body: string, found: readonly string[], becomes: string])[] = [
  ['require(wanted != 0, Empty());', ['check: wanted != 0'], 'require(#1 || (wanted != 0), Empty());'],
  [
    'require(wanted != 1 && wanted != 9);',
    ['check: wanted != 1', 'check: wanted != 9'],
    'require((#1 || (wanted != 1)) && (#2 || (wanted != 9)));',
  ],
  [
    'if (wanted >= 3) return;',
    ['branch: wanted >= 3', 'boundary: wanted >= 3'],
    'if (!#1 && ((#2 ? (wanted > 3) : (wanted >= 3)))) return;',
  ],
  [
    'uint256 left = value - wanted;',
    ['operator: value - wanted'],
    '(#1 ? (value + wanted) : (value - wanted));',
  ],
  [
    'uint256 up = Math.ceilDiv(wanted, 2);',
    ['operator: Math.ceilDiv(wanted, 2)'],
    '(#1 ? (wanted) / (2) : (Math.ceilDiv(wanted, 2)))',
  ],
  ['uint256 low = Math.min(1, wanted);', ['operator: Math.min(1, wanted)'], '#1 ? Math.max(1, wanted)'],
  [
    'vault.slashBond(first, second, true);',
    [
      'call: vault.slashBond(first, second, true)',
      'flip: vault.slashBond(first, second, true)',
      'swap: vault.slashBond(first, second, true)',
    ],
    'slashBond((#3 ? (second) : (first)), (#3 ? (first) : (second)), (#2 != true));',
  ],
  [
    'uint256 next = wanted; next = 2; value = next; ++value; emit Set(next); send();',
    ['effect: value = next', 'effect: ++value', 'event: emit Set(next)', 'call: send()'],
    'next = 2; { if (!#1) value = next; }',
  ],
  [
    'if (wanted == 1) value = 2; else if (wanted == 3) send();',
    ['branch: wanted == 1', 'effect: value = 2', 'call: send()'],
    '{ if (!#2) value = 2; } else if',
  ],
];

for (const [body, expected, becomes] of cases) {
  test(body, () => {
    const text = `contract Box { uint256 value; function set(uint256 wanted) public { ${body} } }`;
    const { mutants, sources } = mutate([{ name: 'Box.sol', text }]);
    assert.deepEqual(
      mutants.map(({ kind, text: dropped }) => `${kind}: ${dropped}`),
      expected,
    );
    const written = sources[0]?.text.replace(/Mutant\.isOff\((\d)\)/g, '#$1') ?? '';
    assert.ok(written.includes(becomes), written);
  });
}

test('state of a base contract counts as state, and of a constructor only checks are dropped', () => {
  const text = `contract Base { uint256 value; }
    contract Box is Base {
      constructor(uint256 first) { require(first != 0); value = first; }
      function set() public { value = 1; }
    }`;
  const { mutants } = mutate([{ name: 'Box.sol', text }]);
  assert.deepEqual(
    mutants.map(({ contract, where, text: dropped }) => [contract, where, dropped]),
    [
      ['Box', 'constructor', 'first != 0'],
      ['Box', 'set', 'value = 1'],
    ],
  );
});

test('a modifier is dropped at one use alone, and an unknown one stops the run', () => {
  const text = `contract Box {
    modifier onlyKeeper(uint256 key) { require(key == 1, Locked()); _; }
    function open(uint256 key) public onlyKeeper(key) nonReentrant {}
    function close(uint256 key) public onlyKeeper(key) {}
  }`;
  const { mutants, sources } = mutate([{ name: 'Box.sol', text }]);
  assert.deepEqual(
    mutants.map(({ where, text: dropped }) => `${where}: ${dropped}`),
    ['open: onlyKeeper(key)', 'open: nonReentrant', 'close: onlyKeeper(key)'],
  );
  assert.match(sources[0]?.text ?? '', /open\(uint256 key\) public onlyKeeper_1\(key\) nonReentrant_2 \{\}/);
  assert.throws(
    () => mutate([{ name: 'Box.sol', text: 'contract Box { function set() public onlyOnTuesday {} }' }]),
    /nothing is known about the modifier onlyOnTuesday/,
  );
});

for (const [folder, chosen] of [
  ['contracts', byHand],
  ['contracts/next', byHandNext],
] as const)
  test(`each mutant of ${folder} that is chosen by hand is found once`, () => {
    const { mutants } = mutate(readSources(join(root, folder)), chosen);
    assert.deepEqual(
      mutants
        .filter(({ kind }) => kind === 'hand')
        .map(({ contract, where, text }) => `${contract}.${where} ${text}`)
        .sort(),
      Object.entries(chosen)
        .flatMap(([contract, own]) => own.map(([where, expression]) => `${contract}.${where} ${expression}`))
        .sort(),
    );
  });
