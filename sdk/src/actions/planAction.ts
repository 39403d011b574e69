// Builds the calls of an action for one wallet: exact approvals first, with its costs and what the wallet lacks.
import { type Call, joinCalls } from '../chain/encodeCall.ts';
import type { WalletState } from '../chain/readAgents.ts';
import { type Address, isSameAddress } from '../domain/address.ts';
import type { Task } from '../domain/task.ts';
import type { TaskKey } from '../domain/taskId.ts';
import type { CallsDraft, SignatureDraft, WriteAction, WriteContext } from './action.ts';
import { encodeApprove } from './approvals.ts';
import { encodePurchase, planPurchase } from './buyTok.ts';
import { type CallFacts, decodeMarketCall, type MarketCall, readCallFacts } from './callFacts.ts';
import { findActionOfCall } from './catalog.ts';
import { encodeTopUp } from './collateral.ts';
import { missingCollateral, paysWithCredits, type Spender, sumSpending } from './costs.ts';
import { explainCalls } from './explainCalls.ts';
import { type Deal, netOf } from './netResult.ts';
import { type ActionReads, requireTask } from './reads.ts';

export type Gap = { readonly token: 'TOK' | 'USDC' | 'ETH'; readonly needed: bigint; readonly has: bigint };

export type PlanOptions = {
  /** Adds the collateral that a wallet lacks to enter a task, instead of leaving that to top-up. */
  readonly coversCollateral?: boolean;
};

/** `args` as the action's schema has parsed them. */
export async function planAction(
  action: WriteAction,
  args: Readonly<Record<string, unknown>>,
  context: WriteContext,
  { coversCollateral = false }: PlanOptions = {},
) {
  const { market, from, contracts, chainId } = context;
  const reads = rememberReads(context.reads);
  const key = args.taskId as TaskKey | undefined;
  const task = key === undefined ? null : await requireTask(reads, key);
  const draft = await action.build(args as never, { ...context, reads, task } as never);
  if ('typedData' in draft) return draft;
  const [wallet, figures] = await Promise.all([reads.readWallet(market, from), reads.readFigures(market)]);
  // From the bytes, as every reader of the request will see them.
  const access = { chainId, contracts: { [market]: contracts }, reads };
  const decoded = decodeMarketCall(draft.encoded.calls[0] as Call, access.contracts) as MarketCall;
  const facts = (await readCallFacts(decoded, from, access)) ?? { figures, sender: from };
  // Dismissing a worker may call for a notice first, which is an action of its own.
  const { costs: listCosts } = findActionOfCall(decoded.contract, decoded.functionName) ?? action;
  const costs = listCosts?.(facts) ?? [];
  const hasFreeFee = paysWithCredits(wallet, figures);
  const locksBond = costs.some(({ kind }) => kind === 'collateralBond');
  const startsFromUsdc = args.fromUsdc === true;
  const addsCollateral = locksBond && (coversCollateral || startsFromUsdc);
  const addedCollateralUsdc = addsCollateral ? missingCollateral(wallet, figures) : 0n;
  const taken = sumSpending(costs, hasFreeFee);
  const missingTok = startsFromUsdc ? taken.tokWei - wallet.tokWei : 0n;
  const maxUsdc = args.maxUsdc as bigint | undefined;
  const purchase =
    missingTok > 0n ? await planPurchase(action.name, missingTok, maxUsdc, { ...context, reads }) : null;
  const { payTokWei } = facts;
  const net =
    payTokWei === undefined
      ? null
      : netOf(
          { as: sideOf(facts, from), payTokWei },
          { figures, hasFreeFee, priceE8: await reads.readTokPrice(market) },
        );
  const spending = {
    ...taken,
    usdcToVault: taken.usdcToVault + addedCollateralUsdc,
    usdcToPool: taken.usdcToPool + (purchase?.maxUsdc ?? 0n),
  };
  const { allowances } = wallet;
  const { tokWei, usdcToVault, usdcToGateway } = spending;
  const approve = (token: 'TokToken' | 'USDC', spender: Spender, amount: bigint, allowed = 0n) =>
    amount > allowed ? [encodeApprove(contracts, token, spender, amount)] : [];
  const encoded = joinCalls(
    // This check comes first: a price that has moved too far stops everything before the wallet has paid.
    encodePurchase(contracts, purchase),
    ...approve('USDC', 'swapRouter', taken.usdcToPool),
    ...approve('USDC', 'depositVault', usdcToVault, allowances.usdcVault),
    ...(addedCollateralUsdc > 0n ? [encodeTopUp(contracts, addedCollateralUsdc)] : []),
    ...approve('TokToken', 'paymentGateway', tokWei, allowances.tokRouter),
    ...approve('USDC', 'paymentGateway', usdcToGateway, allowances.usdcGateway),
    draft.encoded,
  );
  return {
    ...encoded,
    task,
    costs,
    /** Each call of the plan, read back from its bytes. */
    explained: await explainCalls(encoded.calls, from, access),
    /** Whether Action Credits pay the access fee. */
    hasFreeFee,
    /** USDC that the calls add to the collateral before the action. */
    addedCollateralUsdc,
    /** TOK that the calls buy before the action. */
    purchase,
    spending,
    /** What the wallet has too little of; empty where it can pay. */
    gaps: findGaps(wallet, spending, purchase?.tokWei ?? 0n),
    wallet,
    /** Whose collateral the calls lock. */
    engages: draft.engages ?? [],
    /** What it brings or costs in the end; null where the call enters no task. */
    net,
    warnings: [...listWarnings(action, draft, task), ...(net?.warning ? [net.warning] : [])],
    result: draft.result ?? {},
  };
}

export type CallsPlan = Readonly<Exclude<Awaited<ReturnType<typeof planAction>>, SignatureDraft>>;

function findGaps(
  { tokWei, usdc, etherWei }: WalletState,
  spending: ReturnType<typeof sumSpending>,
  boughtTokWei: bigint,
): Gap[] {
  const usdcNeeded = spending.usdcToVault + spending.usdcToGateway + spending.usdcToPool;
  const gaps: Gap[] = [
    { token: 'TOK', needed: spending.tokWei - boughtTokWei, has: tokWei },
    { token: 'USDC', needed: usdcNeeded, has: usdc },
    { token: 'ETH', needed: 1n, has: etherWei },
  ];
  return gaps.filter(({ needed, has }) => has < needed);
}

/** The worker of a task comes by a claim, or is named in the terms; the poster posts. */
function sideOf({ task, parties }: CallFacts, from: Address): Deal['as'] {
  return task !== undefined || (parties !== undefined && isSameAddress(parties.worker, from))
    ? 'worker'
    : 'poster';
}

function listWarnings(action: WriteAction, { warnings = [] }: CallsDraft, task: Task | null): string[] {
  const risk = task === null ? null : action.risk(task);
  return [...warnings, ...(risk === null ? [] : [risk])];
}

/** Each question is asked once for one plan, so that all its parts rest on the same answer. */
function rememberReads(reads: ActionReads): ActionReads {
  const answers = new Map<string, Promise<unknown>>();
  const once =
    <Args extends unknown[], Answer>(name: string, read: (...args: Args) => Promise<Answer>) =>
    (...args: Args): Promise<Answer> => {
      const key = [name, ...args].join(' ').toLowerCase();
      const answer = answers.get(key) ?? read(...args);
      answers.set(key, answer);
      return answer as Promise<Answer>;
    };
  return {
    ...reads,
    readNow: once('now', reads.readNow),
    readTask: once('task', reads.readTask),
    readWallet: once('wallet', reads.readWallet),
    readFigures: once('figures', reads.readFigures),
  };
}
