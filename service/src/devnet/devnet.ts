// The embedded chain: starts the EVM, deploys both markets and seeds them, or continues a kept chain; then mines blocks and
// keeps the price fresh.

import { randomBytes } from 'node:crypto';
import { type Deployment, parseDeployment } from '@svc/sdk/chain';
import { isAddress, type PublicChain } from '@svc/sdk/domain';
import { createChainClient } from '@svc/sdk/internal/chain/chainClient';
import { formatDeployment } from '@svc/sdk/internal/chain/deployment';
import { parsePriceE8 } from '@svc/sdk/internal/domain/amount';
import { tokSupplyWei } from '@svc/sdk/internal/domain/parameters';
import { bytesToHex, createWalletClient, custom, defineChain, numberToHex, type PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { deployMarkets } from '../deploy/deployMarkets.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { accountOf, accounts } from './accounts.ts';
import { multicall3Address, placeCanonicalContracts, usdcAddress } from './canonical.ts';
import { type ChainFile, type ChainStart, type KeptChain, openChainFile } from './chainFile.ts';
import { createEvm, type Evm } from './evm.ts';
import { keepChain, playChain } from './keptChain.ts';
import { refreshPrice } from './price.ts';
import { createRpcServer } from './rpcServer.ts';
import { buildStartBalances, buildVisitorBalances } from './seed/accountSteps.ts';
import { seedMarkets } from './seed/seed.ts';
import { day, storyDays } from './seed/story.ts';
import { createMiner, type Miner } from './transactions.ts';

export type DevnetOptions = {
  /** The first port to try. */
  readonly port: number;
  /** Keeps the chain in this file and continues the one it has; undefined forgets the chain. */
  readonly file?: string;
  /** Replaces the chain of the file. */
  readonly isFresh?: boolean;
  /** An unseeded chain has both markets and funded accounts, but no history. */
  readonly isSeeded: boolean;
  readonly clockOffsetSeconds: number;
  /** Publishes the price again before it is stale, which mines a block. Default: true. */
  readonly isPriceKept?: boolean;
  readonly onProgress?: (part: 'deploy' | 'seed' | 'play', done: number, total: number) => void;
  readonly signal?: AbortSignal;
};

export type Devnet = Awaited<ReturnType<typeof createDevnet>>;
export type Clock = ReturnType<typeof createClock>;

export const chainId = 8_453;
/** Local only: anyone who can reach the chain can spend from its accounts and move its clock. */
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

export async function createDevnet(options: DevnetOptions) {
  const { file: path, isFresh = false } = options;
  const file = path === undefined ? null : openChainFile(path, { isFresh });
  try {
    const kept = file?.load() ?? null;
    const chain = file && kept ? await continueChain(file, kept, options) : await createChain(file, options);
    const devnet = await serveChain(chain, options);
    return { ...devnet, close: () => devnet.close().finally(() => file?.close()) };
  } catch (error) {
    file?.close();
    throw error;
  }
}

type Chain = { readonly evm: Evm; readonly deployment: Deployment; readonly clockOffsetSeconds: number };

async function createChain(file: ChainFile | null, options: DevnetOptions): Promise<Chain> {
  const { isSeeded, clockOffsetSeconds, onProgress, signal } = options;
  const present = Math.floor(Date.now() / 1_000) + clockOffsetSeconds;
  const genesisTime = isSeeded ? present - storyDays * day : present;
  const start: ChainStart = { isSeeded, genesisTime, beaconRoot: bytesToHex(randomBytes(32)) };
  const engine = await createEvm({ chainId, accounts, ...start });
  file?.begin(start);
  const evm = file === null ? engine : keepChain(engine, file, 0);
  const publicClient = createClient(evm);
  await placeCanonicalContracts(evm);
  const onMined = (done: number, total: number) => onProgress?.('deploy', done, total);
  const deployment = await deploy(evm, publicClient, onMined);
  signal?.throwIfAborted();
  const miner = createMiner(evm, publicClient, deployment);
  for (const transaction of buildStartBalances(deployment)) await miner.mine(transaction);
  if (isSeeded) {
    const onSeeded = (done: number, total: number) => onProgress?.('seed', done, total);
    await seedMarkets(miner, { present, priceE8, onMined: onSeeded, ...(signal && { signal }) });
  }
  file?.finish(formatDeployment(deployment));
  return { evm, deployment, clockOffsetSeconds };
}

async function continueChain(file: ChainFile, kept: KeptChain, options: DevnetOptions): Promise<Chain> {
  const { isSeeded, onProgress, signal } = options;
  if (kept.isSeeded !== isSeeded) {
    const how = kept.isSeeded ? 'with a seeded market' : 'with --no-seed';
    throw new OperatorError('CHAIN_FILE_DIFFERS', { file: file.path, how });
  }
  const engine = await createEvm({ chainId, accounts, ...kept });
  const onPlayed = (done: number, total: number) => onProgress?.('play', done, total);
  const head = await playChain(engine, file.path, kept, { onPlayed, ...(signal && { signal }) });
  const { timestamp } = await createClient(engine).getBlock();
  // The machine's clock may have been set back since.
  const least = Number(timestamp) - Math.floor(Date.now() / 1_000);
  return {
    evm: keepChain(engine, file, head, kept.aheadSeconds),
    deployment: parseDeployment(kept.deployment),
    clockOffsetSeconds: Math.max(options.clockOffsetSeconds, kept.aheadSeconds, least),
  };
}

async function serveChain(chain: Chain, options: DevnetOptions) {
  const { evm, deployment } = chain;
  const { isPriceKept = true } = options;
  const publicClient = createClient(evm);
  const miner = createMiner(evm, publicClient, deployment);
  const refresh = () => refreshPrice(evm, publicClient, deployment);
  const clock = createClock(chain.clockOffsetSeconds, async (seconds) => {
    await evm.request({ method: 'evm_increaseTime', params: [seconds] });
    await evm.request({ method: 'evm_mine' });
    await refresh();
  });
  await beginPresent(evm, clock);
  await refresh();
  // A failed refresh is harmless: with a stale price, the oracle sells plans for USDC only.
  const keepPrice = () => void refresh().catch(() => {});
  const priceTimer = isPriceKept ? setInterval(keepPrice, priceCheckMs).unref() : undefined;
  const server = await createRpcServer(serveOwnMethods(evm, miner), { host, port: options.port });
  const rpcUrl = `http://${host}:${server.port}`;
  return {
    rpcUrl,
    publicChain: { name: 'svc embedded chain', rpcUrl, explorerUrl: null } satisfies PublicChain,
    wsUrl: `ws://${host}:${server.port}`,
    port: server.port,
    deployment,
    clock,
    /** Lets the pages at these addresses call the chain; programs always can. */
    allowPages: server.allowPages,
    close: async (): Promise<void> => {
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

/**
 * Adds two methods: `svc_deployment` returns the content of a deployment file; `svc_fund` gives an address the test money
 * of a newcomer, so that a visitor's wallet can begin at once.
 */
function serveOwnMethods(evm: Evm, miner: Miner): Evm {
  const deployment = `{"result":${formatDeployment(miner.deployment).trim()}}`;
  const ask: Evm['ask'] = async (method, params) => {
    if (method === 'svc_deployment') return deployment;
    if (method !== 'svc_fund') return evm.ask(method, params);
    const [to] = Array.isArray(params) ? params.map((one) => String(one).toLowerCase()) : [];
    if (to === undefined || !isAddress(to))
      return JSON.stringify({ error: { code: -32_602, message: 'svc_fund needs one address.' } });
    await evm.request({ method: 'hardhat_setBalance', params: [to, numberToHex(visitorWei)] });
    for (const transaction of buildVisitorBalances(miner.deployment, to)) await miner.mine(transaction);
    return JSON.stringify({ result: true });
  };
  return { ...evm, ask };
}

const visitorWei = 10n ** 18n;

/** From now on blocks carry the time of the clock, and empty blocks are mined at an interval. */
async function beginPresent(evm: Evm, clock: Clock): Promise<void> {
  await evm.request({ method: 'evm_setNextBlockTimestamp', params: [clock.now()] });
  await evm.request({ method: 'evm_mine' });
  await evm.request({ method: 'evm_setIntervalMining', params: [blockIntervalMs] });
}

/** The clock that chain and server share: wall time plus an offset that only grows. */
function createClock(offsetSeconds: number, moveChain: (seconds: number) => Promise<void>) {
  let offset = offsetSeconds;
  return {
    /** Unix seconds: the time of a block mined now. */
    now: () => Math.floor(Date.now() / 1_000) + offset,
    offsetSeconds: () => offset,
    /** Moves the chain ahead first, then the offset. */
    advance: async (seconds: number): Promise<void> => {
      if (!Number.isSafeInteger(seconds) || seconds < 0)
        throw new RangeError(`The clock can only be moved ahead by whole seconds, not by ${seconds}.`);
      await moveChain(seconds);
      offset += seconds;
    },
  };
}
