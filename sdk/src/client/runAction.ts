// Runs one action of the catalog from a program: prepares it, tries it, and has a wallet send it by the one runner.
import { type Account, type Client, custom, type Hex, http, type Transport, type WalletClient } from 'viem';
import { getChainId } from 'viem/actions';
import type { z } from 'zod';
import type { Action, WriteAction } from '../actions/action.ts';
import { type Catalog, catalog } from '../actions/catalog.ts';
import { type PreparedDocument, prepareAction, type SimulationReport } from '../actions/prepareAction.ts';
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
import { isSameAddress, parseAddress } from '../domain/address.ts';
import { pollUntil, retry, settledOrAborted, within } from '../domain/backoff.ts';
import { SvcError } from '../domain/errors.ts';
import { type Market, markets } from '../domain/market.ts';
import type { siteConfigSchema } from '../schemas/site.ts';
import { createMemoryJournal, type Journal } from '../send/journal.ts';
import { createKeyWallet } from '../send/keyWallet.ts';
import { type Preparation, planIntent } from '../send/plan.ts';
import { createProviderWallet } from '../send/providerWallet.ts';
import { startRun } from '../send/run.ts';
import type { Run, RunOutcome } from '../send/runState.ts';
import type { Wallet } from '../send/wallet.ts';

export type { Preparation } from '../send/plan.ts';

/** How the client reaches the chain: through a viem client, an RPC, or the RPC that the site names. */
export type ChainOptions = { readonly rpcUrl?: string; readonly publicClient?: Client };

/** Any viem wallet client with an account, or a wallet of the runner. */
export type ActionWallet =
  | Wallet
  | (Pick<WalletClient<Transport>, 'request'> & { readonly account?: Account | undefined });

/** What the schema of an action takes. */
export type InputOf<Name extends keyof Catalog> = z.input<Catalog[Name]['input']>;

/** What `send` returns. */
export type Sent = {
  /** Exactly what was sent or signed. */
  readonly prepared: Preparation;
  readonly transactionHashes: readonly Hex[];
  readonly signature: Hex | null;
};

/** What `wait` returns. */
export type Outcome = Omit<RunOutcome<Preparation>, 'prepared'> & Pick<Sent, 'prepared'>;

/** How a run of an action is started. */
export type StartOptions = {
  /** Where it is kept, so that a restarted process sends nothing twice; in memory unless given. */
  readonly journal?: Journal;
  /** `by-caller`: nothing is signed until `confirm` was called with the hash of the plan that is shown. */
  readonly confirm?: 'by-caller' | 'first-plan';
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
  /** The same step by step: shows each state, and may ask before it signs. */
  readonly start: (wallet: ActionWallet, options?: StartOptions) => Promise<Run<Preparation>>;
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
  let started: Run<Preparation> | null = null;

  const planFor = async (from: unknown) =>
    planIntent(action, { ...given, ...(from !== undefined && { from }) }, await connect());
  const prepare = async () => (await planFor(given.from)).prepared;

  const start = async (client: ActionWallet, options: StartOptions = {}): Promise<Run<Preparation>> => {
    const { asker, chainId, contracts } = await connect();
    const { journal = memory, confirm = 'first-plan' } = options;
    const wallet = await openWallet(client, asker, chainId, journal);
    if (typeof given.from === 'string' && !isSameAddress(parseAddress(given.from), wallet.address))
      throw new SvcError('WALLET_OTHER', { have: wallet.address, want: given.from });
    const run: Run<Preparation> = startRun<Preparation>({
      intent: { action: action.name, args: given },
      wallet,
      journal,
      chain: asker,
      chainId,
      confirm,
      prepare: () => planFor(wallet.address),
      waitShown: (block) => waitShown(site, block),
      findTask: (hashes, prepared) => {
        const own = prepared === null ? markets : [prepared.market as Market];
        const look = async () => {
          const found = await Promise.all(
            own.map((market) => readPostedTask(asker, market, contracts[market].taskRegistry, hashes)),
          );
          return found.find((taskId) => taskId !== null) ?? null;
        };
        return retry(look, { attempts: 5, firstMs: pollMs, longestMs: 2_000 });
      },
    });
    started = run;
    return run;
  };

  return {
    prepare,
    simulate: async () => {
      const prepared = await prepare();
      return prepared.kind === 'calls'
        ? prepared.simulation
        : { status: 'success', gas: null, gasCostWei: null };
    },
    start,
    send: async (wallet) => {
      const run = await start(wallet);
      try {
        return await whenSent(run);
      } catch (error) {
        const state = run.state();
        if (state.is === 'failed' && state.again === 'safe') started = null;
        throw error;
      }
    },
    wait: async (options = {}) => {
      if (started === null) throw new SvcError('USAGE', { reason: `${action.name} has not been sent` });
      return whenDone(started, options);
    },
  };
}

/** Resolves once the last call is sent, or the typed data signed. */
async function whenSent(run: Run<Preparation>): Promise<Sent> {
  let end = () => {};
  const sent = new Promise<Sent>((resolve) => {
    end = run.subscribe(() => {
      const state = run.state();
      if (state.is !== 'mining' || state.plan === null || state.step + 1 < state.of) return;
      resolve({ prepared: state.plan.prepared, transactionHashes: state.hashes, signature: null });
    });
  });
  const ended = run.done.then(({ prepared, transactionHashes, signature }) => ({
    prepared: prepared as Preparation,
    transactionHashes,
    signature,
  }));
  return Promise.race([sent, ended]).finally(end);
}

/** What is sent stays sent: after the time-out the run goes on. */
async function whenDone(run: Run<Preparation>, { timeoutMs, signal }: WaitOptions): Promise<Outcome> {
  const late = () => {
    const state = run.state();
    const hash = state.is === 'mining' ? state.hashes.at(-1) : undefined;
    return new SvcError('TRANSACTION_NOT_MINED', {
      hash: hash ?? run.id,
      seconds: String((timeoutMs ?? 0) / 1_000),
    });
  };
  const done = signal === undefined ? run.done : untilAborted(run.done, signal, late);
  return (await (timeoutMs === undefined ? done : within(timeoutMs, done, late))) as Outcome;
}

async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  late: () => Error,
): Promise<Result> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  await settledOrAborted(work, signal);
  if (!isDone) throw late();
  return work;
}

/** Of all clients of this process: two runs of one wallet take turns. */
const memory = createMemoryJournal();

function isWallet(client: ActionWallet): client is Wallet {
  return 'find' in client && 'answers' in client;
}

/** Throws CHAIN_WRONG for a client of another chain. */
async function openWallet(
  client: ActionWallet,
  asker: Asker,
  chainId: number,
  { notes }: Journal,
): Promise<Wallet> {
  if (isWallet(client)) return client;
  const { account } = client;
  if (account === undefined) throw new SvcError('USAGE', { reason: 'the wallet client needs an account' });
  const found = await getChainId(client as Client);
  if (found !== chainId)
    throw new SvcError('CHAIN_WRONG', { found: String(found), expected: String(chainId) });
  const { request } = client as {
    readonly request: (args: { method: string; params?: unknown }) => Promise<unknown>;
  };
  return account.type === 'local'
    ? createKeyWallet(account, custom({ request }, { retryCount: 0 }), notes)
    : createProviderWallet({ request }, account.address, { chain: asker, chainId, notes });
}

async function waitShown(site: Site, block: bigint): Promise<boolean> {
  const isShown = async () => (await site.health()).block >= Number(block) || undefined;
  const shown = await pollUntil(() => isShown().catch(() => undefined), {
    everyMs: pollMs,
    timeoutMs: minedTimeoutMs,
  });
  site.expectBlock(block);
  return shown ?? false;
}
