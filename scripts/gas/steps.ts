// The operations of a market as steps that answer their gas, and short ways to each state of a task.
import { type Hex, keccak256, parseEther, stringToBytes, stringToHex } from 'viem';
import { marketParameters, type Plan, plans, protocolConstants } from '#sdk/domain/parameters.ts';
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
  const task = await market.chain.read<{ settlementDigest: Hex }>(market.registry, 'getTask', [taskId]);
  return act(market, by, market.registry, 'startWork', [taskId, task.settlementDigest]);
}

export function deliver(market: Market, taskId: bigint): Promise<number> {
  return act(market, market.people.worker, market.registry, 'submitProof', [taskId, hash('proof'), shortUri]);
}

export function accept(market: Market, taskId: bigint): Promise<number> {
  return act(market, market.people.poster, market.registry, 'acceptMilestone', [taskId, 0]);
}

export function leave(market: Market, taskId: bigint): Promise<number> {
  const { worker } = market.people;
  return act(market, worker, market.registry, 'leaveTask', [taskId], tokOf(market, worker, accessFee));
}

export function dismiss(market: Market, taskId: bigint, fee: bigint): Promise<number> {
  const { poster } = market.people;
  return act(market, poster, market.registry, 'dismissWorker', [taskId], tokOf(market, poster, fee));
}

export function dispute(market: Market, taskId: bigint, by = market.people.poster): Promise<number> {
  const bond = (total * BigInt(protocolConstants.disputeBps)) / 10_000n;
  return act(market, by, market.registry, 'openDispute', [taskId, hash('evidence')], tokOf(market, by, bond));
}

export function propose(market: Market, taskId: bigint, by: Wallet): Promise<number> {
  const { arbitrator } = market.people;
  return act(market, by, market.court, 'proposeArbitrator', [taskId, arbitrator.address]);
}

export function resolve(market: Market, taskId: bigint, workerBps: number): Promise<number> {
  const { arbitrator } = market.people;
  return act(market, arbitrator, market.court, 'resolveDispute', [taskId, workerBps, hash('reason')]);
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
    [planId, 0, price],
    tokOf(market, poster, price),
  );
}

export function buyPlanWithUsdc(market: Market): Promise<number> {
  const { usdc: token, gateway: spender } = market;
  const allowance = { owner: market.people.poster, token, spender, amount: plan.priceUsdc };
  return act(market, market.people.poster, spender, 'purchasePlan', [planId, 1, plan.priceUsdc], [allowance]);
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

export async function disputed(market: Market, by?: Wallet): Promise<bigint> {
  const taskId = await delivered(market);
  await dispute(market, taskId, by);
  return taskId;
}

export async function assigned(market: Market, by?: Wallet): Promise<bigint> {
  const taskId = await disputed(market, by);
  await propose(market, taskId, market.people.poster);
  await propose(market, taskId, market.people.worker);
  return taskId;
}
