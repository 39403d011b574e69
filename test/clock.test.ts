// Proves that one clock moves chain, server and price together.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPublicClient, http, type PublicClient } from 'viem';
import { usdOracleAbi } from '#contracts/generated/abi/usdOracle.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import { ask } from './support/devnet.ts';

const day = 86_400;
let devnet: Devnet;
before(async () => {
  devnet = await createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 });
});
after(() => devnet.close());

function connect(): PublicClient {
  return createPublicClient({ transport: http(devnet.rpcUrl), cacheTime: 0 });
}

/** A block mined now has a time between the two readings of the clock around it. */
async function assertSameTime(): Promise<void> {
  const client = connect();
  const earliest = devnet.clock.now();
  await ask(client, 'evm_mine');
  const { timestamp } = await client.getBlock();
  const latest = devnet.clock.now();
  assert.ok(earliest <= timestamp && timestamp <= latest, `${earliest} <= ${timestamp} <= ${latest}`);
}

test('block time is the time of the clock, before and after it is moved', async () => {
  await assertSameTime();
  const started = devnet.clock.now();
  await devnet.clock.advance(30 * day);
  assert.equal(devnet.clock.offsetSeconds(), 30 * day);
  assert.ok(devnet.clock.now() >= started + 30 * day);
  await assertSameTime();
});

test('the price stays fresh however far the clock is moved', async () => {
  for (const seconds of [60, 5 * 3_600, 100 * day]) {
    await devnet.clock.advance(seconds);
    const [isFresh] = await connect().readContract({
      address: devnet.deployment.usdOracle,
      abi: usdOracleAbi,
      functionName: 'tryPrice',
    });
    assert.ok(isFresh, `fresh after ${seconds} seconds more`);
  }
});

test('the clock cannot be moved back or by a fraction', async () => {
  const offset = devnet.clock.offsetSeconds();
  for (const seconds of [-1, 0.5, Number.NaN])
    await assert.rejects(devnet.clock.advance(seconds), RangeError);
  assert.equal(devnet.clock.offsetSeconds(), offset);
  await assertSameTime();
});
