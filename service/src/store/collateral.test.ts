// Proves since when wallets hold collateral, and that money which walks through wallets is known as the same money.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUsdc } from '@svc/sdk/domain';
import { findHoldings, listHolders } from './collateral.ts';

const day = 86_400;
const wallet = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;
const entry = parseUsdc('25');

const deposit = (agent: string, blockTime: number, amount = entry) =>
  ({ name: 'Deposited', market: 'standard', blockTime, args: { agent, amount: String(amount) } }) as const;
const withdraw = (agent: string, blockTime: number, amount = entry) =>
  ({ name: 'Withdrawn', market: 'standard', blockTime, args: { agent, amount: String(amount) } }) as const;
const holdersOf = (events: Parameters<typeof findHoldings>[0], of: string) => {
  const holding = findHoldings(events, day).get(of);
  return holding === undefined ? null : listHolders(holding);
};

test('a holding begins when the entry is reached, and again after a break', () => {
  const one = wallet(1);
  const events = [deposit(one, 1, entry / 2n), deposit(one, 2, entry), withdraw(one, 3, entry / 2n)];
  assert.equal(findHoldings(events, day).get(one)?.since, 2);
  const broken = [...events, withdraw(one, 4), deposit(one, 5)];
  assert.equal(findHoldings(broken.slice(0, -1), day).get(one), undefined);
  assert.equal(findHoldings(broken, day).get(one)?.since, 5);
});

test('one deposit that walks through ten wallets is the same money in each of them', () => {
  const wallets = Array.from({ length: 10 }, (_, at) => wallet(at + 1));
  const events = wallets.flatMap((agent, at) => [deposit(agent, 2 * at), withdraw(agent, 2 * at + 1)]);
  assert.deepEqual(holdersOf(events.slice(0, -1), wallet(10)), wallets.toReversed());
});

test('other money is not, and after a day nobody follows', () => {
  const [one, two, three] = [wallet(1), wallet(2), wallet(3)];
  const events = [deposit(one, 1), withdraw(one, 2), deposit(two, 3), deposit(three, 3)];
  assert.deepEqual(holdersOf(events, two), [two, one]);
  assert.deepEqual(holdersOf(events, three), [three]);
  assert.deepEqual(holdersOf([deposit(one, 1), withdraw(one, 2), deposit(two, 2 + day)], two), [two]);
});

test('a wallet that holds for several and leaves is followed by several', () => {
  const [one, two, three, four] = [wallet(1), wallet(2), wallet(3), wallet(4)];
  const events = [
    deposit(one, 1, 2n * entry),
    withdraw(one, 2, 2n * entry),
    ...[two, three, four].map((agent) => deposit(agent, 3)),
  ];
  assert.deepEqual(
    [two, three, four].map((agent) => holdersOf(events, agent)),
    [[two, one], [three, one], [four]],
  );
});

test('a slashed bond moves the collateral', () => {
  const [one, two] = [wallet(1), wallet(2)];
  const slashed = {
    name: 'BondSlashed',
    market: 'standard',
    blockTime: 2,
    args: { from: one, to: two, amount: String(entry) },
  } as const;
  assert.equal(holdersOf([deposit(one, 1), slashed], one), null);
  assert.deepEqual(holdersOf([deposit(one, 1), slashed], two), [two, one]);
});
