// Proves the keeper on a market of 200 random tasks whose people have all gone silent.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAllAccounted, type KeptMarket, startKeptMarket } from './support/keeperMarket.ts';

const tasks = 200;
const hour = 3_600;

let market: KeptMarket;
before(async () => {
  market = await startKeptMarket();
  console.time('scatter');
  await market.scatter(tasks, 7);
  console.timeEnd('scatter');
});
after(() => market.close());

test('every one ends when its time is over, and every wei is accounted for', async () => {
  console.log(await market.countStates());
  const keeper = market.createKeeper('keeper');
  let rounds = 0;
  console.time('keep');
  while ((await market.countLive()) > 0) {
    await market.advance(8 * hour);
    for (let open = 1; open > 0; rounds++) ({ open } = await keeper.round());
  }
  console.timeEnd('keep');
  console.log(
    rounds,
    keeper.events.length,
    Object.fromEntries(
      Object.entries(Object.groupBy(keeper.events, (e) => e.kind)).map(([k, v]) => [k, v.length]),
    ),
  );
  console.log(await market.countStates());
  await assertAllAccounted(market);
});
