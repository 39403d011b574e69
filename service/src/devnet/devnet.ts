// The embedded chain: boots the EVM, deploys both markets, seeds a living market and keeps it alive.

import { createChainClient, type Deployment, formatDeployment } from '@svc/sdk/chain';
import { parsePriceE8, tokSupplyWei } from '@svc/sdk/domain';
import { createWalletClient, custom, defineChain, type PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { deployMarkets } from '#deploy/deploy.ts';
import { accountOf, accounts } from './accounts.ts';
import { multicall3Address, placeCanonicalContracts, usdcAddress } from './canonical.ts';
import { type Clock, createClock } from './clock.ts';
import { createEvm, type Evm } from './evm.ts';
import { createPriceKeeper } from './price.ts';
import { createRpcServer } from './rpcServer.ts';
import { buildPurses } from './seed/marketActs.ts';
import { seedMarkets } from './seed/seed.ts';
import { createStage } from './seed/stage.ts';
import { day } from './story/script.ts';
import { storyDays } from './story/story.ts';

export type DevnetOptions = {
  /** The first port tried; the next free one is taken. */
  readonly port: number;
  /** Without a seed the chain has both markets, funded accounts and no past. */
  readonly isSeeded: boolean;
  readonly clockOffsetSeconds: number;
  /** Whether the price is published again before it grows stale, which mines a block; it is unless told otherwise. */
  readonly isPriceKept?: boolean;
  readonly onProgress?: (part: 'deploy' | 'seed', done: number, total: number) => void;
  readonly signal?: AbortSignal;
};

export type Devnet = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly port: number;
  readonly deployment: Deployment;
  readonly clock: Clock;
  readonly close: () => Promise<void>;
};

export const chainId = 8_453;
/** Never another one: whoever reaches the chain can spend from its accounts and move its clock. */
const host = '127.0.0.1';
const blockIntervalMs = 2_000;
const priceCheckMs = 5_000;
const priceE8 = parsePriceE8('0.005');
const chain = defineChain({
  id: chainId,
  name: 'svc development chain',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
  contracts: { multicall3: { address: multicall3Address } },
});

export async function createDevnet(options: DevnetOptions): Promise<Devnet> {
  const { isSeeded, isPriceKept = true, onProgress, signal } = options;
  const present = Math.floor(Date.now() / 1_000) + options.clockOffsetSeconds;
  const evm = await createEvm({
    chainId,
    genesisTime: isSeeded ? present - storyDays * day : present,
    accounts,
  });
  const publicClient = createClient(evm);
  await placeCanonicalContracts(evm);
  const onMined = (done: number, total: number) => onProgress?.('deploy', done, total);
  const deployment = await deploy(evm, publicClient, onMined);
  signal?.throwIfAborted();
  const stage = createStage(evm, publicClient, deployment);
  for (const act of buildPurses(deployment)) await stage.play(act);
  if (isSeeded) {
    const onPlayed = (done: number, total: number) => onProgress?.('seed', done, total);
    await seedMarkets(stage, { present, priceE8, onPlayed, ...(signal && { signal }) });
  }

  const price = createPriceKeeper(evm, publicClient, deployment);
  const clock = createClock(options.clockOffsetSeconds, async (seconds) => {
    await evm.request({ method: 'evm_increaseTime', params: [seconds] });
    await evm.request({ method: 'evm_mine' });
    await price.refresh();
  });
  await beginPresent(evm, clock);
  await price.refresh();
  // A price that could not be published grows stale, and then plans cost USDC: that is the oracle's own rule.
  const keepPrice = () => void price.refresh().catch(() => {});
  const priceTimer = isPriceKept ? setInterval(keepPrice, priceCheckMs).unref() : undefined;
  const server = await createRpcServer(introduce(evm, deployment), { host, port: options.port });
  return {
    rpcUrl: `http://${host}:${server.port}`,
    wsUrl: `ws://${host}:${server.port}`,
    port: server.port,
    deployment,
    clock,
    close: async () => {
      clearInterval(priceTimer);
      await server.close();
      await evm.request({ method: 'evm_setIntervalMining', params: [0] });
    },
  };
}

function createClient(evm: Evm): PublicClient {
  return createChainClient({ chain, transport: custom(evm), cacheTime: 0 });
}

function deploy(
  evm: Evm,
  publicClient: PublicClient,
  onMined: (done: number, total: number) => void,
): Promise<Deployment> {
  const operator = accountOf('operator');
  const account = privateKeyToAccount(operator.privateKey);
  return deployMarkets({
    rpc: { publicClient, walletClient: createWalletClient({ chain, account, transport: custom(evm) }) },
    usdc: usdcAddress,
    roles: {
      owner: operator.address,
      treasury: accountOf('treasury').address,
      fallbackArbitrator: accountOf('fallback').address,
      publisher: accountOf('publisher').address,
    },
    tokHolder: operator.address,
    tokSupply: tokSupplyWei,
    priceE8,
    activateStaking: true,
    onMined,
  });
}

/** Lets the chain itself tell where its contracts are: `svc_deployment` answers what a deployment file holds. */
function introduce(evm: Evm, deployment: Deployment): Evm {
  const answer = `{"result":${formatDeployment(deployment).trim()}}`;
  const ask: Evm['ask'] = async (method, params) =>
    method === 'svc_deployment' ? answer : evm.ask(method, params);
  return { ...evm, ask };
}

/** From here on a block's time is that of the clock, and empty blocks come by themselves. */
async function beginPresent(evm: Evm, clock: Clock): Promise<void> {
  await evm.request({ method: 'evm_setNextBlockTimestamp', params: [clock.now()] });
  await evm.request({ method: 'evm_mine' });
  await evm.request({ method: 'evm_setIntervalMining', params: [blockIntervalMs] });
}
