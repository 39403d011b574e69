// A follower that is killed at any moment, over a market in use whose chain forks: the rows it leaves are never wrong,
// and the next follower continues from them.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import type { ChainSource } from '#service/indexer/source.ts';
import type { DatabasePlace } from '../support/databasePlace.ts';
import { onBothDatabases } from '../support/databases.ts';
import { assertShown, loadRows, readFresh } from '../support/indexer/rows.ts';
import { type LiveMarket, startLiveMarket } from '../support/liveMarket.ts';
import { createRandom, type Random } from '../support/replay/random.ts';
import { startScript } from '../support/svc.ts';
import { until } from '../support/until.ts';

/** On each of the two databases. SVC_LONG_TESTS=1 kills more often. */
const kills = process.env.SVC_LONG_TESTS ? 25 : 3;

let market: LiveMarket;
let source: ChainSource;
before(async () => {
  market = await startLiveMarket();
  source = market.createSource().source;
  await market.play(30);
});
after(() => market.close());

function start(context: TestContext, place: DatabasePlace) {
  const file = join(place.SVC_DATA_DIR, 'deployment.json');
  writeFileSync(file, formatDeployment(market.deployment));
  const args = [JSON.stringify(place), file, market.devnet.rpcUrl];
  const { child, kill } = startScript(context, 'indexerProcess', ...args);
  const told: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => told.push(line));
  return { told, kill };
}

const hasFollowed = ({ told }: ReturnType<typeof start>) => told.includes('moved') || told.includes('reorg');

/** A few blocks, some of which are taken back again. */
async function trade(random: Random): Promise<void> {
  await market.play(1 + random.below(6));
  if (random.below(3) > 0) return;
  const goBack = await market.remember();
  await market.play(1 + random.below(4));
  await goBack();
  await market.play(1 + random.below(3));
}

onBothDatabases(({ createAt, create }) => {
  test(`killed ${kills} times at random it never leaves a wrong row, and in the end none is lost`, async (context) => {
    const seed = Date.now() >>> 0;
    context.diagnostic(`seed ${seed}`);
    const random = createRandom(seed);
    const { at, database } = await createAt();
    const told = new Map<string, number>();
    for (let round = 0; round < kills; round++) {
      const follower = start(context, at);
      // Some while they start, some while they lead, most while they read and write; the last while it follows a block.
      const isLast = round === kills - 1;
      const lines = isLast ? 1 : random.pick([0, 1, 2, 2, 2]);
      if (lines > 0) await until(() => follower.told.length > 0);
      const trading = trade(random);
      await until(() => follower.told.length >= lines);
      if (isLast)
        await until(() => hasFollowed(follower) || market.play(1).then(() => hasFollowed(follower)));
      await pause(random.below(150));
      await Promise.all([trading, follower.kill()]);
      for (const kind of follower.told) told.set(kind, (told.get(kind) ?? 0) + 1);
      await assertShown(await loadRows(database, source.identity).then(onlyOnChain), source);
    }
    context.diagnostic(`between the kills: ${[...told].map((one) => one.join(' ')).join(', ')}`);

    const last = start(context, at);
    await until(async () => {
      const rows = await loadRows(database, source.identity);
      const isAtHead = rows?.head?.headHash === (await source.readHead()).hash;
      return isAtHead && rows?.head?.historyFloor === Number(source.startBlock);
    });
    await last.kill();
    assert.deepEqual(await loadRows(database, source.identity), await readFresh(source, await create()));
  });
});

/** Of a block that was taken back the chain can no longer be asked. */
async function onlyOnChain(rows: Awaited<ReturnType<typeof loadRows>>) {
  const block = rows === null ? null : await source.readBlock(BigInt(rows.head?.headNumber as number));
  return block?.hash === rows?.head?.headHash ? rows : null;
}
