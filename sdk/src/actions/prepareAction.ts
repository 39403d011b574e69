// Prepares one action: arguments in, unsigned calls or a document out. Sends nothing and signs nothing.
import { formatUnits } from 'viem';
import type * as z from 'zod';
import type { EncodedCalls } from '../chain/encodeCall.ts';
import type { Simulation } from '../chain/simulate.ts';
import type { Address } from '../domain/address.ts';
import { formatTok, formatUsdc } from '../domain/amount.ts';
import { networkOf } from '../domain/chains.ts';
import { SvcError } from '../domain/errors.ts';
import { toJsonValue } from '../domain/json.ts';
import { isMarket, type Market } from '../domain/market.ts';
import type { TaskKey } from '../domain/taskId.ts';
import { listMistakes, takeOldNames } from '../rules/mistakes.ts';
import { refuse } from '../rules/values.ts';
import type { Action, SignatureDraft, WriteAction, WriteContext } from './action.ts';
import type { Purchase } from './buyTok.ts';
import { requireAction } from './catalog.ts';
import { paysWithCredits } from './costs.ts';
import { explainPurchase, explainRevert, explainShortage, type Fix } from './explain.ts';
import { listMoneyLines } from './explainCalls.ts';
import { explainSignature } from './explainSignature.ts';
import { type Deal, type NetResult, netOf } from './netResult.ts';
import { type CallsPlan, planAction } from './planAction.ts';
import type { MarketAccess } from './reads.ts';

export type SimulationReport =
  | {
      readonly status: 'success';
      /** Estimate for all steps, each sent as a separate transaction; null if the node cannot estimate it. */
      readonly gas: string | null;
      /** At the current base fee. */
      readonly gasCostWei: string | null;
    }
  | {
      readonly status: 'reverted';
      /** Which of the steps, from 0. */
      readonly step: number;
      readonly error: string;
      readonly reason: string;
      readonly fix: Fix | null;
    }
  | { readonly status: 'partial'; readonly reason: string };

type Prepared = {
  readonly action: string;
  readonly warnings: readonly string[];
} & Readonly<Record<string, unknown>>;

export type PreparedCalls = Prepared & {
  readonly kind: 'calls';
  readonly chainId: number;
  readonly from: Address;
  readonly calls: EncodedCalls['calls'];
  readonly steps: EncodedCalls['steps'];
  /** What the calls move and allow, one line each, read back from their bytes. */
  readonly money: readonly string[];
  /** What the task brings or costs in the end, in one line; absent where the calls enter none. */
  readonly net?: string;
  /** TOK that the calls buy with USDC of the wallet. */
  readonly purchase?: ReturnType<typeof reportPurchase>;
  readonly simulation: SimulationReport;
};

export type PreparedSignature = Prepared & {
  readonly kind: 'signature';
  readonly chainId: number;
  readonly from: Address;
  readonly summary: string;
  /** What others can do with it to the signer's money, one line each, read back from the typed data. */
  readonly money: readonly string[];
  readonly net?: string;
  readonly typedData: Record<string, unknown>;
};

export type PreparedDocument = Prepared & { readonly kind: 'document' };

export type PreparedAction = PreparedCalls | PreparedSignature | PreparedDocument;

/**
 * Connects only once the arguments are good. Throws ACTION_UNKNOWN, ARGUMENTS_INVALID and what the chain throws. A call
 * that would revert is no error here: `simulation` says so, and no wallet should be asked to send it.
 */
export async function prepareAction(
  name: string,
  args: unknown,
  connect: () => Promise<MarketAccess>,
): Promise<PreparedAction> {
  const action = requireAction(name);
  const parsed = parseArguments(action, args);
  if (action.kind === 'pure')
    return { action: name, ...toJson(action.build(parsed as never)), warnings: [], kind: 'document' };
  const context = buildContext(parsed, await connect());
  const { market, chainId } = context;
  const head = { action: name, market, chainId };
  if (action.kind === 'document') {
    const document = await action.build(parsed as never, context);
    return { ...head, ...toJson(document), warnings: [], kind: 'document' };
  }
  const own = { ...context, from: parsed.from as Address };
  return describePlan(action, await planAction(action, parsed, own), own);
}

/** Tries the calls of a plan, and says how they would end. */
export async function describePlan(
  { name: action }: WriteAction,
  plan: CallsPlan | SignatureDraft,
  context: WriteContext,
): Promise<PreparedCalls | PreparedSignature> {
  const { from, market, chainId, reads } = context;
  const head = { action, market, chainId, from };
  if ('typedData' in plan) {
    const { typedData, summary, warnings = [], result = {} } = plan;
    const access = { chainId, reads, contracts: { [market]: context.contracts } };
    const explained = await explainSignature(typedData, from, access);
    const net = explained.deal && (await readNet(explained.deal, context));
    return {
      ...head,
      summary,
      money: listMoneyLines([explained], from),
      ...(net && { net: net.line }),
      typedData,
      ...toJson(result),
      warnings: [...warnings, ...(net?.warning ? [net.warning] : [])],
      kind: 'signature',
    };
  }
  const { calls, steps, warnings, result, explained, net } = plan;
  const watched = plan.purchase === null ? [] : [context.contracts.usdc];
  const simulated = await reads.simulate(from, calls, watched);
  const simulation = await reportSimulation(simulated, context, plan);
  const needs = listNeeds(plan, context, simulation);
  return {
    ...head,
    calls,
    steps,
    money: listMoneyLines(explained, from),
    ...(net && { net: net.line }),
    sendCalls: { chain: networkOf(chainId), calls },
    eip5792: {
      version: '2.0.0',
      chainId: `0x${chainId.toString(16)}`,
      from,
      atomicRequired: false,
      calls,
    },
    ...toJson(result),
    warnings,
    ...(plan.purchase !== null && { purchase: reportPurchase(plan.purchase, plan.spending, simulated) }),
    ...(needs.length > 0 && { needs }),
    simulation,
    kind: 'calls',
  };
}

/** Of a wallet as it is now. */
export async function readNet(
  deal: Deal,
  { market, from, reads }: Pick<WriteContext, 'market' | 'from'> & { readonly reads: NetReads },
): Promise<NetResult> {
  const [figures, wallet, priceE8] = await Promise.all([
    reads.readFigures(market),
    reads.readWallet(market, from),
    reads.readTokPrice(market),
  ]);
  return netOf(deal, { figures, hasFreeFee: paysWithCredits(wallet, figures), priceE8 });
}

type NetReads = Pick<MarketAccess['reads'], 'readFigures' | 'readWallet' | 'readTokPrice'>;

function toJson(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return toJsonValue(value) as Record<string, unknown>;
}

/** Throws ARGUMENTS_INVALID, with one line for each mistake. */
export function parseArguments({ name, input }: Action, args: unknown): Record<string, unknown> {
  const named = takeOldNames(input, args);
  const { data } = input.safeParse(named);
  return data ?? refuse(name, ...listMistakes(input, named));
}

/**
 * What is wrong with the fields that the schema accepts, where it refuses others: a caller who can wait for the chain says all in
 * one answer. Nothing where the chain does not answer.
 */
export async function findMore(
  { check, input }: Action,
  args: unknown,
  connect: () => Promise<MarketAccess>,
): Promise<readonly string[]> {
  if (check === undefined || typeof args !== 'object' || args === null) return [];
  const fields = Object.entries(input.shape).map(([name, field]) => {
    const given = (args as Record<string, unknown>)[name];
    return [name, (field as z.ZodType).safeParse(given)] as const;
  });
  const wrong = new Set(fields.flatMap(([name, { success }]) => (success ? [] : [name])));
  if (wrong.has('market')) return [];
  const parsed = Object.fromEntries(fields.map(([name, { data }]) => [name, data]));
  try {
    return await check(parsed as never, buildContext(parsed, await connect()), wrong);
  } catch (error) {
    if (error instanceof SvcError) return [];
    throw error;
  }
}

/** On the market that the arguments name. */
export function buildContext(parsed: Record<string, unknown>, access: MarketAccess) {
  const market = marketOf(parsed);
  return { ...access, market, contracts: access.contracts[market] };
}

/** A task id and terms name their own market. */
function marketOf(parsed: Record<string, unknown>): Market {
  const { market, taskId, terms } = parsed as {
    readonly market?: Market;
    readonly taskId?: TaskKey;
    readonly terms?: Record<string, unknown>;
  };
  if (taskId !== undefined) {
    if (market !== undefined && market !== taskId.market)
      throw new SvcError('MARKET_MISMATCH', { market: taskId.market });
    return taskId.market;
  }
  const inner = (terms?.terms ?? terms) as Record<string, unknown> | undefined;
  return isMarket(inner?.market) ? inner.market : (market ?? 'standard');
}

/** What the pool asks for at this moment is null where the node cannot say it, or the pool asks for more than the bound. */
function reportPurchase(
  { tokWei, maxUsdc }: Purchase,
  { usdcToVault, usdcToGateway }: CallsPlan['spending'],
  simulated: Simulation,
) {
  const [change] = simulated.status === 'success' ? (simulated.changes ?? []) : [];
  const usdc = change === undefined ? null : -change - usdcToVault - usdcToGateway;
  return {
    amountTok: formatTok(tokWei),
    usdc: usdc === null ? null : formatUsdc(usdc),
    maxUsdc: formatUsdc(maxUsdc),
  };
}

/** Tokens that the wallet lacks, or that the calls bring: exact amounts, and where they come from. */
function listNeeds(
  { gaps, purchase, addedCollateralUsdc, spending, wallet }: CallsPlan,
  { from }: WriteContext,
  simulation: SimulationReport,
) {
  const gasWei = simulation.status === 'success' ? BigInt(simulation.gasCostWei ?? 0) : 0n;
  const lacksGas = wallet.etherWei < gasWei || wallet.etherWei === 0n;
  if (gaps.length === 0 && purchase === null && addedCollateralUsdc === 0n && !lacksGas) return [];
  const { usdcToVault, usdcToGateway, usdcToPool } = spending;
  const usdc = usdcToVault + usdcToGateway + usdcToPool;
  const parts = [
    ...(usdcToVault > 0n ? [`${formatUsdc(usdcToVault)} into your collateral, which stays yours`] : []),
    ...(usdcToPool > 0n ? [`at most ${formatUsdc(usdcToPool)} for TOK`] : []),
    ...(usdcToGateway > 0n ? [`${formatUsdc(usdcToGateway)} to the payment gateway`] : []),
  ].join(', ');
  const send = (token: string) => `send ${token} to ${from}`;
  return [
    {
      token: 'TOK',
      needed: formatTok(spending.tokWei),
      has: formatTok(wallet.tokWei),
      how:
        purchase !== null
          ? 'the calls buy what is missing'
          : wallet.tokWei < spending.tokWei
            ? send('TOK')
            : 'in the wallet',
    },
    {
      token: 'USDC',
      needed: formatUsdc(usdc),
      has: formatUsdc(wallet.usdc),
      how: [parts, ...(wallet.usdc < usdc ? [send('USDC')] : [])].join('; '),
    },
    {
      token: 'ETH',
      needed: gasWei === 0n ? 'some, for gas' : formatUnits(gasWei, 18),
      has: formatUnits(wallet.etherWei, 18),
      how: lacksGas ? `${send('ETH')}, or use a wallet whose gas somebody else pays` : 'in the wallet',
    },
  ];
}

async function reportSimulation(
  simulation: Simulation,
  { market, from, reads }: WriteContext,
  { task, engages, explained, wallet }: CallsPlan,
): Promise<SimulationReport> {
  if (simulation.status === 'success') {
    const { gas } = simulation;
    const fee = gas === null ? null : await reads.readBaseFee();
    const cost = gas === null || fee === null ? null : String(gas * fee);
    return { status: 'success', gas: gas === null ? null : String(gas), gasCostWei: cost };
  }
  if (simulation.status === 'partial') {
    const reason = `This node cannot try the steps together; step ${simulation.at + 1} can be tried once those before it are mined.`;
    return { status: 'partial', reason };
  }
  const readDeposit = async (address: Address) => {
    const { deposit } = await reads.readWallet(market, address);
    return { address, deposit };
  };
  const [now, engaged] = await Promise.all([reads.readNow(), Promise.all(engages.map(readDeposit))]);
  const { at: step, revert } = simulation;
  const failed = explained[step];
  const known =
    failed?.contract === 'SwapRouter'
      ? explainPurchase(revert, failed.facts?.amount ?? 0n, { address: from, usdc: wallet.usdc })
      : explainShortage(revert, failed?.movements ?? [], from);
  const fix = known?.fix ?? explainRevert(revert, { market, from, engaged, task, now });
  return { status: 'reverted', step, error: revert.name, reason: known?.reason ?? revert.sentence, fix };
}
