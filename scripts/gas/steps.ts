// The operations of a market as steps that answer their gas, and short ways to each state of a task.
import { type Hex, keccak256, parseEther, stringToBytes, stringToHex } from 'viem';
import {
  marketParameters,
  type Plan,
  planPeriodDays,
  plans,
  protocolConstants,
} from '#sdk/domain/parameters.ts';
import { type Contract, day, type Market, priceE8, type Wallet } from './market.ts';

/** What a step takes from a wallet: it approves exactly that much, just before. */
export type Allowance = {
  readonly owner: Wallet;
  readonly token: Contract;
  readonly spender: Contract;
  readonly amount: bigint;
};

export type PostOptions = {
  readonly from?: Wallet;
  readonly uri?: string;
  readonly milestones?: readonly bigint[];
  readonly fundNow?: bigint;
  readonly withCredits?: boolean;
};

export const accessFee = marketParameters.standard.accessFeeTokWei;
export const total = parseEther('6000');
export const thirds = ['1000', '2000', '3000'].map((amount) => parseEther(amount));
/** 66 bytes: the URI of a document at its content address. */
export const shortUri = 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';

const plan = plans.find(({ priceUsdc }) => priceUsdc > 0n) as Plan;
const planId = stringToHex(plan.id, { size: 32 });
const reviewPeriod = 3 * day;
const hash = (text: string): Hex => keccak256(stringToBytes(text));
const bondOf = (amount: bigint) => (amount * BigInt(protocolConstants.disputeBps)) / 10_000n;

type TaskFacts = { readonly settlementDigest: Hex; readonly state: number; readonly updatedAt: bigint };

const taskOf = ({ chain, registry }: Market, taskId: bigint) =>
  chain.read<TaskFacts>(registry, 'getTask', [taskId]);

export async function act(
  { chain }: Market,
  from: Wallet,
  to: Contract,
  name: string,
  args: readonly unknown[],
  allowances: readonly Allowance[] = [],
): Promise<number> {
  for (const { owner, token, spender, amount } of allowances) {
    await chain.send({ from: owner, to: token, name: 'approve', args: [spender.address, amount] });
  }
  return chain.send({ from, to, name, args });
}

/** TOK for the gateway, the only contract that takes any. */
export function tokOf({ tok, gateway }: Market, owner: Wallet, amount: bigint): Allowance[] {
  return [{ owner, token: tok, spender: gateway, amount }];
}

export function post(market: Market, options: PostOptions = {}): Promise<number> {
  const { from = market.people.poster, uri = shortUri, milestones = [], fundNow = 0n } = options;
  const deadline = BigInt(market.chain.now() + 10 * day);
  const criteriaHash = hash('criteria');
  const params = { totalAmount: total, deadline, reviewPeriod, criteriaHash, milestones, uri, fundNow };
  const fee = options.withCredits ? 0n : accessFee;
  return act(market, from, market.registry, 'postTask', [params], tokOf(market, from, fee + fundNow));
}

export async function create(market: Market): Promise<number> {
  const { poster, worker } = market.people;
  const terms = {
    poster: poster.address,
    worker: worker.address,
    totalAmount: total,
    milestonesHash: keccak256('0x'),
    criteriaHash: hash('criteria'),
    deadline: BigInt(market.chain.now() + 10 * day),
    reviewPeriod,
    scope: 1,
    salt: hash('negotiation'),
    acceptBy: BigInt(market.chain.now() + day),
  };
  const digest = await market.chain.read<Hex>(market.registry, 'hashTerms', [terms]);
  const args = [terms, [], '0x', await worker.sign({ hash: digest }), '', total];
  const allowances = [...tokOf(market, poster, accessFee + total), ...tokOf(market, worker, accessFee)];
  return act(market, poster, market.registry, 'createTask', args, allowances);
}

export async function claim(market: Market, taskId: bigint): Promise<number> {
  const { worker } = market.people;
  const digest = await market.chain.read<Hex>(market.registry, 'openDigest', [taskId, worker.address]);
  return act(
    market,
    worker,
    market.registry,
    'claimTask',
    [taskId, digest],
    tokOf(market, worker, accessFee),
  );
}

export function fund(market: Market, taskId: bigint): Promise<number> {
  const { poster } = market.people;
  return act(market, poster, market.registry, 'fundTask', [taskId, total], tokOf(market, poster, total));
}

export async function start(market: Market, taskId: bigint, by = market.people.poster): Promise<number> {
  const { settlementDigest } = await taskOf(market, taskId);
  return act(market, by, market.registry, 'startWork', [taskId, settlementDigest]);
}

export function deliver(market: Market, taskId: bigint): Promise<number> {
  return act(market, market.people.worker, market.registry, 'submitProof', [
    taskId,
    0,
    hash('proof'),
    shortUri,
  ]);
}

export async function accept(market: Market, taskId: bigint): Promise<number> {
  const { updatedAt } = await taskOf(market, taskId);
  return act(market, market.people.poster, market.registry, 'acceptMilestone', [taskId, 0, updatedAt]);
}

export async function complete(market: Market, taskId: bigint): Promise<number> {
  const { settlementDigest } = await taskOf(market, taskId);
  return act(market, market.people.poster, market.registry, 'completeTask', [taskId, settlementDigest]);
}

export async function leave(market: Market, taskId: bigint): Promise<number> {
  const { worker } = market.people;
  const { state } = await taskOf(market, taskId);
  return act(market, worker, market.registry, 'leaveTask', [taskId, state], tokOf(market, worker, accessFee));
}

export async function giveNotice(market: Market, taskId: bigint): Promise<number> {
  const { poster } = market.people;
  const { settlementDigest } = await taskOf(market, taskId);
  const args = [taskId, settlementDigest];
  return act(market, poster, market.registry, 'giveDismissNotice', args, tokOf(market, poster, accessFee));
}

export async function dismiss(market: Market, taskId: bigint, fee: bigint): Promise<number> {
  const { poster } = market.people;
  const { settlementDigest } = await taskOf(market, taskId);
  const args = [taskId, settlementDigest];
  return act(market, poster, market.registry, 'dismissWorker', args, tokOf(market, poster, fee));
}

/** @param amount the disputed milestone */
export async function dispute(market: Market, taskId: bigint, amount = total): Promise<number> {
  const { poster } = market.people;
  const { updatedAt } = await taskOf(market, taskId);
  const args = [taskId, updatedAt, hash('evidence'), shortUri];
  return act(market, poster, market.registry, 'openDispute', args, tokOf(market, poster, bondOf(amount)));
}

export function answer(market: Market, taskId: bigint, by: Wallet, withBond = true): Promise<number> {
  const args = [taskId, withBond, hash('answer'), shortUri];
  const allowances = withBond ? tokOf(market, by, bondOf(total)) : [];
  return act(market, by, market.court, 'answerDispute', args, allowances);
}

export function concede(market: Market, taskId: bigint, by: Wallet, phase: number): Promise<number> {
  return act(market, by, market.court, 'concede', [taskId, phase]);
}

export function submitEvidence(market: Market, taskId: bigint): Promise<number> {
  return act(market, market.people.worker, market.court, 'submitEvidence', [
    taskId,
    hash('evidence'),
    shortUri,
  ]);
}

export function propose(market: Market, taskId: bigint, by: Wallet): Promise<number> {
  const { arbitrator } = market.people;
  return act(market, by, market.court, 'proposeArbitrator', [taskId, arbitrator.address]);
}

export function resolve(
  market: Market,
  taskId: bigint,
  workerBps: number,
  by = market.people.arbitrator,
): Promise<number> {
  return act(market, by, market.court, 'resolveDispute', [taskId, workerBps, hash('reason'), shortUri]);
}

/** Needs both signatures when a third party calls, and only the worker's when the poster calls. */
export async function settle(market: Market, taskId: bigint, by: Wallet): Promise<number> {
  const { poster, worker } = market.people;
  const validUntil = BigInt(market.chain.now() + day);
  const digest = await market.chain.read<Hex>(market.registry, 'hashSettlement', [taskId, 4_000, validUntil]);
  const posterSig = by === poster ? '0x' : await poster.sign({ hash: digest });
  const args = [taskId, 4_000, validUntil, posterSig, await worker.sign({ hash: digest })];
  return act(market, by, market.court, 'mutualSettle', args);
}

/** Called by an account that is not a party to the task. */
export function timeOut(market: Market, taskId: bigint, where: 'registry' | 'court' = 'registry') {
  return act(market, market.people.staker, market[where], 'resolveTimedOut', [taskId]);
}

export async function buyPlanWithTok(market: Market): Promise<number> {
  const { poster } = market.people;
  // Discounted USD with 6 decimals, over USD per TOK with 8, in wei.
  const discounted = (plan.priceUsdc * BigInt(10_000 - plan.tokDiscountBps)) / 10_000n;
  const price = (discounted * 10n ** 20n) / priceE8;
  return act(
    market,
    poster,
    market.gateway,
    'purchasePlan',
    [planId, 0, price, plan.dailyLimit, planPeriodDays],
    tokOf(market, poster, price),
  );
}

export function buyPlanWithUsdc(market: Market): Promise<number> {
  const { usdc: token, gateway: spender } = market;
  const allowance = { owner: market.people.poster, token, spender, amount: plan.priceUsdc };
  const args = [planId, 1, plan.priceUsdc, plan.dailyLimit, planPeriodDays];
  return act(market, market.people.poster, spender, 'purchasePlan', args, [allowance]);
}

export async function posted(market: Market, options: PostOptions = { fundNow: total }): Promise<bigint> {
  await post(market, options);
  return market.chain.read<bigint>(market.registry, 'taskCount', []);
}

export async function claimed(market: Market, options?: PostOptions): Promise<bigint> {
  const taskId = await posted(market, options);
  await claim(market, taskId);
  return taskId;
}

export async function active(market: Market, options?: PostOptions): Promise<bigint> {
  const taskId = await claimed(market, options);
  await start(market, taskId);
  return taskId;
}

export async function delivered(market: Market, options?: PostOptions): Promise<bigint> {
  const taskId = await active(market, options);
  await deliver(market, taskId);
  return taskId;
}

export async function disputed(market: Market): Promise<bigint> {
  const taskId = await delivered(market);
  await dispute(market, taskId);
  return taskId;
}

export async function answered(market: Market, withBond = true): Promise<bigint> {
  const taskId = await disputed(market);
  await answer(market, taskId, market.people.worker, withBond);
  return taskId;
}

export async function assigned(market: Market): Promise<bigint> {
  const taskId = await answered(market);
  await propose(market, taskId, market.people.poster);
  await propose(market, taskId, market.people.worker);
  return taskId;
}
