// Proves that a payment counts only on the chain and in the token of the price, in both versions of x402.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Payment, paymentSchema } from '../contract/paymentSchemas.ts';
import { buildRequirementV1, buildRequirementV2, buildSettlement, findMistake, type Offer } from './x402.ts';

const person = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

function offerOn(chainId: number, domain = { name: 'USD Coin', version: '2' }): Offer {
  return {
    price: { amount: 10_000n, asset: person, payTo: person, chainId, domain },
    url: 'http://gateway.example/claim',
    description: 'a claim',
    timeouts: [300],
    discovery: { method: 'POST' },
  };
}

const payload = {
  signature: `0x${'ab'.repeat(65)}`,
  authorization: {
    from: person,
    to: person,
    value: '10000',
    validAfter: '0',
    validBefore: '2000000000',
    nonce: `0x${'01'.repeat(32)}`,
  },
};
const payV1 = (network: string): Payment =>
  paymentSchema.parse({ x402Version: 1, scheme: 'exact', network, payload });
const payV2 = (offer: Offer): Payment =>
  paymentSchema.parse({ x402Version: 2, accepted: buildRequirementV2(offer), payload });
const reasonOf = (payment: Payment, offer: Offer) => findMistake(payment, offer, 1_000)?.details.errorReason;

test('a payment for the chain of the offer is taken, one for another chain is refused', () => {
  const [base, sepolia] = [offerOn(8453), offerOn(84532)];
  for (const [payment, offer, reason] of [
    [payV2(base), base, undefined],
    [payV1('base'), base, undefined],
    [payV1('base-sepolia'), sepolia, undefined],
    [payV2(sepolia), base, 'invalid_network'],
    [payV2(base), sepolia, 'invalid_network'],
    [payV1('base-sepolia'), base, 'invalid_network'],
    [payV1('base'), sepolia, 'invalid_network'],
  ] as const)
    assert.equal(reasonOf(payment, offer), reason);
});

test('a chain that version 1 has no name for is paid by version 2 only', () => {
  const own = offerOn(1337);
  assert.equal(buildRequirementV1(own), null);
  for (const network of ['base', 'eip155:1337'])
    assert.equal(reasonOf(payV1(network), own), 'invalid_network');
  assert.equal(findMistake(payV2(own), own, 1_000), null);
  assert.equal(buildSettlement(payV2(own), own, '0x').network, 'eip155:1337');
});

test('clients sign under the domain of the token that the deployment has', () => {
  const offer = offerOn(84532, { name: 'USDC', version: '2' });
  assert.deepEqual(buildRequirementV2(offer).extra, { name: 'USDC', version: '2' });
  assert.deepEqual(buildRequirementV1(offer)?.extra, { name: 'USDC', version: '2' });
});
