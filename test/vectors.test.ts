// The vectors of signed digests, recomputed with viem; Solidity checks the same file against the registry itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Address,
  encodePacked,
  type Hex,
  hashStruct,
  hashTypedData,
  keccak256,
  stringToHex,
  toHex,
} from 'viem';
import vectors from './vectors/settlement-digest.json' with { type: 'json' };

type Field = { name: string; type: string };

const termsFields: Field[] = [
  { name: 'poster', type: 'address' },
  { name: 'worker', type: 'address' },
  { name: 'totalAmount', type: 'uint96' },
  { name: 'milestonesHash', type: 'bytes32' },
  { name: 'criteriaHash', type: 'bytes32' },
  { name: 'deadline', type: 'uint64' },
  { name: 'reviewPeriod', type: 'uint32' },
  { name: 'scope', type: 'uint8' },
  { name: 'salt', type: 'bytes32' },
  { name: 'acceptBy', type: 'uint64' },
];

const settlementFields: Field[] = [
  { name: 'taskId', type: 'uint256' },
  { name: 'poster', type: 'address' },
  { name: 'worker', type: 'address' },
  { name: 'round', type: 'uint32' },
  { name: 'milestone', type: 'uint8' },
  { name: 'state', type: 'uint8' },
  { name: 'updatedAt', type: 'uint64' },
  { name: 'held', type: 'uint96' },
  { name: 'workerBps', type: 'uint16' },
  { name: 'validUntil', type: 'uint64' },
];

test('there are vectors of terms, settlements and criteria, each with a name of its own', () => {
  assert.ok(vectors.terms.length >= 12);
  assert.ok(vectors.settlements.length >= 6);
  assert.ok(vectors.criteria.length >= 4);
  const all = [...vectors.terms, ...vectors.settlements];
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
  assert.equal(new Set(all.map(({ digest }) => digest)).size, all.length);
});

for (const vector of vectors.terms) {
  test(`terms: ${vector.name}`, () => {
    assertHashes('TaskTerms', termsFields, vector);
    const { milestonesHash, salt, acceptBy } = vector.message;
    if (vector.milestones !== undefined) {
      const amounts = vector.milestones.map(BigInt);
      assert.equal(keccak256(encodePacked(['uint96[]'], [amounts])), milestonesHash);
    }
    if (vector.open !== undefined) {
      const { taskId, round } = vector.open;
      assert.equal(toHex((BigInt(taskId) << 32n) | BigInt(round), { size: 32 }), salt);
      assert.equal(acceptBy, '0');
    }
  });
}

for (const vector of vectors.settlements) {
  test(`settlement: ${vector.name}`, () => assertHashes('MutualSettlement', settlementFields, vector));
}

for (const { text, hash } of vectors.criteria) {
  test(`criteria: ${JSON.stringify(text)}`, () => assert.equal(keccak256(stringToHex(text)), hash));
}

type Vector = {
  chainId: string;
  verifyingContract: string;
  message: Record<string, string>;
  typeHash: string;
  structHash: string;
  digest: string;
};

function assertHashes(primaryType: string, fields: Field[], vector: Vector): void {
  assert.deepEqual(
    Object.keys(vector.message),
    fields.map(({ name }) => name),
  );
  const types = { [primaryType]: fields };
  const typeText = `${primaryType}(${fields.map(({ name, type }) => `${type} ${name}`).join(',')})`;
  const message = parseMessage(fields, vector.message);
  const domain = {
    name: 'TaskMarket',
    version: '2',
    chainId: Number(vector.chainId),
    verifyingContract: vector.verifyingContract as Address,
  };
  assert.equal(keccak256(stringToHex(typeText)), vector.typeHash);
  assert.equal(hashStruct({ data: message, primaryType, types }), vector.structHash);
  assert.equal(hashTypedData({ domain, types, primaryType, message }), vector.digest);
}

/** JSON holds every value as text; numbers are decimal. */
function parseMessage(fields: Field[], message: Record<string, string>): Record<string, bigint | Hex> {
  return Object.fromEntries(
    fields.map(({ name, type }) => {
      const text = message[name] ?? assert.fail(`${name} is missing`);
      return [name, type.startsWith('uint') ? BigInt(text) : (text as Hex)];
    }),
  );
}
