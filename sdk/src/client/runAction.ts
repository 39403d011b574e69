// Runs one action of the catalog from a program: prepares it, tries it, sends it with a viem wallet client, waits for it.
import { type Account, type Client, type Hex, http, type Transport, type WalletClient } from 'viem';
import { estimateGas, getChainId, sendTransaction, signTypedData } from 'viem/actions';
import type { z } from 'zod';
import type { Action, WriteAction } from '../actions/action.ts';
import { type Catalog, catalog } from '../actions/catalog.ts';
import type { Cost } from '../actions/costs.ts';
import type { Movement } from '../actions/movements.ts';
import { type CallsPlan, planAction } from '../actions/planAction.ts';
import {
  buildContext,
  describePlan,
  type PreparedCalls,
  type PreparedDocument,
  type PreparedSignature,
  parseArguments,
  prepareAction,
  type SimulationReport,
} from '../actions/prepareAction.ts';
import {
  type AskQuota,
  createActionReads,
  createClientAsker,
  createQuotaReader,
  type MarketAccess,
  readPostedTask,
} from '../actions/reads.ts';
import { createChainClient } from '../chain/chainClient.ts';
import { parseContracts } from '../chain/contracts.ts';
import type { Asker } from '../chain/rpc.ts';
import { type Receipt, receiptOf } from '../chain/rpcRequests.ts';
import { addGasMargin } from '../chain/send.ts';
import { type Address, isSameAddress, parseAddress } from '../domain/address.ts';
import { pollUntil, retry } from '../domain/backoff.ts';
import { SvcError } from '../domain/errors.ts';
import type { Market } from '../domain/market.ts';
import type { siteConfigSchema } from '../schemas/site.ts';

/** How the client reaches the chain: through a viem client, an RPC, or the RPC that the site names. */
export type ChainOptions = { readonly rpcUrl?: string; readonly publicClient?: Client };

/** Any viem wallet client with an account. */
export type ActionWallet = Pick<WalletClient<Transport>, 'request'> & {
  readonly account?: Account | undefined;
};

/** What the schema of an action takes. */
export type InputOf<Name extends keyof Catalog> = z.input<Catalog[Name]['input']>;

/** What an action would send, with its costs and what it moves. */
export type Preparation = (PreparedCalls | PreparedSignature) & {
  readonly costs: readonly Cost[];
  /** Of all calls, in their order. */
  readonly movements: readonly Movement[];
};

/** What `send` returns. */
export type Sent = {
  /** Exactly what was sent or signed. */
  readonly prepared: Preparation;
  readonly transactionHashes: readonly Hex[];
  readonly signature: Hex | null;
};

/** What `wait` returns. */
export type Outcome = Sent & {
  /** The block of the last transaction; null for a signature. */
  readonly block: bigint | null;
  /** The task that the action has posted or created. */
  readonly taskId: string | null;
};

/** One run of an action that changes something. */
export type WriteRun = {
  /** Unsigned calls or typed data, with warnings, costs and a trial. Sends nothing. */
  readonly prepare: () => Promise<Preparation>;
  /** How the calls would end now. */
  readonly simulate: () => Promise<SimulationReport>;
  /** Sends the calls one after the other, each after the one before is mined. Throws TRANSACTION_REVERTED where a call would revert. */
  readonly send: (wallet: ActionWallet) => Promise<Sent>;
  /** After `send`: until the calls are mined and the market's API shows their block. */
  readonly wait: (options?: WaitOptions) => Promise<Outcome>;
};

/** How long to wait; two minutes unless given. */
export type WaitOptions = { readonly timeoutMs?: number; readonly signal?: AbortSignal };
/** One run of an action that reads or builds a document. */
export type DocumentRun = { readonly prepare: () => Promise<PreparedDocument> };

/** What running actions asks of the market's API. */
export type Site = {
  readonly siteConfig: (query: { readonly market: Market }) => Promise<z.output<typeof siteConfigSchema>>;
  readonly postingQuota: AskQuota;
  readonly health: () => Promise<{ readonly block: number }>;
  readonly expectBlock: (block: bigint) => void;
};

const pollMs = 250;
const minedTimeoutMs = 120_000;

export type Connected = MarketAccess & { readonly asker: Asker };

export async function connectActions(site: Site, { rpcUrl, publicClient }: ChainOptions): Promise<Connected> {
  const [standard, micro] = await Promise.all([
    site.siteConfig({ market: 'standard' }),
    site.siteConfig({ market: 'micro' }),
  ]);
  const contracts = {
    standard: parseContracts(standard.contracts),
    micro: parseContracts(micro.contracts),
  };
  const client = publicClient ?? createChainClient({ transport: http(rpcUrl ?? standard.rpcUrl) });
  const found = await getChainId(client);
  if (found !== standard.chainId)
    throw new SvcError('CHAIN_WRONG', { found: String(found), expected: String(standard.chainId) });
  const asker = createClientAsker(client);
  return {
    asker,
    chainId: standard.chainId,
    contracts,
    reads: createActionReads(asker, contracts),
    readQuota: createQuotaReader(site.postingQuota),
  };
}

/** `name` as the catalog's keys are written. Throws ACTION_UNKNOWN. */
export function runAction(
  name: string,
  args: Readonly<Record<string, unknown>>,
  connect: () => Promise<Connected>,
  site: Site,
): WriteRun | DocumentRun {
  const action: Action | undefined = Object.hasOwn(catalog, name)
    ? catalog[name as keyof Catalog]
    : undefined;
  if (action === undefined)
    throw new SvcError('ACTION_UNKNOWN', { action: name, known: Object.keys(catalog).join(', ') });
  if (action.kind === 'write') return createWriteRun(action, args, connect, site);
  return { prepare: async () => (await prepareAction(action.name, args, connect)) as PreparedDocument };
}

function createWriteRun(
  action: WriteAction,
  given: Readonly<Record<string, unknown>>,
  connect: () => Promise<Connected>,
  site: Site,
): WriteRun {
  let sent: Sent | null = null;

  const prepareFor = async (from: unknown): Promise<Preparation> => {
    const args = parseArguments(action, { ...given, ...(from !== undefined && { from }) });
    const context = { ...buildContext(args, await connect()), from: args.from as Address };
    const plan = await planAction(action, args, context);
    const { costs = [], explained = [] } = plan as Partial<CallsPlan>;
    const movements = explained.flatMap((one) => one.movements);
    return { ...(await describePlan(action, plan, context)), costs, movements };
  };
  const prepare = () => prepareFor(given.from);

  return {
    prepare,
    simulate: async () => {
      const prepared = await prepare();
      return prepared.kind === 'calls'
        ? prepared.simulation
        : { status: 'success', gas: null, gasCostWei: null };
    },
    send: async (wallet) => {
      const account = requireAccount(wallet, given.from);
      const prepared = await prepareFor(account.address);
      const { asker, chainId } = await connect();
      if (prepared.kind === 'signature') {
        const signature = await signTypedData(wallet as Client, { ...prepared.typedData, account } as never);
        sent = { prepared, transactionHashes: [], signature };
        return sent;
      }
      const { simulation } = prepared;
      if (simulation.status === 'reverted')
        throw new SvcError('TRANSACTION_REVERTED', { sentence: simulation.reason, fix: simulation.fix });
      const found = await getChainId(wallet as Client);
      if (found !== chainId)
        throw new SvcError('CHAIN_WRONG', { found: String(found), expected: String(chainId) });
      const hashes: Hex[] = [];
      for (const { to, data } of prepared.calls) {
        const last = hashes.at(-1);
        if (last !== undefined) await waitForReceipt(asker, last, {});
        // Adds a margin to the estimate: what falls due by the time of the block costs more.
        const gas = addGasMargin(await estimateGas(wallet as Client, { account, to, data }));
        hashes.push(await sendTransaction(wallet as Client, { account, to, data, gas, chain: null }));
        sent = { prepared, transactionHashes: hashes, signature: null };
      }
      return { prepared, transactionHashes: hashes, signature: null };
    },
    wait: async (options = {}) => {
      if (sent === null) throw new RangeError(`${action.name} has not been sent`);
      const { prepared, transactionHashes } = sent;
      const last = transactionHashes.at(-1);
      if (last === undefined) return { ...sent, block: null, taskId: null };
      const { asker, contracts } = await connect();
      const { blockNumber } = await waitForReceipt(asker, last, options);
      const isShown = async () => (await site.health()).block >= Number(blockNumber) || undefined;
      await pollUntil(() => isShown().catch(() => undefined), {
        everyMs: pollMs,
        timeoutMs: minedTimeoutMs,
        ...options,
      });
      site.expectBlock(blockNumber);
      const market = prepared.market as Market;
      const { taskRegistry } = contracts[market];
      const readPosted = () => readPostedTask(asker, market, taskRegistry, transactionHashes);
      const taskId = await retry(readPosted, { attempts: 5, firstMs: pollMs, longestMs: 2_000 });
      return { prepared, transactionHashes, signature: null, block: blockNumber, taskId };
    },
  };
}

/** Throws WALLET_OTHER where the action is meant for another wallet. */
function requireAccount({ account }: ActionWallet, from: unknown): Account {
  if (account === undefined) throw new RangeError('the wallet client needs an account');
  if (typeof from === 'string' && !isSameAddress(parseAddress(from), account.address))
    throw new SvcError('WALLET_OTHER', { have: account.address, want: from });
  return account;
}

/**
 * What is sent stays sent: a node that does not answer for a while is asked again. Throws TRANSACTION_NOT_MINED,
 * TRANSACTION_REVERTED, and why the chain could not be asked until the end.
 */
async function waitForReceipt(asker: Asker, hash: Hex, options: WaitOptions): Promise<Receipt> {
  const { timeoutMs = minedTimeoutMs } = options;
  let failure: unknown;
  const look = async () => {
    try {
      const receipt = await asker.ask(receiptOf(hash));
      failure = undefined;
      return receipt ?? undefined;
    } catch (error) {
      failure = error;
      return undefined;
    }
  };
  const receipt = await pollUntil(look, { everyMs: pollMs, ...options, timeoutMs });
  if (failure !== undefined) throw failure;
  if (receipt === undefined)
    throw new SvcError('TRANSACTION_NOT_MINED', { hash, seconds: String(timeoutMs / 1_000) });
  if (!receipt.isSuccess)
    throw new SvcError('TRANSACTION_REVERTED', { sentence: `The transaction ${hash} was reverted.` });
  return receipt;
}
