// Since when wallets hold collateral, and that money which walks through wallets is known as the same money: as the relay asks,
// after blocks, forks and corrections, at a cost that does not grow with the history.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, addressKey } from '#sdk/domain/address.ts';
import { parseUsdc } from '#sdk/domain/amount.ts';
import { removeEvents, saveEvents } from '#service/store/eventRows.ts';
import { createStandingStore } from '#service/store/standing.ts';
import { hashOf } from '../support/conversations.ts';
import { countRows } from '../support/countRows.ts';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf } from '../support/indexer/fakeChain.ts';
import { createFollowedChain } from '../support/indexer/rows.ts';

const day = 86_400;
const entry = parseUsdc('25');
/** A wallet with nothing else on the market. */
const wallet = (number: number) => addressOf(1_000 + number);

type Move = {
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
  readonly blockTime: number;
};
const deposit = (agent: Address, blockTime: number, amount = entry): Move => ({
  ...{ name: 'Deposited', blockTime, args: { agent, amount: String(amount) } },
});
const withdraw = (agent: Address, blockTime: number, amount = entry): Move => ({
  ...{ name: 'Withdrawn', blockTime, args: { agent, amount: String(amount) } },
});
const slash = (from: Address, to: Address, blockTime: number): Move => ({
  ...{ name: 'BondSlashed', blockTime, args: { from, to, amount: String(entry) } },
});

/** The first of them is in block `first`, each other one a log later. */
const eventsOf = (moves: readonly Move[], first = 1n) =>
  moves.map((move, logIndex) => ({
    ...{ market: 'standard' as const, contract: 'depositVault' as const, address: addressOf(1), ...move },
    ...{ taskNumber: null, blockNumber: first, logIndex: 100 + logIndex },
    ...{ blockHash: hashOf(1), txHash: hashOf(logIndex + 2) },
  }));

onBothDatabases(({ create }) => {
  async function begin() {
    const database = await create();
    const chain = createFollowedChain(database);
    await chain.next([]);
    let version = 0;
    const standing = createStandingStore(database, [], () => version);
    const findStanding = (of: Address) => standing.findStanding(of, addressOf(9));
    /** With a block, as they come; older ones as a correction brings them. */
    async function save(moves: readonly Move[], first?: bigint): Promise<void> {
      await database.chain.transaction((tx) => saveEvents(tx, eventsOf(moves, first)));
      await chain.next([]);
      version++;
    }
    /** As a fork removes them. */
    async function undo(above: bigint): Promise<void> {
      await database.chain.transaction((tx) => removeEvents(tx, { above, upTo: 10_000n }));
      await chain.next([]);
      version++;
    }
    const sinceOf = async (of: Address) => {
      const found = await findStanding(of);
      return found?.kind === 'collateral' ? found.since : null;
    };
    const holdersOf = async (of: Address) => {
      const found = await findStanding(of);
      return found?.kind === 'collateral' ? found.holders : null;
    };
    return { ...chain, database, standing, save, undo, sinceOf, holdersOf, raise: () => version++ };
  }

  test('a holding begins when the entry is reached, and again after a break', async () => {
    const { save, undo, sinceOf } = await begin();
    const one = wallet(1);
    await save([deposit(one, 1, entry / 2n), deposit(one, 2, entry), withdraw(one, 3, entry / 2n)]);
    assert.equal(await sinceOf(one), 2);
    await save([withdraw(one, 4)], 2n);
    assert.equal(await sinceOf(one), null);
    await save([deposit(one, 5)], 3n);
    assert.equal(await sinceOf(one), 5);
    await undo(2n);
    assert.equal(await sinceOf(one), null, 'a fork took the second deposit away');
    await undo(1n);
    assert.equal(await sinceOf(one), 2, 'and the withdrawal');
  });

  test('one deposit that walks through ten wallets is the same money in each of them', async () => {
    const { save, holdersOf } = await begin();
    const wallets = Array.from({ length: 10 }, (_, at) => wallet(at + 1));
    const moves = wallets.flatMap((agent, at) => [deposit(agent, 2 * at), withdraw(agent, 2 * at + 1)]);
    await save(moves.slice(0, -1));
    assert.deepEqual(await holdersOf(wallet(10)), wallets.map(addressKey).toReversed());
  });

  test('other money is not, and after a day nobody follows', async () => {
    const { save, holdersOf } = await begin();
    const [one, two, three, four, five] = [wallet(1), wallet(2), wallet(3), wallet(4), wallet(5)];
    await save([deposit(one, 1), withdraw(one, 2), deposit(two, 3), deposit(three, 3)]);
    assert.deepEqual(await holdersOf(two), [two, one]);
    assert.deepEqual(await holdersOf(three), [three]);
    await save([deposit(four, 9), withdraw(four, 10), deposit(five, 10 + day)], 2n);
    assert.deepEqual(await holdersOf(five), [five]);
  });

  test('a wallet that holds for several and leaves is followed by several, also when a fork takes them away', async () => {
    const { save, undo, holdersOf } = await begin();
    const [one, two, three, four] = [wallet(1), wallet(2), wallet(3), wallet(4)];
    const found = () => Promise.all([two, three, four].map(holdersOf));
    await save([deposit(one, 1, 2n * entry), withdraw(one, 2, 2n * entry)]);
    await save(
      [two, three, four].map((agent) => deposit(agent, 3)),
      2n,
    );
    assert.deepEqual(await found(), [[two, one], [three, one], [four]]);
    await undo(1n);
    assert.deepEqual(await found(), [null, null, null]);
    await save(
      [four, three, two].map((agent) => deposit(agent, 3)),
      2n,
    );
    assert.deepEqual(await found(), [[two], [three, one], [four, one]]);
  });

  test('a wallet with an open task looks for people until the deadline', async () => {
    const { database, save, standing, next } = await begin();
    await next([{ kind: 'post', market: 'standard', poster: 1, isPrivate: false, title: 'Open' }]);
    await save([deposit(wallet(1), 1)]);
    const isLookedFor = async (other: Address) => {
      const found = await standing.findStanding(wallet(1), other);
      return found?.kind === 'collateral' && found.isLookedFor;
    };
    assert.equal(await isLookedFor(addressOf(9)), false);
    assert.equal(await isLookedFor(addressOf(1)), true);
    await database.chain.write('UPDATE tasks SET deadline = 1');
    assert.equal(await isLookedFor(addressOf(1)), false, 'its time is over');
  });

  test('a slashed bond moves the collateral', async () => {
    const { save, holdersOf } = await begin();
    const [one, two] = [wallet(1), wallet(2)];
    await save([deposit(one, 1), slash(one, two, 2)]);
    assert.equal(await holdersOf(one), null);
    assert.deepEqual(await holdersOf(two), [two, one]);
  });

  test('what a block costs does not grow with the deposits before it', async () => {
    const { database, standing, save, raise } = await begin();
    const one = wallet(1);
    const counted = countRows(database);
    const ask = async () => {
      raise();
      await standing.isMember(wallet(2));
      await standing.hasCollateral(one);
      await standing.findStanding(one, addressOf(9));
    };
    const rowsOf = async (work: () => Promise<unknown>) => {
      const before = counted.rows;
      await work();
      return counted.rows - before;
    };
    await save(Array.from({ length: 10 }, (_, at) => deposit(one, at + 1)));
    const few = await rowsOf(ask);
    await save(
      Array.from({ length: 3_000 }, (_, at) => deposit(one, at + 20)),
      2n,
    );
    assert.equal(await rowsOf(ask), few);
    assert.ok(few < 20, `${few} rows`);
    const block = await rowsOf(() => save([deposit(one, 5_000)], 3n));
    assert.ok(block < 60, `${block} rows for a block`);
  });
});
