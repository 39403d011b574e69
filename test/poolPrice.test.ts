// Proves the price from a pool with a real contract on the embedded chain: the average of half an hour, and attacks on it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeFunctionData, http } from 'viem';
import { createChainClient } from '#sdk/chain/chainClient.ts';
import { createRpc, type Rpc } from '#sdk/chain/rpc.ts';
import { latestBlock } from '#sdk/chain/rpcRequests.ts';
import type { Address } from '#sdk/domain/address.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import { createPriceSource } from '#service/keeper/priceSource.ts';
import { ask } from './support/devnet.ts';
import { compileFixture, createOperator, type FixtureContract } from './support/fixtureContract.ts';

/** 0.005 USDC for a TOK, which is 5e3 units for 1e18. */
const tick = Math.round(Math.log(5e-15) / Math.log(1.0001));
/** What the nearest tick is worth. */
const usualE8 = 499_992n;
const halfHour = 1_800;
/** So many ticks are a factor of two, and of a thousand. */
const double = 6_932;
const thousandfold = 69_081;

let devnet: Devnet;
let rpc: Rpc;
let publicClient: ReturnType<typeof createChainClient>;
let pool: FixtureContract;
let operator: ReturnType<typeof createOperator>;

before(async () => {
  devnet = await createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0, isPriceKept: false });
  rpc = createRpc({ urls: [devnet.rpcUrl], ...devnet.deployment });
  publicClient = createChainClient({ transport: http(devnet.rpcUrl), cacheTime: 0 });
  // Each test decides when a block comes.
  await ask(publicClient, 'evm_setIntervalMining', 0);
  pool = compileFixture('TickPool');
  operator = createOperator(devnet.rpcUrl);
});
after(async () => {
  rpc.close();
  await devnet.close();
});

const now = async () => Number((await publicClient.getBlock()).timestamp);

const createPool = (token0: Address, token1: Address, at: number) =>
  operator.deploy(pool, [token0, token1, at]);

const moveTo = (address: Address, at: number) =>
  operator.send({
    to: address,
    data: encodeFunctionData({ abi: pool.abi, functionName: 'moveTo', args: [at] }),
  });

/** The next block is mined so many seconds after the last one. */
const waitFor = async (seconds: number) =>
  ask(publicClient, 'evm_setNextBlockTimestamp', (await now()) + seconds);

async function pass(seconds: number): Promise<void> {
  await waitFor(seconds);
  await ask(publicClient, 'evm_mine');
}

async function readPrice(address: string): Promise<bigint> {
  const time = async () => (await rpc.ask(latestBlock())).time;
  const readPrice = createPriceSource(`pool:${address}`, { ...devnet.deployment, rpc, now: time });
  const { priceE8, at } = await readPrice();
  assert.equal(at, await now());
  return priceE8;
}

/** A pool with half an hour of history at the usual price. */
async function createOldPool(): Promise<Address> {
  const address = await createPool(devnet.deployment.tokToken, devnet.deployment.usdc, tick);
  await pass(halfHour);
  assert.equal(await readPrice(address), usualE8);
  return address;
}
test('the price is the average of half an hour, whichever token is first', async () => {
  const { tokToken, usdc } = devnet.deployment;
  const first = await createPool(tokToken, usdc, tick);
  const second = await createPool(usdc, tokToken, -tick);
  await pass(halfHour + 60);
  for (const address of [first, second]) {
    assert.equal(await readPrice(address), usualE8);
    await moveTo(address, address === first ? tick + double : -tick - double);
  }
  await pass(halfHour / 2);
  // Half of the time twice the price: the geometric mean.
  for (const address of [first, second]) {
    const priceE8 = Number(await readPrice(address));
    assert.ok(Math.abs(priceE8 - 500_000 * Math.SQRT2) < 1_500, String(priceE8));
  }
});

test('a thousandfold price for one block moves the average by less than a publisher sends', async () => {
  const address = await createOldPool();
  await waitFor(2);
  await moveTo(address, tick + thousandfold);
  assert.equal(await readPrice(address), usualE8, 'the block of the move does not count yet');
  await pass(2);
  const priceE8 = await readPrice(address);
  assert.ok(
    priceE8 > usualE8 && priceE8 < 504_500n,
    `${priceE8}: less than 1 %, of which nothing is published`,
  );
});

test('a pool that cannot answer for half an hour gives no price', async () => {
  const { tokToken, usdc } = devnet.deployment;
  const young = await createPool(tokToken, usdc, tick);
  await pass(halfHour - 1);
  await assert.rejects(readPrice(young), {
    code: 'PRICE_SOURCE_FAILED',
    message: /do not reach back 30 minutes/,
  });
  await pass(1);
  assert.equal(await readPrice(young), usualE8);
});
