// `npm run real-pool`: the tests of buying TOK (test/prepare/purchases.ts), at a pool of Uniswap v3 itself with its SwapRouter02
// instead of the stand-in, and what only the real one can do.
//
// Its contracts are put on an embedded chain from the packages that Uniswap publishes. They are installed for the run and are no
// dependency, because their licences (BUSL-1.1, GPL-2.0-or-later) are not among those of docs/licences.md:
// npm install --no-save --legacy-peer-deps @uniswap/v3-core@1.0.1 @uniswap/swap-router-contracts@1.3.1
//
// --from <folder>   a folder in which they are installed; default this one
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { parseArgs } from 'node:util';
import { type Hex, parseAbi } from 'viem';
import { latestBlock } from '#sdk/chain/rpcRequests.ts';
import { addressKey } from '#sdk/domain/address.ts';
import { createPriceSource } from '#service/keeper/priceSource.ts';
import { root } from '../scripts/tools.ts';
import { type OpenPool, testPurchases } from '../test/prepare/purchases.ts';
import { createOperator, type FixtureContract } from '../test/support/fixtureContract.ts';
import { type Preparing, startPreparing } from '../test/support/preparing.ts';

const { values: given } = parseArgs({ options: { from: { type: 'string' } } });
const require = createRequire(join(resolve(given.from ?? root), 'package.json'));
const load = (name: string): FixtureContract => {
  try {
    return JSON.parse(readFileSync(require.resolve(`@uniswap/${name}.json`), 'utf8'));
  } catch (cause) {
    throw new Error('The contracts of Uniswap are not installed; the head of this file says how.', { cause });
  }
};
const artifacts = {
  factory: load('v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory'),
  pool: load('v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool'),
  positions: load(
    'v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager',
  ),
  router: load('swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02'),
};

const nobody = `0x${'00'.repeat(20)}` as const;
const fee = 3_000;
/** The last multiples of the spacing of this fee. */
const lastTick = 887_220;
const token = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function approve(address spender, uint256 amount)',
  'function mint(address to, uint256 amount)',
]);

let preparing: Preparing;
before(async () => {
  preparing = await startPreparing();
  await preparing.act('top-up', 'newcomer', { market: 'standard', amountUsdc: '100' });
});
after(() => preparing.close());

const openReal: OpenPool = async (operator, { usual, stock, isNarrow, contracts }) => {
  const { tokToken, usdc } = contracts;
  const isTokFirst = addressKey(tokToken) < addressKey(usdc);
  const [token0, token1] = isTokFirst ? [tokToken, usdc] : [usdc, tokToken];
  const { factory, pool, positions, router } = artifacts;
  const factoryAt = await operator.deploy(factory, []);
  const positionsAt = await operator.deploy(positions, [factoryAt, nobody, nobody]);
  const swapRouter = await operator.deploy(router, [nobody, factoryAt, positionsAt, nobody]);
  /** The root of units of token 1 for one of token 0, as a fixed point number. */
  const rootAt = (price: bigint) => {
    const [above, below] = isTokFirst ? [price, 10n ** 18n] : [10n ** 18n, price];
    return squareRoot((above << 192n) / below);
  };
  const create = [token0, token1, fee, rootAt(usual)];
  await operator.call(positionsAt, positions.abi, 'createAndInitializePoolIfNecessary', create);
  const tokPool = await operator.read<Hex>(factoryAt, factory.abi, 'getPool', [token0, token1, fee]);
  const readSlot = () => operator.read<readonly [bigint, number]>(tokPool, pool.abi, 'slot0', []);

  const money = 10n ** 18n;
  await operator.call(usdc, token, 'mint', [operator.address, money]);
  for (const one of [tokToken, usdc])
    for (const spender of [positionsAt, swapRouter])
      await operator.call(one, token, 'approve', [spender, 2n ** 256n - 1n]);
  // A narrow one sells everything between the usual price and about a hundredth more.
  const [, tick] = await readSlot();
  const near = Math.floor(tick / 60) * 60;
  const [tickLower, tickUpper] = !isNarrow
    ? [-lastTick, lastTick]
    : isTokFirst
      ? [near + 60, near + 120]
      : [near - 60, near];
  const [amount0Desired, amount1Desired] = isTokFirst ? [stock, money] : [money, stock];
  const position = { token0, token1, fee, tickLower, tickUpper, amount0Desired, amount1Desired };
  const owner = { amount0Min: 0n, amount1Min: 0n, recipient: operator.address, deadline: 2n ** 64n };
  await operator.call(positionsAt, positions.abi, 'mint', [{ ...position, ...owner }]);

  return {
    tokPool,
    swapRouter,
    /** Trades until the pool is there. */
    moveTo: async (price) => {
      const [now] = await readSlot();
      const sqrtPriceLimitX96 = rootAt(price);
      if (now === sqrtPriceLimitX96) return;
      const [tokenIn, tokenOut] = sqrtPriceLimitX96 < now ? [token0, token1] : [token1, token0];
      const amountIn = await operator.read<bigint>(tokenIn, token, 'balanceOf', [operator.address]);
      const trade = { tokenIn, tokenOut, fee, recipient: operator.address, amountIn, amountOutMinimum: 0n };
      await operator.call(swapRouter, router.abi, 'exactInputSingle', [{ ...trade, sqrtPriceLimitX96 }]);
    },
  };
};

testPurchases(() => preparing, openReal);

test('the source of prices reads its average, once it remembers half an hour', async () => {
  const { devnet, rpc, advance, access } = preparing;
  const operator = createOperator(devnet.rpcUrl);
  const usual = 5_000n;
  const opening = { usual, stock: 10n ** 22n, isNarrow: false, contracts: access.contracts.standard };
  const { tokPool, moveTo } = await openReal(operator, opening);
  const now = async () => (await rpc.ask(latestBlock())).time;
  const source = createPriceSource(`pool:${tokPool}`, { ...devnet.deployment, rpc, now });
  const readPrice = async () => Number((await source()).priceE8);
  await assert.rejects(readPrice(), /do not reach back 30 minutes/);
  await advance(1_900);
  assert.ok(Math.abs((await readPrice()) - 500_000) < 100);
  // A pool that keeps one observation forgets by the first trade.
  await moveTo(usual + 1n);
  await assert.rejects(readPrice(), /do not reach back 30 minutes/);
  await operator.call(tokPool, artifacts.pool.abi, 'increaseObservationCardinalityNext', [100]);
  await advance(1_900);
  await moveTo(usual * 2n);
  assert.ok(Math.abs((await readPrice()) - 500_100) < 5_000, 'a trade of this moment hardly counts');
  await advance(900);
  assert.ok(Math.abs((await readPrice()) - 500_000 * Math.SQRT2) < 5_000);
});

function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (let next = root; ; root = next) {
    next = (root + value / root) / 2n;
    if (next >= root) return root;
  }
}
