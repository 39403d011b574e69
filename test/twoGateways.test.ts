// One payment at two gateways with separate databases, over and over for each version of the protocol: one grants it.
//
// The long form: SVC_LONG_TESTS=1 npm test -- test/twoGateways.test.ts
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountOf } from '#service/devnet/accounts.ts';
import { type Cast, createCast, enter } from './support/cast.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { postTask } from './support/posting.ts';
import { payAtBoth } from './support/twoGateways.ts';

let first: TestGateway;
let cast: Cast;
let path: string;
const payTo = accountOf('treasury').address;
const tries = process.env.SVC_LONG_TESTS ? 200 : 12;
before(async () => {
  first = await startGateway();
  cast = await createCast(first.devnet.rpcUrl, 'standard');
  await enter(cast);
  path = `/v1/tasks/${await postTask(cast)}/claim`;
});
after(() => first.close());

/** Two that sign with one key could send the very same transaction. */
for (const [keys, name] of [
  ['one key', 'treasury'],
  ['a key each', 'scribe'],
] as const)
  test(`with ${keys}, one of two gateways grants each payment and it is charged once`, async (context) => {
    const facilitator = { kind: 'local', key: accountOf(name).privateKey } as const;
    const second = await startGateway({ beside: first, facilitator, payTo });
    context.after(second.close);
    for (const form of ['v1', 'v2'] as const) {
      const seen = await payAtBoth([first, second], cast, { payTo, path, tries, form });
      context.diagnostic(`${form}: one ${seen.one}, both ${seen.both}`);
      assert.deepEqual([seen.both, seen.earned], [0, BigInt(tries) * 10_000n]);
    }
  });
