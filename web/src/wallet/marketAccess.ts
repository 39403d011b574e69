// Reads the chain through the connected wallet, and plans actions of the catalog for it.

import {
  createActionReads,
  createClientAsker,
  explainCalls,
  type MarketAccess,
  type WriteAction,
} from '@svc/sdk/actions';
import type { Call } from '@svc/sdk/chain';
import { signDocument } from '@svc/sdk/client';
import type { Address, Market } from '@svc/sdk/domain';
import { warnOfEscrow } from '@svc/sdk/internal/actions/costs';
import { explainShortage } from '@svc/sdk/internal/actions/explain';
import { type Gap, planAction } from '@svc/sdk/internal/actions/planAction';
import { parseArguments } from '@svc/sdk/internal/actions/prepareAction';
import { remainingAmount } from '@svc/sdk/internal/domain/task';
import { hashKey, skipToken, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Hex } from 'viem';
import { getGasPrice } from 'viem/actions';
import { showTok, showUsdc } from '../data/format.ts';
import { useSiteConfigs } from '../data/market.ts';
import { queryKeys } from '../data/queryKeys.ts';
import { listPlanLines, totalOf } from './costLines.ts';
import { contractsOf } from './decodeCall.ts';
import { explainError } from './explainError.ts';
import { chainId, requireClient, useWallet, type WalletClient } from './useWallet.tsx';

/** Null until the wallet and the addresses of the contracts are known. */
export function useMarketAccess(): MarketAccess | null {
  const client = useWallet()?.client ?? null;
  const sites = useSiteConfigs();
  return useMemo(() => {
    if (client === null || sites === null || sites.length < 2) return null;
    const contracts = contractsOf(sites);
    const reads = createActionReads(createClientAsker(client), contracts);
    // The page shows the quota itself.
    return { chainId, contracts, reads, readQuota: async () => null };
  }, [client, sites]);
}

/** The connected wallet's balances, allowances, collateral and stake. Refetched after every market event. */
export function useWalletState(market: Market) {
  const address = useWallet()?.address;
  const access = useMarketAccess();
  return useQuery({
    queryKey: queryKeys.wallet(market, address),
    queryFn:
      access === null || address === undefined ? skipToken : () => access.reads.readWallet(market, address),
  });
}

/** Fees, collateral and the least bond of a market, as its contracts say. */
export function useFigures(market: Market) {
  const access = useMarketAccess();
  return useQuery({
    queryKey: ['figures', market],
    queryFn: access === null ? skipToken : () => access.reads.readFigures(market),
  });
}

function useHasEntry(market: Market): boolean | undefined {
  const { data: state } = useWalletState(market);
  const { data: figures } = useFigures(market);
  return state && figures && state.deposit.balance >= figures.entryUsdc;
}

/** Whether the gateway lets the connected wallet write first, propose and list; undefined until it is known. */
export function useStanding(): boolean | undefined {
  const [standard, micro] = [useHasEntry('standard'), useHasEntry('micro')];
  return standard === false && micro === false ? false : (standard ?? micro) === undefined ? undefined : true;
}

export type Plan = Awaited<ReturnType<typeof makePlan>> & {
  /** Of which wallet, action and arguments. */
  readonly subject: string;
};

/** Arguments of an action except the wallet; an Error says what is missing in the form. */
export type ActionArguments = Readonly<Record<string, unknown>> | Error;

/** `isWatched`: costs may move while the reader looks at them. */
export function usePlan(
  action: WriteAction,
  market: Market,
  args: ActionArguments | null,
  isWatched: boolean,
) {
  const wallet = useWallet();
  const access = useMarketAccess();
  const client = wallet?.client ?? null;
  const from = wallet?.address;
  const isReady = access !== null && client !== null && args !== null && !(args instanceof Error);
  // Below the wallet's key: a plan depends on its balances.
  const queryKey = [...queryKeys.wallet(market, from), 'plan', action.name, args];
  const planAgain = isReady
    ? async () => ({
        ...(await makePlan(action, market, { ...args, from }, access, client)),
        // A deadline given as a number of days moves with the clock, and costs nothing.
        subject: hashKey([...queryKey.slice(0, -1), { ...args, deadline: undefined }]),
      })
    : null;
  const query = useQuery({
    queryKey,
    retry: false,
    gcTime: 0,
    refetchInterval: isWatched ? watchMs : false,
    placeholderData: (before: Plan | undefined) => before,
    queryFn: planAgain ?? skipToken,
  });
  const error = args instanceof Error ? args : query.error;
  return {
    /** That of the form as it was is not what its reader sees now; calls that were started are still followed. */
    plan: error === null && (args !== null || !isWatched) ? query.data : undefined,
    /** Null while the form is not complete. */
    planAgain,
    /** The plan does not include the last change of the form yet. */
    isPlanning: args !== null && error === null && (query.isPlaceholderData || query.data === undefined),
    error: error === null ? null : explainError(error),
  };
}

async function makePlan(
  action: WriteAction,
  market: Market,
  args: Readonly<Record<string, unknown>>,
  access: MarketAccess,
  client: WalletClient,
) {
  const parsed = parseArguments(action, args);
  const context = { ...access, market, contracts: access.contracts[market], from: parsed.from as Hex };
  const [plan, gasPriceWei] = await Promise.all([
    planAction(action, parsed, context, { coversCollateral: true }),
    getGasPrice(client),
  ]);
  if ('typedData' in plan) throw new Error(`${action.title} has no calls`);
  const { calls, steps, costs, gaps, task, result, net } = plan;
  const total = totalOf(costs, plan);
  const isClaim = action.name === 'claim-task';
  return {
    calls: { calls, steps },
    costs: listPlanLines(plan, context.from),
    /** Why the wallet cannot sign yet, each with what to do; empty if it can. */
    problems: gaps.map(describeGap),
    /** What the wallet lacks in TOK. */
    lacksTokWei: gaps.reduce((most, { token, needed, has }) => (token === 'TOK' ? needed - has : most), 0n),
    gasPriceWei,
    total,
    earning:
      isClaim && task !== null && net !== null
        ? {
            rewardTokWei: remainingAmount(task),
            netTokWei: net.netTokWei,
            warnings: [...(net.warning === null ? [] : [net.warning]), ...warnOfEscrow(task)],
          }
        : null,
    /** Of the terms that a claim accepts. */
    digest: isClaim ? (result.settlementDigest as Hex) : null,
    risk: action.risk(task ?? undefined),
  };
}

/** Signs the typed data of an action; `result` is what the catalog says of it. */
export function useSignAction() {
  const wallet = useWallet();
  const access = useMarketAccess();
  return async (action: WriteAction, market: Market, args: Readonly<Record<string, unknown>>) => {
    const client = requireClient(wallet);
    if (access === null) throw new Error(notReady);
    const from = client.account.address;
    const context = { ...access, market, contracts: access.contracts[market], from };
    const draft = await planAction(action, parseArguments(action, { ...args, from, sign: true }), context);
    if (!('typedData' in draft)) throw new Error(`${action.title} has no typed data`);
    return { client, signature: await signDocument(client, draft.typedData), result: draft.result };
  };
}

export const notReady = 'The wallet is not ready yet. Try again in a moment.';

function describeGap({ token, needed, has }: Gap): string {
  if (token === 'ETH') return 'The wallet has no ETH to pay for gas. Send some to it first.';
  const show = token === 'TOK' ? showTok : showUsdc;
  return `${show(needed)} ${token} are needed and the wallet has ${show(has)}. Get ${token} first.`;
}

export type SimulationResult =
  | {
      readonly status: 'success';
      readonly gas: bigint;
      /** Of the wallet's balances; null where the node cannot say. */
      readonly change: { readonly tokWei: bigint; readonly usdc: bigint } | null;
    }
  | { readonly status: 'reverted'; readonly at: number; readonly sentence: string }
  /** The wallet's node cannot simulate these calls together. */
  | { readonly status: 'unknown' };

/** More than most calls need; for calls without an estimate. */
export const gasPerCall = 300_000n;

/** How often what a reader is about to sign is tried again. */
const watchMs = 10_000;

/** Simulates calls on the current chain, each after the ones before it, without sending anything. */
export function useSimulation(calls: readonly Call[], isEnabled: boolean, isWatched = false) {
  const address = useWallet()?.address;
  const access = useMarketAccess();
  return useQuery({
    queryKey: ['simulation', address, calls],
    refetchInterval: isWatched && isEnabled ? watchMs : false,
    gcTime: 0,
    retry: false,
    queryFn:
      access !== null && address !== undefined && calls.length > 0 && isEnabled
        ? () => simulate(access, address, calls)
        : skipToken,
  });
}

async function simulate(
  access: MarketAccess,
  from: Address,
  calls: readonly Call[],
): Promise<SimulationResult> {
  // The batch would need the ETH in advance; such a call is simulated alone before it is signed.
  if (calls.some(({ value }) => BigInt(value) > 0n)) return { status: 'unknown' };
  try {
    const { tokToken, usdc } = access.contracts.standard;
    const simulation = await access.reads.simulate(from, calls, [tokToken, usdc]);
    if (simulation.status === 'partial') return { status: 'unknown' };
    if (simulation.status === 'success') {
      const [tok, dollars] = simulation.changes ?? [];
      const change = tok === undefined || dollars === undefined ? null : { tokWei: tok, usdc: dollars };
      return { status: 'success', gas: simulation.gas ?? gasPerCall * BigInt(calls.length), change };
    }
    const { at, revert } = simulation;
    // A token does not say which one it is; what the call pays does.
    const explained = await explainCalls(calls, from, access).catch(() => []);
    const shortage = explainShortage(revert, explained[at]?.movements ?? [], from);
    return { status: 'reverted', at, sentence: shortage?.reason ?? revert.sentence };
  } catch {
    return { status: 'unknown' };
  }
}
