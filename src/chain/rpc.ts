// Asks the chain: a list of RPC endpoints of which the healthy one is used, checked before it is believed.
import { SvcError } from '#domain/errors.ts';
import type { Head } from '#domain/follow.ts';
import type { Hash } from '#domain/task.ts';
import type { RawLog } from './decodeLog.ts';
import { createEndpoint, type Endpoint, isRefusal } from './rpcEndpoint.ts';

export type Rpc = {
  /** One question; asked of the next endpoint, after a pause, until one answers or all have failed in turn. */
  readonly request: (method: string, params: readonly unknown[]) => Promise<unknown>;
  /** An eth_call at exactly that block; fails when the block is no longer on the chain. */
  readonly call: (call: { readonly to: string; readonly data: Hash }, blockHash: Hash) => Promise<Hash>;
  readonly callLatest: (call: { readonly to: string; readonly data: Hash }) => Promise<Hash>;
  readonly readHead: () => Promise<Block>;
  readonly readBlock: (number: bigint) => Promise<Block | null>;
  readonly readLogs: (filter: LogFilter) => Promise<RawLog[]>;
  readonly stats: RpcStats;
};

export type Block = Head & { readonly parentHash: Hash; readonly logsBloom: Hash };
export type LogFilter = { readonly addresses: readonly string[]; readonly from: bigint; readonly to: bigint };
export type RpcStats = { requests: number; errors: number; failovers: number };

export type RpcOptions = {
  readonly urls: readonly string[];
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly timeoutMs?: number;
  /** How often the whole list is tried before giving up. */
  readonly rounds?: number;
  /** Told about each failure, with the endpoint's name free of credentials. */
  readonly onError?: (endpoint: string, error: Error) => void;
};

const firstPauseMs = 50;
const longestPauseMs = 2_000;

export function createRpc(options: RpcOptions): Rpc {
  const { timeoutMs = 10_000, rounds = 3, onError = () => undefined } = options;
  const endpoints = options.urls.map((url) => createEndpoint({ ...options, url, timeoutMs }));
  const stats: RpcStats = { requests: 0, errors: 0, failovers: 0 };
  let current = 0;

  async function request(method: string, params: readonly unknown[]): Promise<unknown> {
    let lastError: Error = new Error('no endpoint is configured');
    for (let attempt = 0; attempt < endpoints.length * rounds; attempt++) {
      const endpoint = endpoints[current] as Endpoint;
      stats.requests++;
      try {
        return await endpoint.ask(method, params);
      } catch (error) {
        // What the chain itself refuses another endpoint would refuse as well.
        if (isRefusal(error)) throw error;
        lastError = error as Error;
        stats.errors++;
        onError(endpoint.name, lastError);
        current = (current + 1) % endpoints.length;
        if (endpoints.length > 1) stats.failovers++;
        if (current === 0 || endpoints.length === 1) await pause(attempt);
      }
    }
    throw new SvcError('CHAIN_UNREACHABLE', { reason: lastError.message }, lastError);
  }

  async function readBlock(tag: string): Promise<Block | null> {
    const answer = await request('eth_getBlockByNumber', [tag, false]);
    return answer === null ? null : parseBlock(answer);
  }

  return {
    request,
    stats,
    call: async (call, blockHash) =>
      parseHex(await request('eth_call', [call, { blockHash, requireCanonical: true }]), 'eth_call'),
    callLatest: async (call) => parseHex(await request('eth_call', [call, 'latest']), 'eth_call'),
    readHead: async () => {
      const head = await readBlock('latest');
      if (head === null) throw malformed('there is no latest block');
      return head;
    },
    readBlock: (number) => readBlock(`0x${number.toString(16)}`),
    readLogs: async ({ addresses, from, to }) => {
      const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
      const logs = await request('eth_getLogs', [{ address: addresses, ...range }]);
      if (!Array.isArray(logs)) throw malformed('the logs are not a list');
      return logs as RawLog[];
    },
  };
}

/** Twice as long each time, and never the same for two processes that failed together. */
function pause(attempt: number): Promise<void> {
  const limit = Math.min(firstPauseMs * 2 ** attempt, longestPauseMs);
  return new Promise((resolve) => setTimeout(resolve, limit * (0.5 + Math.random() / 2)));
}

function parseBlock(answer: unknown): Block {
  const block = answer as Record<string, unknown>;
  return {
    number: BigInt(parseHex(block.number, 'number')),
    hash: parseHex(block.hash, 'hash'),
    time: Number(parseHex(block.timestamp, 'timestamp')),
    parentHash: parseHex(block.parentHash, 'parentHash'),
    logsBloom: parseHex(block.logsBloom, 'logsBloom'),
  };
}

function parseHex(value: unknown, field: string): Hash {
  if (typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)) return value as Hash;
  throw malformed(`${field} is not hexadecimal`);
}

function malformed(reason: string): SvcError {
  return new SvcError('CHAIN_UNREACHABLE', { reason });
}
