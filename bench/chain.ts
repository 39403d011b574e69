// An embedded chain for a run: empty markets, posts, and blocks that are mined on request.

import { type Hex, maxUint256, numberToHex } from 'viem';
import * as abis from '#contracts/generated/abi.ts';
import { type Deployment, parseDeployment } from '#sdk/chain/deployment.ts';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { hashCriteria } from '#sdk/domain/terms.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { taskStories } from '#service/devnet/seed/story.ts';
import { buildTransaction, type DevTransaction } from '#service/devnet/transactions.ts';
import type { Head } from '#service/store/chainRow.ts';
import { createReader } from '../test/support/baseChain.ts';
import { nextMessage, type Place, startBundled, stopProcess } from './processes.ts';

export type Chain = Awaited<ReturnType<typeof startChain>>;

const blockIntervalMs = 2_000;
const blockGas = 60_000_000;
const gasPerTransaction = 3_000_000;

export async function startChain(place: Place = 'load') {
  const child = await startBundled('dist/chainProcess.js', { place });
  const ready = await nextMessage<{ rpcUrl: string; deployment: string }>(child);
  const deployment = parseDeployment(ready.deployment);
  const registry = { address: deployment.markets.standard.taskRegistry, abi: abis.taskRegistryAbi };
  const client = createReader(ready.rpcUrl);
  const ask = (method: string, ...params: unknown[]): Promise<unknown> =>
    client.request({ method: method as 'eth_chainId', params: params as never });
  const submit = ({ from, to, data }: DevTransaction, gas: number) =>
    ask('eth_sendTransaction', { from, to, data, gas: numberToHex(gas) }) as Promise<Hex>;

  const holdBlocks = async (isHeld: boolean) => void (await ask('evm_setAutomine', !isHeld));

  async function check(hash: Hex): Promise<void> {
    const { status } = await client.getTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`transaction ${hash} was reverted`);
  }

  async function sendTogether(transactions: readonly DevTransaction[], gas: number): Promise<void> {
    const perBlock = Math.floor(blockGas / gas);
    await holdBlocks(true);
    for (let start = 0; start < transactions.length; start += perBlock) {
      const hashes: Hex[] = [];
      for (const transaction of transactions.slice(start, start + perBlock))
        hashes.push(await submit(transaction, gas));
      await ask('evm_mine');
      await check(hashes.at(-1) as Hex);
    }
    await holdBlocks(false);
  }

  return {
    pid: child.pid as number,
    rpcUrl: ready.rpcUrl,
    deployment,
    /** Mines each transaction at once, one after the other. */
    send: async (transactions: readonly DevTransaction[]) => {
      for (const transaction of transactions) await check(await submit(transaction, gasPerTransaction));
    },
    /** Mines all of them in as few blocks as possible. */
    sendTogether,
    /** While held, transactions wait for `mine`. */
    holdBlocks,
    submit: async (transaction: DevTransaction) => void (await submit(transaction, gasPerTransaction)),
    mine: async () => void (await ask('evm_mine')),
    /** `live` mines a block every two seconds, which is the default; `still` mines none. */
    setPace: async (pace: 'live' | 'still') =>
      void (await ask('evm_setIntervalMining', pace === 'live' ? blockIntervalMs : 0)),
    readHead: async (): Promise<Head> => {
      const { number, hash, timestamp } = await client.getBlock();
      return { number, hash, time: Number(timestamp) };
    },
    /** Tasks of the standard market. */
    readTaskCount: () => client.readContract({ ...registry, functionName: 'taskCount' }),
    close: () => stopProcess(child),
  };
}

export const documents = taskStories.map(({ title, description, criteria, tags }) => ({
  uri: buildTaskDocument({ title, description, criteria, tags }).uri,
  criteriaHash: hashCriteria(criteria),
}));

/** Enough for a post with the longest text. */
export const postGas = 300_000;

const poster = accountOf('press').address;
const day = 86_400;

/** Fees, collateral and allowances for this many posts on the standard market. */
export function buildPosterTransactions(deployment: Deployment, posts: number): DevTransaction[] {
  const { paymentGateway, depositVault, parameters } = deployment.markets.standard;
  const operator = accountOf('operator').address;
  const tok = { address: deployment.tokToken, abi: abis.tokTokenAbi };
  const usdc = { address: deployment.usdc, abi: abis.testUsdcAbi };
  const collateral = parameters.entryUsdc + parameters.bondUsdc * BigInt(posts);
  return [
    buildTransaction(operator, tok, 'transfer', [poster, parameters.accessFeeTokWei * BigInt(posts)]),
    buildTransaction(operator, usdc, 'mint', [poster, collateral]),
    buildTransaction(poster, tok, 'approve', [paymentGateway, maxUint256]),
    buildTransaction(poster, usdc, 'approve', [depositVault, collateral]),
    buildTransaction(poster, { address: depositVault, abi: abis.depositVaultAbi }, 'topUp', [collateral]),
  ];
}

/** `number` selects the texts; the chain assigns the number of the task. */
export function buildPostTransaction(
  deployment: Deployment,
  number: number,
  chainTime: number,
): DevTransaction {
  const { uri, criteriaHash } = documents[number % documents.length] as (typeof documents)[number];
  const registry = { address: deployment.markets.standard.taskRegistry, abi: abis.taskRegistryAbi };
  const offer = {
    totalAmount: parseTok('500'),
    deadline: BigInt(chainTime + 30 * day),
    reviewPeriod: 2 * day,
    criteriaHash,
    milestones: [],
    uri,
    fundNow: 0n,
  };
  return buildTransaction(poster, registry, 'postTask', [offer]);
}
