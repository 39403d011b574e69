// An embedded chain for a run: empty markets, and blocks that come when the measurement wants them.
import { createPublicClient, type Hex, http, numberToHex } from 'viem';
import { base } from 'viem/chains';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { type Deployment, parseDeployment } from '#sdk/chain/deployment.ts';
import type { Head } from '#sdk/domain/follow.ts';
import type { DevTransaction } from '#service/devnet/transactions.ts';
import { nextMessage, type Place, startNode, stopProcess } from './processes.ts';

export type Chain = {
  readonly pid: number;
  readonly rpcUrl: string;
  readonly deployment: Deployment;
  /** Mines each transaction at once, one after the other. */
  readonly send: (transactions: readonly DevTransaction[]) => Promise<void>;
  /** All of them in as few blocks as hold them. */
  readonly sendTogether: (transactions: readonly DevTransaction[], gas: number) => Promise<void>;
  /** While held, transactions wait for `mine`. */
  readonly holdBlocks: (isHeld: boolean) => Promise<void>;
  readonly submit: (transaction: DevTransaction) => Promise<void>;
  readonly mine: () => Promise<void>;
  /** Blocks come by themselves every two seconds, as they did from the start, or not at all. */
  readonly setPace: (pace: 'live' | 'still') => Promise<void>;
  readonly readHead: () => Promise<Head>;
  /** Of the standard market. */
  readonly readTaskCount: () => Promise<bigint>;
  readonly close: () => Promise<void>;
};

const blockIntervalMs = 2_000;
const blockGas = 60_000_000;
const amplyGas = 3_000_000;

export async function startChain(place: Place = 'load'): Promise<Chain> {
  const child = startNode('bench/chainProcess.ts', { place });
  const ready = await nextMessage<{ rpcUrl: string; deployment: string }>(child);
  const deployment = parseDeployment(ready.deployment);
  const registry = { address: deployment.markets.standard.taskRegistry, abi: taskRegistryAbi };
  const client = createPublicClient({ chain: base, transport: http(ready.rpcUrl), cacheTime: 0 });
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
    send: async (transactions) => {
      for (const transaction of transactions) await check(await submit(transaction, amplyGas));
    },
    sendTogether,
    holdBlocks,
    submit: async (transaction) => void (await submit(transaction, amplyGas)),
    mine: async () => void (await ask('evm_mine')),
    setPace: async (pace) => void (await ask('evm_setIntervalMining', pace === 'live' ? blockIntervalMs : 0)),
    readHead: async () => {
      const { number, hash, timestamp } = await client.getBlock();
      return { number, hash, time: Number(timestamp) };
    },
    readTaskCount: () => client.readContract({ ...registry, functionName: 'taskCount' }),
    close: () => stopProcess(child),
  };
}
