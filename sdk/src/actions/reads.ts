// What preparing an action reads from the chain: through our own RPC client, through any viem client, or from a test.
import { multicall3Abi, taskRegistryAbi } from '@svc/contracts/abi';
import {
  type Client,
  decodeFunctionResult,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
} from 'viem';
import { type MarketContracts, marketCall } from '../chain/contracts.ts';
import type { Call } from '../chain/encodeCall.ts';
import { readWallet, type WalletState } from '../chain/readAgents.ts';
import {
  type MarketFigures,
  type PlanQuote,
  readFigures,
  readQuote,
  readTermsEnd,
  type SignedTerms,
} from '../chain/readMarket.ts';
import { readTaskNow } from '../chain/readTasks.ts';
import { parseRevertData } from '../chain/revert.ts';
import type { Asker } from '../chain/rpc.ts';
import { explainRpcError } from '../chain/rpcEndpoint.ts';
import type { RpcRequest } from '../chain/rpcRequests.ts';
import { baseFee, latestBlock, receiptOf } from '../chain/rpcRequests.ts';
import { readAcceptedSignature } from '../chain/signatures.ts';
import {
  type SimulatedTransfer,
  type Simulation,
  simulateCalls,
  simulateTransfers,
} from '../chain/simulate.ts';
import { type Address, isSameAddress } from '../domain/address.ts';
import { SvcError } from '../domain/errors.ts';
import type { Market } from '../domain/market.ts';
import type { Quota as PostingQuota } from '../domain/posting.ts';
import type { Task } from '../domain/task.ts';
import { formatTaskId, type TaskId, type TaskKey } from '../domain/taskId.ts';
import { toShown } from '../domain/text.ts';

export type Quota = Pick<PostingQuota, 'tier' | 'used' | 'limit' | 'canPost'>;

/** A chain with both markets on it. */
export type MarketAccess = {
  readonly chainId: number;
  readonly contracts: Readonly<Record<Market, MarketContracts>>;
  readonly reads: ActionReads;
  /** The day's posting quota; null where no site can be asked. */
  readonly readQuota: (market: Market, wallet: Address) => Promise<Quota | null>;
};

/** The question to a site; its client answers it. */
export type AskQuota = (
  wallet: Address,
  query: { readonly market: Market; readonly signal: AbortSignal },
) => Promise<Quota>;

const quotaTimeoutMs = 3_000;

/** The quota is advice: a slow or missing site does not hold the action up. */
export function createQuotaReader(ask: AskQuota): MarketAccess['readQuota'] {
  return (market, wallet) =>
    ask(wallet, { market, signal: AbortSignal.timeout(quotaTimeoutMs) }).catch(() => null);
}

/** Reads of both markets of a chain, for `prepareAction`. */
export function createActionReads(rpc: Asker, contracts: Readonly<Record<Market, MarketContracts>>) {
  return {
    /** Unix seconds of the newest block. */
    readNow: async (): Promise<number> => (await rpc.ask(latestBlock())).time,
    /** Null where nobody has posted it. */
    readTask: (market: Market, number: bigint): Promise<Task | null> =>
      readTaskNow(rpc, { marketLens: contracts[market].marketLens, markets: contracts }, market, number),
    readWallet: (market: Market, wallet: Address): Promise<WalletState> =>
      readWallet(rpc, contracts[market], wallet),
    readFigures: (market: Market): Promise<MarketFigures> => readFigures(rpc, contracts[market]),
    /** The digest that `worker` accepts by claiming the open task now. */
    readOpenDigest: (market: Market, number: bigint, worker: Address): Promise<Hex> =>
      rpc.ask(marketCall(contracts[market], 'taskRegistry', 'openDigest', [number, worker])),
    /** Whether a wallet has taken its word on these terms back. */
    readRevoked: (market: Market, signer: Address, digest: Hex): Promise<boolean> =>
      rpc.ask(marketCall(contracts[market], 'taskRegistry', 'isRevoked', [signer, digest])),
    readTermsEnd: (market: Market, terms: SignedTerms): Promise<'used' | 'void' | null> =>
      readTermsEnd(rpc, contracts[market], terms),
    readQuote: (market: Market, tier: string): Promise<PlanQuote> => readQuote(rpc, contracts[market], tier),
    /** USD for one TOK, with 8 decimals; null where no price is in force. */
    readTokPrice: async (market: Market): Promise<bigint | null> => {
      const [isValid, priceE8] = await rpc.ask(marketCall(contracts[market], 'usdOracle', 'tryPrice', []));
      return isValid ? priceE8 : null;
    },
    /** The fee of the pool that sells TOK, in millionths. */
    readPoolFee: (tokPool: Address): Promise<number> =>
      rpc.ask(marketCall({ tokPool }, 'tokPool', 'fee', [])),
    /** The signature as the contracts take it; null where they refuse it. Throws WALLET_NOT_DEPLOYED. */
    readSignature: (wallet: Address, digest: Hex, signature: Hex): Promise<Hex | null> =>
      readAcceptedSignature(rpc, wallet, digest, signature),
    /** `watched` are tokens whose change the answer has. */
    simulate: (
      from: Address,
      calls: readonly Call[],
      watched: readonly Address[] = [],
    ): Promise<Simulation> => simulateCalls(rpc, from, calls, watched),
    /** Tokens of any contract that the calls move; null where the node cannot say. */
    simulateTransfers: (from: Address, calls: readonly Call[]): Promise<SimulatedTransfer[] | null> =>
      simulateTransfers(rpc, from, calls),
    /** Wei for each unit of gas; null where the chain has none. */
    readBaseFee: (): Promise<bigint | null> => rpc.ask(baseFee()),
  };
}

export type ActionReads = Readonly<ReturnType<typeof createActionReads>>;

/** Throws TASK_NOT_FOUND. */
export async function requireTask({ readTask }: Pick<ActionReads, 'readTask'>, key: TaskKey): Promise<Task> {
  const task = await readTask(key.market, key.number);
  if (task === null) throw new SvcError('TASK_NOT_FOUND', { taskId: formatTaskId(key) });
  return task;
}

const [posted] = encodeEventTopics({ abi: taskRegistryAbi, eventName: 'TaskPosted' });

/** The task that these transactions posted; null where they posted none. */
export async function readPostedTask(
  rpc: Asker,
  market: Market,
  registry: Address,
  hashes: readonly string[],
): Promise<TaskId | null> {
  const receipts = await rpc.askAll(hashes.map((hash) => receiptOf(hash as Hex)));
  const logs = receipts.flatMap((receipt) => receipt?.logs ?? []);
  const log = logs.find(({ address, topics }) => isSameAddress(address, registry) && topics[0] === posted);
  const number = log?.topics[1];
  return number === undefined ? null : formatTaskId({ market, number: hexToBigInt(number) });
}

const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

type PlainCall = { readonly to: Hex; readonly data: Hex };

/** Asks through any viem client, such as a wallet's in a browser. Calls of the newest block become one request. */
export function createClientAsker(client: Client): Asker {
  const request = async (question: RpcRequest<unknown>): Promise<unknown> => {
    const { method, params } = question;
    try {
      return await client.request({ method, params } as never);
    } catch (error) {
      throw toSvcError(method, error);
    }
  };
  const askOne = async <T>(question: RpcRequest<T>): Promise<T> => question.parse(await request(question));
  const askTogether = async (calls: readonly PlainCall[]): Promise<readonly Hex[]> => {
    const args = [
      calls.map(({ to, data }) => ({ target: to, allowFailure: false, callData: data })),
    ] as const;
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args });
    const answer = await request({
      method: 'eth_call',
      params: [{ to: multicall3, data }, 'latest'],
      parse: () => null,
    });
    const results = decodeFunctionResult({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      data: answer as Hex,
    });
    return results.map(({ returnData }) => returnData);
  };
  const askAll = async (questions: readonly RpcRequest<unknown>[]): Promise<unknown[]> => {
    const plain = questions.filter(isPlainCall);
    if (plain.length < 2) return Promise.all(questions.map(askOne));
    const results = await askTogether(plain.map(({ params }) => params[0] as PlainCall));
    return Promise.all(
      questions.map((question) => {
        const at = plain.indexOf(question);
        return at === -1 ? askOne(question) : question.parse(results[at]);
      }),
    );
  };
  return { ask: askOne, askAll: askAll as Asker['askAll'] };
}

function isPlainCall({ method, params }: RpcRequest<unknown>): boolean {
  return method === 'eth_call' && params.length === 2 && params[1] === 'latest';
}

/** Nodes and wallets put the code and the data of a refusal in different places of the error. */
function toSvcError(method: string, error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, data: given, message } = at as Error & { readonly code?: unknown; readonly data?: unknown };
    const data = parseRevertData(given);
    if (data !== undefined) return new SvcError('CHAIN_REFUSED', { reason: toShown(message), data }, error);
    if (typeof code !== 'number') continue;
    const explained = explainRpcError('the node', method, { code, message });
    if (explained instanceof SvcError) return explained;
  }
  return error;
}
