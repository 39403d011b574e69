// Proves that the names are in the order of the Solidity enums, and which states are final.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  currencies,
  disputePhases,
  feeActions,
  indexOf,
  isTerminal,
  nameOf,
  scopes,
  settlementKinds,
  taskStates,
} from './state.ts';

const types = readFileSync(new URL('../../../contracts/src/Types.sol', import.meta.url), 'utf8');

function readEnum(name: string): string[] {
  const [, body = ''] = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(types) ?? [];
  return body.split(',').map((member) => member.trim());
}

test('every list has the members of its enum in the same order', () => {
  const upper = (names: readonly string[]) => names.map((name) => name.toUpperCase());
  assert.deepEqual(readEnum('State'), taskStates);
  assert.deepEqual(readEnum('Phase'), disputePhases);
  assert.deepEqual(readEnum('Scope'), upper(scopes));
  assert.deepEqual(readEnum('FeeAction'), upper(feeActions));
  assert.deepEqual(readEnum('PayWith'), upper(currencies));
  assert.deepEqual(readEnum('SettlementKind'), upper(settlementKinds));
});

test('the final states are COMPLETED, RESOLVED and CANCELLED', () => {
  assert.deepEqual(taskStates.filter(isTerminal), ['COMPLETED', 'RESOLVED', 'CANCELLED']);
});

test('names and numbers convert to each other, and an unknown number is refused', () => {
  for (const [index, name] of taskStates.entries())
    assert.deepEqual([nameOf(taskStates, index), indexOf(taskStates, name)], [name, index]);
  for (const index of [-1, taskStates.length, 1.5, Number.NaN])
    assert.throws(() => nameOf(taskStates, index), RangeError);
});
