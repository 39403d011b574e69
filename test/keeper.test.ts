// Proves the keeper on a market of 200 random tasks whose people have all gone silent.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAllAccounted, type KeptMarket, startKeptMarket } from './support/keeperMarket.ts';

const tasks = 200;
const hour = 3_600;
const seed = 7;

let market: KeptMarket;
before(async () => {
  market = await startKeptMarket();
  await market.scatter(tasks, seed);
});
after(() => market.close());

test('every task ends when its time is over, and every wei is accounted for', async () => {
  const states = await market.countStates();
  // A market that is asleep already would prove nothing.
  for (const state of ['POSTED', 'CLAIMED', 'ACTIVE', 'DELIVERED', 'DISPUTED'])
    assert.ok((states[state] ?? 0) > 0, `some are ${state}`);

  const keeper = market.createKeeper('keeper');
  for (let days = 0; (await market.countLive()) > 0; days += 0.5) {
    assert.ok(days < 60, 'no task lasts this long');
    await market.advance(12 * hour);
    for (let open = 1; open > 0; ) ({ open } = await keeper.round());
  }

  const ended = await market.countStates();
  assert.equal(
    Object.values(ended).reduce((sum, count) => sum + count),
    tasks,
  );
  await assertAllAccounted(market);
  // Each call was needed and none was in vain.
  assert.ok(keeper.events.every(({ kind }) => kind === 'called'));
  assert.equal(await market.countSent('keeper'), keeper.events.length);
  const actions = new Set(
    keeper.events.map((event) => 'exit' in event && `${event.exit.state} ${event.exit.action}`),
  );
  for (const action of [
    'POSTED resolve-timed-out',
    'CLAIMED resolve-timed-out',
    'ACTIVE resolve-timed-out',
    'DELIVERED resolve-timed-out',
    'DISPUTED escalate',
    'DISPUTED resolve-timed-out',
  ])
    assert.ok(actions.has(action), action);
});
