// What calls do with a wallet's money: decoded from their bytes, with the costs that the catalog of actions knows. A call
// that cannot be read to the last byte is refused.
import { type ActionReads, type Cost, findActionOfCall } from '@svc/sdk/actions';
import type { MarketContracts } from '@svc/sdk/chain';
import {
  type Address,
  hashTerms,
  isSameAddress,
  type Market,
  markets,
  SvcError,
  type Task,
  type TaskTerms,
} from '@svc/sdk/domain';
import { type ActionFacts, disputeBond, sumSpending } from '@svc/sdk/internal/actions/costs';
import { type CalledContract, calledContracts } from '@svc/sdk/internal/chain/encodeCall';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { currencies, scopes } from '@svc/sdk/internal/domain/state';
import { digestOf, disputedAmount, lockedAmount } from '@svc/sdk/internal/domain/task';
import { type Abi, decodeFunctionData, encodeFunctionData, type Hex } from 'viem';
import { noSpending, type Spending } from './judge.ts';

export type SpendingAccess = {
  readonly chainId: number;
  readonly contracts: Readonly<Record<Market, MarketContracts>>;
  readonly reads: Pick<ActionReads, 'readTask' | 'readFigures'>;
};

export type RawCall = { readonly to: string; readonly value: string; readonly data: string };

type Decoded = {
  readonly contract: CalledContract;
  readonly functionName: string;
  // biome-ignore lint/suspicious/noExplicitAny: the ABI decides what the arguments are
  readonly args: readonly any[];
  readonly market: Market;
};

type Sender = SpendingAccess & { readonly from: Address; readonly market: Market };

/** What the costs of the catalog depend on, and what a policy asks besides. */
type CallFacts = Omit<ActionFacts, 'figures'> & {
  readonly counterparty?: Address | null;
  readonly digest?: string | null;
  readonly taskTok?: bigint;
  /** Escrow that goes to the counterparty. */
  readonly payout?: bigint;
  /** USDC that leaves the deposit for another wallet. */
  readonly sentUsdc?: bigint;
};

type Reader = (args: Decoded['args'], sender: Sender) => CallFacts | Promise<CallFacts>;

const free: Reader = () => ({});

/** A call about the task that its first argument names. */
function onTask(more: (task: Task, args: Decoded['args'], sender: Sender) => CallFacts = () => ({})): Reader {
  return async (args, sender) => {
    const task = await sender.reads.readTask(sender.market, args[0]);
    if (task === null) throw refuse(`there is no task ${args[0]} on the market ${sender.market}`);
    const isPoster = isSameAddress(task.poster, sender.from);
    const digest = task.settlementDigest === null ? null : digestOf(task).toLowerCase();
    return {
      task,
      counterparty: isPoster ? task.worker : task.poster,
      digest,
      ...more(task, args, sender),
    };
  };
}

/** Escrow goes to the worker only where the poster gives it away. */
function paysOut(amountOf: (task: Task, args: Decoded['args']) => bigint): Reader {
  return onTask((task, args, { from }) =>
    isSameAddress(task.poster, from) ? { payout: amountOf(task, args) } : {},
  );
}

/** Every call that an action of the catalog makes. A test compares both lists: a new call is refused until it is here. */
export const callReaders: Readonly<Record<string, Reader>> = {
  'TaskRegistry.postTask': ([{ fundNow, totalAmount }]) => ({ amount: fundNow, taskTok: totalAmount }),
  'TaskRegistry.createTask': ([terms, , , , , fundNow], { chainId, contracts, market, from }) => {
    const named = { ...terms, scope: scopes[terms.scope] ?? 'open' } as TaskTerms;
    const isPoster = isSameAddress(terms.poster, from);
    return {
      amount: fundNow,
      counterparty: isPoster ? terms.worker : terms.poster,
      digest: hashTerms(named, { chainId, registry: contracts[market].taskRegistry }),
      ...(isPoster && { taskTok: terms.totalAmount }),
    };
  },
  'TaskRegistry.claimTask': onTask(),
  'TaskRegistry.fundTask': onTask((task, [, amount]) => ({ amount, taskTok: task.totalAmount })),
  'TaskRegistry.startWork': onTask(),
  'TaskRegistry.submitProof': onTask(),
  'TaskRegistry.acceptMilestone': paysOut(({ milestones }, [, at]) => milestones[at] ?? 0n),
  'TaskRegistry.completeTask': paysOut(lockedAmount),
  'TaskRegistry.extendDeadline': onTask(),
  'TaskRegistry.leaveTask': onTask(),
  'TaskRegistry.giveDismissNotice': onTask(),
  // A notice that lapses before the call is mined is given again, for the fee.
  'TaskRegistry.dismissWorker': onTask(() => ({ isNoticed: false })),
  'TaskRegistry.cancelTask': onTask(),
  'TaskRegistry.resolveTimedOut': onTask(),
  'TaskRegistry.openDispute': onTask(),
  'DisputeCourt.answerDispute': onTask((task, [, withBond]) => ({
    amount: withBond ? disputeBond(task) : 0n,
  })),
  'DisputeCourt.submitEvidence': onTask(),
  'DisputeCourt.proposeArbitrator': onTask(),
  'DisputeCourt.resolveDispute': onTask(),
  'DisputeCourt.concede': paysOut(disputedAmount),
  'DisputeCourt.escalate': onTask(),
  'DisputeCourt.resolveTimedOut': onTask(),
  'DisputeCourt.mutualSettle': paysOut((task, [, workerBps]) => shareOf(lockedAmount(task), workerBps)),
  'DisputeCourt.registerArbitrator': ([amount]) => ({ amount }),
  'DisputeCourt.requestUnbond': free,
  'DisputeCourt.withdrawBond': free,
  // They decide who judges, and move no money.
  'DisputeCourt.scheduleFallback': free,
  'DisputeCourt.acceptFallback': free,
  'DepositVault.topUp': ([amount]) => ({ amount }),
  'DepositVault.emergencyTopUp': ([agent, amount]) => ({ amount, counterparty: agent }),
  'DepositVault.withdraw': ([amount, to], { from }) =>
    isSameAddress(to, from) ? {} : { counterparty: to, sentUsdc: amount },
  'StakingVault.stake': ([amount]) => ({ amount }),
  'StakingVault.unstake': free,
  'StakingVault.claimReward': free,
  'PaymentGateway.purchasePlan': ([, payWith, maxPay]) => {
    const currency = currencies[Number(payWith)];
    if (currency === undefined) throw refuse('it pays for a plan in an unknown currency');
    return { amount: maxPay, payWith: currency };
  },
};

export function shareOf(amount: bigint, bps: number): bigint {
  return (amount * BigInt(bps)) / 10_000n;
}

/** Throws POLICY_REFUSED for a call that no action of the catalog makes. */
export async function readCalls(
  calls: readonly RawCall[],
  from: Address,
  access: SpendingAccess,
): Promise<Spending[]> {
  const spendings: Spending[] = [];
  const allowances = createAllowances();
  for (const call of calls) {
    const decoded = decode(call, access);
    const { contract, functionName, market } = decoded;
    const name = `${contract}.${functionName}`;
    if (functionName === 'approve') {
      allowances.approve(decoded, access.contracts);
      continue;
    }
    const action = findActionOfCall(contract, functionName);
    const read = Object.hasOwn(callReaders, name) ? callReaders[name] : undefined;
    if (action === undefined || read === undefined) throw refuse(`no action calls ${name}`);
    const figures = await access.reads.readFigures(market);
    const {
      counterparty = null,
      digest = null,
      taskTok,
      payout,
      sentUsdc = 0n,
      ...facts
    } = await read(decoded.args, { ...access, from, market });
    const costs = action.costs?.({ ...facts, figures }) ?? [];
    allowances.spend(market, costs);
    const head: Spending = { ...noSpending, action: action.name, market, counterparty, digest };
    const { tok, usdc } = sumCosts(costs);
    spendings.push({ ...head, tok, usdc: usdc + sentUsdc, taskTok: taskTok ?? null });
    if (payout !== undefined && payout > 0n) spendings.push({ ...head, source: 'payout', tok: payout });
  }
  return [...spendings, ...allowances.list(spendings.length === 0)];
}

/** Everything that leaves the wallet or is locked, also a fee that credits might pay by then. */
export function sumCosts(costs: readonly Cost[]): { readonly tok: bigint; readonly usdc: bigint } {
  const sum = (token: Cost['token']) =>
    costs.filter((one) => one.token === token).reduce((total, { amount }) => total + amount, 0n);
  return { tok: sum('TOK'), usdc: sum('USDC') };
}

/** Exactly these bytes, or refused: what a contract would read differently is not signed. */
function decode({ to, value, data }: RawCall, { contracts }: SpendingAccess): Decoded {
  if (BigInt(value) !== 0n) throw refuse('it sends ether');
  for (const market of markets)
    for (const contract of Object.keys(calledContracts) as CalledContract[]) {
      const { key, abi } = calledContracts[contract];
      if (addressKey(contracts[market][key]) !== to.toLowerCase()) continue;
      const { functionName, args } = decodeBytes(abi as Abi, data as Hex, contract);
      return { contract, functionName, args, market };
    }
  throw refuse(`${to} is no contract of the market`);
}

function decodeBytes(abi: Abi, data: Hex, contract: string) {
  let decoded: { functionName: string; args?: readonly unknown[] | undefined };
  let again: Hex;
  try {
    decoded = decodeFunctionData({ abi, data });
    again = encodeFunctionData({ abi, ...decoded } as never);
  } catch {
    throw refuse(`a call of ${contract} cannot be read`);
  }
  if (again !== data.toLowerCase()) throw refuse(`a call of ${contract} has more bytes than it needs`);
  return { functionName: decoded.functionName, args: decoded.args ?? [] };
}

type Spender = 'paymentGateway' | 'depositVault';

/**
 * Allowances of one request. What its later calls take is counted with them; what is left standing counts as spent, because
 * a contract may take it later.
 */
function createAllowances() {
  const standing = new Map<string, { readonly head: Spending; left: bigint }>();
  const take = (token: string, market: Market, spender: Spender, amount: bigint) => {
    const found = standing.get(`${token} ${market} ${spender}`);
    if (found !== undefined) found.left = found.left > amount ? found.left - amount : 0n;
  };
  return {
    approve: (call: Decoded, contracts: SpendingAccess['contracts']) => {
      const { contract, args } = call;
      const [spender, amount] = args as [Address, bigint];
      const found = findSpender(spender, contracts);
      const isTokVault = contract === 'TokToken' && found?.spender === 'depositVault';
      if (found === undefined || isTokVault)
        throw refuse(`it lets ${spender} take ${contract === 'USDC' ? 'USDC' : 'TOK'}`);
      const action = findActionOfCall(contract, 'approve')?.name ?? '';
      const { market } = found;
      const head: Spending = { ...noSpending, action, market, source: 'allowance' };
      standing.set(`${contract} ${market} ${found.spender}`, { head, left: amount });
    },
    spend: (market: Market, costs: readonly Cost[]) => {
      const { tokWei, usdcToVault, usdcToGateway } = sumSpending(costs, false);
      take('TokToken', market, 'paymentGateway', tokWei);
      take('USDC', market, 'depositVault', usdcToVault);
      take('USDC', market, 'paymentGateway', usdcToGateway);
    },
    /** `isAll`: also those that were used up or set to 0. */
    list: (isAll: boolean): Spending[] =>
      [...standing]
        .filter(([, { left }]) => isAll || left > 0n)
        .map(([key, { head, left }]) =>
          key.startsWith('USDC') ? { ...head, usdc: left } : { ...head, tok: left },
        ),
  };
}

function findSpender(spender: Address, contracts: SpendingAccess['contracts']) {
  for (const market of markets)
    for (const name of ['paymentGateway', 'depositVault'] as const)
      if (isSameAddress(contracts[market][name], spender)) return { market, spender: name };
  return undefined;
}

export function refuse(reason: string): SvcError {
  return new SvcError('POLICY_REFUSED', { reason });
}
