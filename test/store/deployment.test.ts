// A database holds one deployment, and refuses every other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment } from '#sdk/chain/deployment.ts';
import type { SvcError } from '#sdk/domain/errors.ts';
import { claimDatabase } from '#service/store/deploymentRow.ts';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf } from '../support/indexer/fakeChain.ts';

/** What a database keeps of a deployment. */
const build = ({ genesis = 'ab', standard = addressOf(0xa1), edition = '3-abc' } = {}) =>
  ({
    genesisHash: `0x${genesis.repeat(32)}`,
    markets: { standard: { taskRegistry: standard }, micro: { taskRegistry: addressOf(0xb1) } },
    edition: { name: edition, codes: {} },
  }) as unknown as Deployment;

onBothDatabases(({ create, createPair }) => {
  test('the deployment of the first process counts, also for one that starts at the same moment', async () => {
    const [one, two] = await createPair();
    const outcomes = await Promise.allSettled([
      claimDatabase(one, build()),
      claimDatabase(two, build({ genesis: 'cd' })),
    ]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  test('another chain, other contracts and another edition are refused with a sentence that names both', async () => {
    const database = await create();
    await claimDatabase(database, build());
    const shouted = addressOf(0xa1).toUpperCase().replace('0X', '0x');
    await claimDatabase(database, build({ standard: shouted as `0x${string}` }));
    const others = {
      [`0x${'cd'.repeat(32)}`]: build({ genesis: 'cd' }),
      [addressOf(0xa2)]: build({ standard: addressOf(0xa2) }),
      '4-def': build({ edition: '4-def' }),
    };
    for (const [part, other] of Object.entries(others))
      await assert.rejects(claimDatabase(database, other), (error: SvcError) => {
        assert.equal(error.code, 'DATABASE_OF_OTHER');
        for (const named of [part, addressOf(0xa1), '3-abc', `0x${'ab'.repeat(32)}`, '--fresh'])
          assert.ok(error.message.includes(named), named);
        return true;
      });
  });
});
