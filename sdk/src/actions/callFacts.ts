// Reads a call to a contract of the market from its bytes: the function, and the facts that its costs and movements depend on.
import { type Abi, decodeFunctionData, encodeFunctionData, type Hex } from 'viem';
import type { MarketContracts } from '../chain/contracts.ts';
import { type Call, type CalledContract, type CallName, calledContracts } from '../chain/encodeCall.ts';
import { type Address, isSameAddress } from '../domain/address.ts';
import { maxOf, minOf } from '../domain/amount.ts';
import { type Market, markets } from '../domain/market.ts';
import { protocolConstants } from '../domain/parameters.ts';
import { currencies, scopes } from '../domain/state.ts';
import { digestOf, remainingAmount, type Task } from '../domain/task.ts';
import { hashTerms, type TaskTerms } from '../domain/terms.ts';
import { type ActionFacts, disputeBond } from './costs.ts';
import type { ActionReads } from './reads.ts';

export type MarketCall = {
  readonly contract: CalledContract;
  readonly functionName: string;
  // biome-ignore lint/suspicious/noExplicitAny: the ABI decides what the arguments are
  readonly args: readonly any[];
  readonly market: Market;
};

/** Bytes that go to a contract of the market and are no call of it. */
export type UnreadableCall = { readonly contract: CalledContract; readonly problem: string };

/** Of one market or of both. */
export type KnownContracts = Readonly<Partial<Record<Market, MarketContracts>>>;

/** What reading calls asks of the chain. Amounts that need an absent read stay unknown. */
export type CallReads = Pick<ActionReads, 'readTask' | 'readFigures'> &
  Partial<Pick<ActionReads, 'readWallet' | 'readNow'>>;

export type CallAccess = {
  readonly chainId: number;
  readonly contracts: KnownContracts;
  readonly reads: CallReads;
};

/** Null for a contract that is not the market's. Bytes that a contract would read differently are unreadable. */
export function decodeMarketCall(
  { to, data }: Pick<Call, 'to' | 'data'>,
  contracts: KnownContracts,
): MarketCall | UnreadableCall | null {
  for (const market of markets)
    for (const contract of Object.keys(calledContracts) as CalledContract[]) {
      const { key, abi } = calledContracts[contract];
      const own = contracts[market]?.[key];
      if (own === undefined || !isSameAddress(own, to)) continue;
      const read = decodeBytes(abi as Abi, data, contract);
      const isOdd = contract === 'SwapRouter' && 'args' in read && !isPurchase(read.args, contracts[market]);
      if (isOdd) return { contract, problem: 'it trades other tokens than USDC for TOK' };
      return { contract, market, ...read };
    }
  return null;
}

/** The router trades any tokens; the market's own pair only is an action of ours. */
function isPurchase([params]: Args, own: MarketContracts | undefined): boolean {
  const isSame = (one: unknown, other: Address | undefined) =>
    other !== undefined && isSameAddress(one as Address, other);
  return isSame(params?.tokenIn, own?.usdc) && isSame(params?.tokenOut, own?.tokToken);
}

function decodeBytes(abi: Abi, data: Hex, contract: string) {
  let decoded: { functionName: string; args?: readonly unknown[] | undefined };
  let again: Hex;
  try {
    decoded = decodeFunctionData({ abi, data });
    again = encodeFunctionData({ abi, ...decoded } as never);
  } catch {
    return { problem: `a call of ${contract} cannot be read` };
  }
  if (again !== data.toLowerCase()) return { problem: `a call of ${contract} has more bytes than it needs` };
  return { functionName: decoded.functionName, args: decoded.args ?? [] };
}

/** What costs and movements depend on, and what a policy asks besides. */
export type CallFacts = ActionFacts & {
  readonly sender: Address;
  readonly counterparty?: Address | null;
  /** The settlement digest of the task that the call is for. */
  readonly digest?: string | null;
  /** Total of the task, where the sender is its poster. */
  readonly taskTok?: bigint;
};

type Sender = CallAccess & {
  readonly from: Address;
  readonly market: Market;
};

type Found = Omit<Partial<CallFacts>, 'figures' | 'sender'>;
type Args = MarketCall['args'];
type Reader = (args: Args, sender: Sender) => Found | Promise<Found>;

const nothing: Reader = () => ({});

/** A call about the task that its first argument names. */
function onTask(
  more: (task: Task, args: Args, sender: Sender) => Found | Promise<Found> = () => ({}),
): Reader {
  return async (args, sender) => {
    const { market, from, reads } = sender;
    const task = await reads.readTask(market, args[0]);
    if (task === null) return {};
    const isPoster = isSameAddress(task.poster, from);
    const digest = task.settlementDigest === null ? null : digestOf(task).toLowerCase();
    const counterparty = isPoster ? task.worker : task.poster;
    return { task, counterparty, digest, ...(await more(task, args, sender)) };
  };
}

/** Whether an open task is listed again depends on the chain's clock; time that was not the worker's moves the deadline. */
const onDeadline = onTask(async ({ state, deadline, updatedAt }, _, { reads }) => {
  const now = await reads.readNow?.();
  if (now === undefined) return {};
  return { isLate: state === 'ACTIVE' ? now > deadline : updatedAt > deadline };
});

const bondOf = (task: Task, withBond: boolean) => ({ amount: withBond ? disputeBond(task) : 0n });

/** A judge that let its time pass earns nothing, and an assigned one loses a part of its bond. */
async function readLateness(task: Task, sender: Sender): Promise<Found> {
  const now = await sender.reads.readNow?.();
  const isLate = now !== undefined && now > (task.dispute?.phaseEndsAt ?? now);
  return isLate ? { isLate, ...(await readSlash(task, sender)) } : { isLate };
}

const onSplit = onTask(async (task, [, workerBps], sender) => ({
  workerBps,
  ...(await readLateness(task, sender)),
}));

/** What the arbitrator of an assigned case loses who missed its time. */
async function readSlash({ dispute }: Task, { market, reads }: Sender): Promise<Found> {
  if (dispute?.judge == null || dispute.phase !== 'ASSIGNED') return {};
  const [wallet, figures] = await Promise.all([
    reads.readWallet?.(market, dispute.judge),
    reads.readFigures(market),
  ]);
  if (wallet === undefined) return {};
  const share = (amount: bigint) => (amount * BigInt(protocolConstants.missSlashBps)) / 10_000n;
  const { bond } = wallet.arbitrator;
  const usual = minOf(share(bond), dispute.bond);
  return { slashedTokWei: minOf(maxOf(usual, share(figures.arbitratorMinBondTokWei)), bond) };
}

/** Every call that an action of the catalog makes. A test compares both lists. */
export const callReaders: Readonly<Partial<Record<CallName, Reader>>> = {
  'TaskRegistry.postTask': ([{ fundNow, totalAmount }]) => ({
    amount: fundNow,
    taskTok: totalAmount,
    payTokWei: totalAmount,
  }),
  'TaskRegistry.createTask': ([terms, , , , , fundNow], { chainId, contracts, market, from }) => {
    const named = { ...terms, scope: scopes[terms.scope] ?? 'open' } as TaskTerms;
    const { poster, worker } = named;
    const isPoster = isSameAddress(poster, from);
    return {
      amount: fundNow,
      payTokWei: terms.totalAmount,
      parties: { poster, worker },
      counterparty: isPoster ? worker : poster,
      digest: hashTerms(named, { chainId, registry: (contracts[market] as MarketContracts).taskRegistry }),
      ...(isPoster && { taskTok: terms.totalAmount }),
    };
  },
  'TaskRegistry.claimTask': onTask((task) => ({ payTokWei: remainingAmount(task) })),
  'TaskRegistry.fundTask': onTask((task, [, amount]) => ({ amount, taskTok: task.totalAmount })),
  'TaskRegistry.startWork': onTask(),
  'TaskRegistry.submitProof': onTask(),
  'TaskRegistry.acceptMilestone': onTask((_, [, milestone]) => ({ milestone: Number(milestone) })),
  'TaskRegistry.completeTask': onTask(),
  'TaskRegistry.extendDeadline': onTask(),
  'TaskRegistry.leaveTask': onDeadline,
  'TaskRegistry.giveDismissNotice': onTask(),
  'TaskRegistry.dismissWorker': onDeadline,
  'TaskRegistry.cancelTask': onTask(),
  'TaskRegistry.resolveTimedOut': onDeadline,
  'TaskRegistry.openDispute': onTask((task, [, , withBond]) => bondOf(task, withBond)),
  'TaskRegistry.answerNotice': onTask(),
  'TaskRegistry.revokeTerms': ([digest]) => ({ digest }),
  'DisputeCourt.answerDispute': onTask((task, [, withBond]) => bondOf(task, withBond)),
  'DisputeCourt.submitEvidence': onTask(),
  'DisputeCourt.proposeArbitrator': onTask(),
  'DisputeCourt.resolveDispute': onSplit,
  'DisputeCourt.concede': onTask((task, _, sender) => readLateness(task, sender)),
  'DisputeCourt.escalate': onTask((task, _, sender) => readSlash(task, sender)),
  'DisputeCourt.resolveTimedOut': onTask(),
  'DisputeCourt.mutualSettle': onSplit,
  'DisputeCourt.registerArbitrator': ([amount]) => ({ amount }),
  'DisputeCourt.requestUnbond': nothing,
  'DisputeCourt.withdrawBond': async (_, { market, from, reads }) => {
    const wallet = await reads.readWallet?.(market, from);
    return wallet === undefined ? {} : { amount: wallet.arbitrator.bond };
  },
  'DisputeCourt.scheduleFallback': nothing,
  'DisputeCourt.acceptFallback': nothing,
  'DepositVault.topUp': ([amount]) => ({ amount }),
  'DepositVault.emergencyTopUp': ([agent, amount]) => ({ amount, recipient: agent, counterparty: agent }),
  'DepositVault.withdraw': ([amount, to], { from }) => ({
    amount,
    recipient: to,
    counterparty: isSameAddress(to, from) ? null : to,
  }),
  'StakingVault.stake': ([amount]) => ({ amount }),
  'StakingVault.unstake': ([amount]) => ({ amount }),
  'StakingVault.claimReward': async (_, { market, from, reads }) => {
    const wallet = await reads.readWallet?.(market, from);
    return wallet === undefined ? {} : { amount: wallet.staking.rewards };
  },
  'SwapRouter.exactOutputSingle': ([{ recipient, amountOut, amountInMaximum }], { from }) => ({
    amount: amountInMaximum,
    boughtTokWei: amountOut,
    recipient,
    counterparty: isSameAddress(recipient, from) ? null : recipient,
  }),
  'PaymentGateway.purchasePlan': ([, payWith, maxPay]) => ({
    amount: maxPay,
    payWith: currencies[Number(payWith)],
  }),
};

/** Null for a function that no action calls. */
export async function readCallFacts(
  { contract, functionName, args, market }: MarketCall,
  from: Address,
  access: CallAccess,
): Promise<CallFacts | null> {
  const read = callReaders[`${contract}.${functionName}` as CallName];
  if (read === undefined) return null;
  const [figures, found] = await Promise.all([
    access.reads.readFigures(market),
    read(args, { ...access, from, market }),
  ]);
  return { ...found, figures, sender: from };
}
