// Proves that the code computes the digests of the shared vectors. Solidity checks the same file against the registry.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import vectors from '#contracts/vectors/settlement-digest.json' with { type: 'json' };
import { parseAddress } from '#sdk/domain/address.ts';
import { disputePhases, nameOf, scopes, type TaskState, taskStates } from '#sdk/domain/state.ts';
import {
  buildOpenSalt,
  hashCriteria,
  hashMilestones,
  hashSettlement,
  hashTerms,
  mutualSettlementFields,
  type SigningPlace,
  settlementTypeHash,
  taskTermsFields,
  termsTypeHash,
} from '#sdk/domain/terms.ts';

test('there are vectors of terms, settlements and criteria, each with its own name', () => {
  assert.ok(vectors.terms.length >= 12);
  assert.ok(vectors.settlements.length >= 6);
  assert.ok(vectors.criteria.length >= 4);
  const all = [...vectors.terms, ...vectors.settlements];
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
  assert.equal(new Set(all.map(({ digest }) => digest)).size, all.length);
});

for (const vector of vectors.terms) {
  test(`terms: ${vector.name}`, () => {
    const { message, milestones, open } = vector;
    assertFields(taskTermsFields, message);
    assert.equal(termsTypeHash, vector.typeHash);
    const terms = {
      poster: parseAddress(message.poster),
      worker: parseAddress(message.worker),
      totalAmount: BigInt(message.totalAmount),
      milestonesHash: message.milestonesHash as Hex,
      criteriaHash: message.criteriaHash as Hex,
      deadline: BigInt(message.deadline),
      reviewPeriod: Number(message.reviewPeriod),
      scope: nameOf(scopes, Number(message.scope)),
      salt: message.salt as Hex,
      acceptBy: BigInt(message.acceptBy),
    };
    assert.equal(hashTerms(terms, placeOf(vector)), vector.digest);
    if (milestones !== undefined) assert.equal(hashMilestones(milestones.map(BigInt)), terms.milestonesHash);
    if (open !== undefined) {
      assert.equal(buildOpenSalt(BigInt(open.taskId), Number(open.round)), terms.salt);
      assert.equal(terms.acceptBy, 0n);
    }
  });
}

for (const vector of vectors.settlements) {
  test(`settlement: ${vector.name}`, () => {
    const { message } = vector;
    assertFields(mutualSettlementFields, message);
    assert.equal(settlementTypeHash, vector.typeHash);
    const settlement = {
      taskId: BigInt(message.taskId),
      poster: parseAddress(message.poster),
      worker: parseAddress(message.worker),
      round: Number(message.round),
      milestone: Number(message.milestone),
      state: nameOf(taskStates, Number(message.state)) as TaskState,
      updatedAt: BigInt(message.updatedAt),
      held: BigInt(message.held),
      phase: nameOf(disputePhases, Number(message.phase)),
      workerBps: Number(message.workerBps),
      validUntil: BigInt(message.validUntil),
    };
    assert.equal(hashSettlement(settlement, placeOf(vector)), vector.digest);
  });
}

for (const { text, hash } of vectors.criteria) {
  test(`criteria: ${JSON.stringify(text)}`, () => assert.equal(hashCriteria(text), hash));
}

function placeOf({
  chainId,
  verifyingContract,
}: {
  chainId: string;
  verifyingContract: string;
}): SigningPlace {
  return { chainId: Number(chainId), registry: parseAddress(verifyingContract) };
}

function assertFields(fields: readonly { readonly name: string }[], message: object): void {
  assert.deepEqual(
    Object.keys(message),
    fields.map(({ name }) => name),
  );
}
