// Proves that one clock moves chain, server and price together.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPublicClient, http, type PublicClient } from 'viem';
import { usdOracleAbi } from '#contracts/generated/abi/usdOracle.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';

const day = 86_400;
let devnet: Devnet;
before(async () => {
  devnet = await createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 });
});
after(() => devnet.close());

function connect(): PublicClient {
  return createPublicClient({ transport: http(devnet.rpcUrl), cacheTime: 0 });
}

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
