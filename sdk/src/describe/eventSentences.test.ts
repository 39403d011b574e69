// Sentences about events name every wallet and amount as a part, so that a page links the one and values the other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEscrow, describeFunding } from './escrow.ts';
import { describeEvent } from './eventSentences.ts';
import { say, toText } from './parts.ts';

const poster = `0x${'a1'.repeat(20)}` as const;
const arbitrator = `0x${'b2'.repeat(20)}` as const;
const describe = (name: string, args: object) => describeEvent({ name, args } as never);

test('an event names its wallets and amounts in parts; repeated and unknown ones say nothing', () => {
  const posted = describe('TaskPosted', { poster, totalAmount: '1500000000000000000000' });
  assert.deepEqual(posted, ['Posted by ', { wallet: poster }, ' for ', { tok: 1500n * 10n ** 18n }]);
  assert.equal(toText(posted ?? []), `Posted by ${poster} for 1500 TOK`);
  assert.deepEqual(describe('ArbitratorProposed', { by: poster, arbitrator }), [
    ...[{ wallet: poster }, ' proposed ', { wallet: arbitrator }, ' as arbitrator'],
  ]);
  assert.deepEqual(describe('WorkStarted', {}), ['Work started']);
  for (const name of ['TaskState', 'EventOfTomorrow', 'constructor', '__proto__'])
    assert.equal(describe(name, {}), null, name);
});

test('the money of a task is described once, for rows, titles and feeds', () => {
  const wei = (tok: number) => String(BigInt(tok) * 10n ** 18n);
  const escrow = (funded: number, released = 0, refunded = 0, fees = 0) => ({
    ...{ totalAmountTokWei: wei(100), fundedTokWei: wei(funded), releasedTokWei: wei(released) },
    ...{ refundedTokWei: wei(refunded), feesTokWei: wei(fees), fullyFunded: funded === 100 },
  });
  const rows = [
    [escrow(0), 'POSTED', 'Not funded yet', 'nothing funded of 100 TOK'],
    [escrow(40), 'POSTED', '40 TOK funded', 'locked 40 TOK of 100 TOK'],
    [escrow(100, 20), 'ACTIVE', 'Fully funded', 'released 20 TOK, locked 80 TOK of 100 TOK'],
    [escrow(100, 100), 'COMPLETED', 'Paid', 'released 100 TOK of 100 TOK'],
    [
      escrow(100, 60, 35, 5),
      'COMPLETED',
      '60 TOK paid',
      'released 60 TOK, refunded 35 TOK, fees 5 TOK of 100 TOK',
    ],
    [escrow(100, 0, 100), 'CANCELLED', 'Refunded', 'refunded 100 TOK of 100 TOK'],
    [escrow(0), 'CANCELLED', 'Never funded', 'nothing funded of 100 TOK'],
  ] as const;
  for (const [task, state, funding, parts] of rows) {
    assert.equal(toText(describeFunding({ ...task, state })), funding);
    assert.equal(toText(describeEscrow(task)), parts);
  }
});

test('every kind of part has its text, and words of others are quoted and plain', () => {
  const says = say`${{ usdc: 5_250_000n }} ${{ usd: 1.5 }} ${{ time: 1_900_000_000 }} ${{ seconds: 259_200 }} ${[
    { task: 'v2:micro:3' },
    ' by ',
  ]}${{ foreign: 'a\u202eb\u0007', from: null }}${{ hash: '0xab' }}`;
  assert.equal(toText(says), '5.25 USDC $1.50 2030-03-17T17:46:40Z 3 days v2:micro:3 by “a b ”0xab');
});
