// A used market on a fresh chain in this process: its steps, each of which returns the gas of its one transaction, and
// short ways to each state of a task. Every transaction uses the same gas in every run.
import {
  type Abi,
  type Address,
  createPublicClient,
  createWalletClient,
  custom,
  type Hex,
  keccak256,
  parseEther,
  parseUnits,
  stringToBytes,
  stringToHex,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import * as abis from '#contracts/generated/abi.ts';
import type { Market as MarketName } from '#sdk/domain/market.ts';
import {
  marketParameters,
  type Plan,
  planPeriodDays,
  plans,
  protocolConstants,
  tokSupplyWei,
} from '#sdk/domain/parameters.ts';
import { deployMarkets } from '#service/deploy/deployMarkets.ts';
import { type AccountName, accountOf, accounts } from '#service/devnet/accounts.ts';
import { placeCanonicalContracts, usdcAddress } from '#service/devnet/canonical.ts';
import { createEvm } from '#service/devnet/evm.ts';

type Wallet = PrivateKeyAccount;
type Contract = { readonly address: Address; readonly abi: Abi };
/** What a step takes from a wallet, which approves exactly that much just before. */
type Allowance = readonly [owner: Wallet, amount: bigint, token?: Contract, spender?: Contract];
type PostOptions = {
  readonly from?: Wallet;
  readonly uri?: string;
  readonly milestones?: readonly bigint[];
  readonly fundNow?: bigint;
  readonly withCredits?: boolean;
};
type MarketOptions = { readonly name?: MarketName; readonly total?: bigint };
type TaskFacts = { readonly settlementDigest: Hex; readonly state: number; readonly updatedAt: bigint };

export type Market = Awaited<ReturnType<typeof createMarket>>;

const { accessFeeTokWei: accessFee, arbitratorMinBondTokWei: arbitratorBond } = marketParameters.standard;
export const day = 86_400;
/** What the tasks whose gas is measured are worth. */
export const usualTotal = parseEther('6000');
export const thirds = ['1000', '2000', '3000'].map((amount) => parseEther(amount));
export const stakeAmount = parseEther('1000000');

/** 66 bytes: the URI of a document at its content address. */
const shortUri = 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
/** 0.005 USD per TOK. */
const priceE8 = 500_000n;
const plan = plans.find(({ priceUsdc }) => priceUsdc > 0n) as Plan;
const planId = stringToHex(plan.id, { size: 32 });
const reviewPeriod = 3 * day;
const zeroHash: Hex = `0x${'0'.repeat(64)}`;
const hash = (text: string): Hex => keccak256(stringToBytes(text));
const bondOf = (amount: bigint) => (amount * BigInt(protocolConstants.disputeBps)) / 10_000n;
const walletOf = (name: AccountName): Wallet => privateKeyToAccount(accountOf(name).privateKey);

export async function createMarket({ name = 'standard', total = usualTotal }: MarketOptions = {}) {
  const operator = walletOf('operator');
  const publisher = walletOf('publisher');
  const fallback = walletOf('fallback');
  const [poster, worker, arbitrator, staker] = (['press', 'coder', 'umpire', 'newcomer'] as const).map(
    walletOf,
  ) as [Wallet, Wallet, Wallet, Wallet];

  const genesisTime = 1_780_000_000;
  const evm = await createEvm({ chainId: 8_453, genesisTime, accounts });
  const transport = custom(evm);
  const reader = createPublicClient({ transport, cacheTime: 0 });
  const writer = createWalletClient({ transport });
  await placeCanonicalContracts(evm);
  const deployment = await deployMarkets({
    rpc: { publicClient: reader, walletClient: createWalletClient({ transport, account: operator }) },
    usdc: usdcAddress,
    roles: {
      owner: operator.address,
      treasury: walletOf('treasury').address,
      fallbackArbitrator: fallback.address,
      publisher: publisher.address,
    },
    tokHolder: operator.address,
    tokSupply: tokSupplyWei,
    priceE8,
    activateStaking: true,
  });
  const { paymentGateway, depositVault, taskRegistry, disputeCourt, stakingVault } = deployment.markets[name];
  const tok = { address: deployment.tokToken, abi: abis.tokTokenAbi as Abi };
  const usdc = { address: deployment.usdc, abi: abis.testUsdcAbi as Abi };
  const feed = { address: deployment.priceFeed, abi: abis.postedPriceFeedAbi as Abi };
  const gateway = { address: paymentGateway, abi: abis.paymentGatewayAbi as Abi };
  const deposits = { address: depositVault, abi: abis.depositVaultAbi as Abi };
  const registry = { address: taskRegistry, abi: abis.taskRegistryAbi as Abi };
  const court = { address: disputeCourt, abi: abis.disputeCourtAbi as Abi };
  const staking = { address: stakingVault, abi: abis.stakingVaultAbi as Abi };

  // The deployment ran on the wall clock. From here on each block has its own second, so that timestamps in calldata,
  // and with them gas, are those of every other run.
  let clock = genesisTime + 3_600;

  /** Returns the gas of the whole transaction. */
  async function send(from: Wallet, to: Contract, functionName: string, args: readonly unknown[]) {
    clock += 1;
    await evm.request({ method: 'evm_setNextBlockTimestamp', params: [clock] });
    // A fixed limit above what any transaction here needs: an estimate would run each of them twice.
    const gas = 8_000_000n;
    const call = { ...to, account: from.address, chain: null, functionName, args, gas };
    const { status, gasUsed } = await reader.getTransactionReceipt({
      hash: await writer.writeContract(call),
    });
    if (status !== 'success') throw new Error(`${functionName} reverted.`);
    return Number(gasUsed);
  }

  /** TOK go to the gateway, the only contract that takes any. */
  async function act(
    from: Wallet,
    to: Contract,
    name: string,
    args: readonly unknown[],
    ...allowances: readonly Allowance[]
  ): Promise<number> {
    for (const [owner, amount, token = tok, spender = gateway] of allowances)
      await send(owner, token, 'approve', [spender.address, amount]);
    return send(from, to, name, args);
  }

  const read = <Result>(functionName: string, args: readonly unknown[]) =>
    reader.readContract({ ...registry, functionName, args }) as Promise<Result>;
  const taskOf = (taskId: bigint) => read<TaskFacts>('getTask', [taskId]);
  const skip = (seconds: number) => {
    clock += seconds;
  };

  /** Runs something and then takes the chain back to where it was. */
  async function aside<Result>(run: () => Promise<Result>): Promise<Result> {
    const before = clock;
    const snapshot = await evm.request({ method: 'evm_snapshot' });
    const result = await run();
    await evm.request({ method: 'evm_revert', params: [snapshot] });
    clock = before;
    return result;
  }

  const post = ({
    from = poster,
    uri = shortUri,
    milestones = [],
    fundNow = 0n,
    withCredits,
  }: PostOptions = {}) => {
    const deadline = BigInt(clock + 10 * day);
    const criteriaHash = hash('criteria');
    const params = { totalAmount: total, deadline, reviewPeriod, criteriaHash, milestones, uri, fundNow };
    return act(from, registry, 'postTask', [params], [from, (withCredits ? 0n : accessFee) + fundNow]);
  };

  const steps = {
    post,
    async create() {
      const terms = {
        poster: poster.address,
        worker: worker.address,
        totalAmount: total,
        milestonesHash: keccak256('0x'),
        criteriaHash: hash('criteria'),
        deadline: BigInt(clock + 10 * day),
        reviewPeriod,
        scope: 1,
        salt: hash('negotiation'),
        acceptBy: BigInt(clock + day),
      };
      const signature = await worker.sign({ hash: await read<Hex>('hashTerms', [terms]) });
      const args = [terms, [], '0x', signature, '', total];
      return act(poster, registry, 'createTask', args, [poster, accessFee + total], [worker, accessFee]);
    },
    revoke: () => act(worker, registry, 'revokeTerms', [hash('terms')]),
    async claim(taskId: bigint) {
      const digest = await read<Hex>('openDigest', [taskId, worker.address]);
      return act(worker, registry, 'claimTask', [taskId, digest], [worker, accessFee]);
    },
    fund: (taskId: bigint) => act(poster, registry, 'fundTask', [taskId, total], [poster, total]),
    async start(taskId: bigint, by = poster) {
      return act(by, registry, 'startWork', [taskId, (await taskOf(taskId)).settlementDigest]);
    },
    deliver: (taskId: bigint) => act(worker, registry, 'submitProof', [taskId, 0, hash('proof'), shortUri]),
    async accept(taskId: bigint) {
      return act(poster, registry, 'acceptMilestone', [taskId, 0, (await taskOf(taskId)).updatedAt]);
    },
    async complete(taskId: bigint) {
      return act(poster, registry, 'completeTask', [taskId, (await taskOf(taskId)).settlementDigest]);
    },
    extend: (taskId: bigint) => act(poster, registry, 'extendDeadline', [taskId, BigInt(clock + 100 * day)]),
    cancel: (taskId: bigint, by = poster) => act(by, registry, 'cancelTask', [taskId]),
    async leave(taskId: bigint) {
      return act(worker, registry, 'leaveTask', [taskId, (await taskOf(taskId)).state], [worker, accessFee]);
    },
    async giveNotice(taskId: bigint) {
      const args = [taskId, (await taskOf(taskId)).settlementDigest];
      return act(poster, registry, 'giveDismissNotice', args, [poster, accessFee]);
    },
    async dismiss(taskId: bigint, fee = accessFee) {
      const args = [taskId, (await taskOf(taskId)).settlementDigest];
      return act(poster, registry, 'dismissWorker', args, [poster, fee]);
    },
    answerNotice: (taskId: bigint) => act(worker, registry, 'answerNotice', [taskId]),
    async dispute(taskId: bigint, milestone = total, withBond = true) {
      const args = [taskId, (await taskOf(taskId)).updatedAt, withBond, hash('evidence'), shortUri];
      return act(poster, registry, 'openDispute', args, [poster, withBond ? bondOf(milestone) : 0n]);
    },
    answer: (taskId: bigint, by = worker, withBond = true) =>
      act(
        by,
        court,
        'answerDispute',
        by === worker ? [taskId, withBond, hash('answer'), shortUri] : [taskId, withBond, zeroHash, ''],
        ...(withBond ? [[by, bondOf(total)] as const] : []),
      ),
    concede: (taskId: bigint, by: Wallet, phase: number) => act(by, court, 'concede', [taskId, phase]),
    submitEvidence: (taskId: bigint) =>
      act(worker, court, 'submitEvidence', [taskId, hash('evidence'), shortUri]),
    propose: (taskId: bigint, by: Wallet) =>
      act(by, court, 'proposeArbitrator', [taskId, arbitrator.address]),
    /** When the hearing is over. */
    resolve(taskId: bigint, workerBps: number, by = arbitrator) {
      skip(day);
      return act(by, court, 'resolveDispute', [taskId, workerBps, hash('reason'), shortUri]);
    },
    escalate(taskId: bigint) {
      skip(6 * day);
      return act(staker, court, 'escalate', [taskId]);
    },
    /** Needs both signatures when a third party calls, and only the worker's when the poster calls. */
    async settle(taskId: bigint, by: Wallet) {
      const validUntil = BigInt(clock + day);
      const digest = await read<Hex>('hashSettlement', [taskId, 4_000, validUntil]);
      const posterSig = by === poster ? '0x' : await poster.sign({ hash: digest });
      const workerSig = await worker.sign({ hash: digest });
      return act(by, court, 'mutualSettle', [taskId, 4_000, validUntil, posterSig, workerSig]);
    },
    /** Called by an account that is not a party to the task. */
    timeOut(taskId: bigint, seconds: number, where = registry) {
      skip(seconds);
      return act(staker, where, 'resolveTimedOut', [taskId]);
    },
    topUp: (amount: bigint, by = poster) =>
      act(by, deposits, 'topUp', [amount], [by, amount, usdc, deposits]),
    withdraw: (amount: bigint) => act(poster, deposits, 'withdraw', [amount, poster.address]),
    stake: (by = staker) => act(by, staking, 'stake', [stakeAmount], [by, stakeAmount]),
    unstake: () => act(staker, staking, 'unstake', [stakeAmount / 2n]),
    claimReward: () => act(staker, staking, 'claimReward', []),
    flush: () => act(poster, gateway, 'flush', []),
    buyPlanWithTok() {
      // Discounted USD with 6 decimals, over USD per TOK with 8, in wei.
      const discounted = (plan.priceUsdc * BigInt(10_000 - plan.tokDiscountBps)) / 10_000n;
      const price = (discounted * 10n ** 20n) / priceE8;
      const args = [planId, 0, price, plan.dailyLimit, planPeriodDays];
      return act(poster, gateway, 'purchasePlan', args, [poster, price]);
    },
    buyPlanWithUsdc() {
      const args = [planId, 1, plan.priceUsdc, plan.dailyLimit, planPeriodDays];
      return act(poster, gateway, 'purchasePlan', args, [poster, plan.priceUsdc, usdc]);
    },
  };

  async function posted(options: PostOptions = { fundNow: total }): Promise<bigint> {
    await post(options);
    return read<bigint>('taskCount', []);
  }
  /** The task after one more step. */
  const after = async (task: Promise<bigint>, ...then: readonly ((taskId: bigint) => Promise<number>)[]) => {
    const taskId = await task;
    for (const step of then) await step(taskId);
    return taskId;
  };
  const claimed = (options?: PostOptions) => after(posted(options), steps.claim);
  const active = (options?: PostOptions) => after(claimed(options), (taskId) => steps.start(taskId));
  const delivered = (options?: PostOptions) => after(active(options), steps.deliver);
  const disputed = () => after(delivered(), (taskId) => steps.dispute(taskId));
  const answered = (withBond = true) => after(disputed(), (taskId) => steps.answer(taskId, worker, withBond));
  const assigned = () =>
    after(
      answered(),
      (taskId) => steps.propose(taskId, poster),
      (taskId) => steps.propose(taskId, worker),
    );

  // What happened before anything is measured, so that no wallet and no counter is new.
  for (const wallet of [poster, worker, arbitrator, staker]) {
    await send(operator, tok, 'transfer', [wallet.address, parseEther('10000000') + 10n * total]);
    await send(operator, usdc, 'mint', [wallet.address, parseUnits('10000', 6)]);
    await steps.topUp(parseUnits('1000', 6), wallet);
  }
  await act(arbitrator, court, 'registerArbitrator', [arbitratorBond, 0n], [arbitrator, arbitratorBond]);
  for (const from of [arbitrator, staker]) {
    await steps.cancel(await posted({ from }), from);
    await steps.stake(from);
  }
  // Time enough for credits that pay for several actions, and for the first fees to be split.
  skip(40 * day);
  await act(publisher, feed, 'publish', [priceE8]);
  await steps.accept(await delivered());
  await post({ from: staker, withCredits: true });
  await steps.leave(await claimed());
  await steps.resolve(await assigned(), 3_000);
  await steps.claimReward();
  await act(publisher, feed, 'publish', [priceE8]);
  await steps.buyPlanWithUsdc();
  // Money of others stays in escrow and court, and fees since the last split in the gateway.
  await assigned();
  await steps.flush();
  await posted();

  /** What a wallet owns, its deposit included. */
  async function wealthOf({ address }: { readonly address: Address }) {
    const balanceOf = ({ address: at, abi }: Contract) =>
      reader.readContract({
        address: at,
        abi,
        functionName: 'balanceOf',
        args: [address],
      }) as Promise<bigint>;
    const account = await reader.readContract({ ...deposits, functionName: 'accountOf', args: [address] });
    const [{ balance }] = account as readonly [{ readonly balance: bigint }];
    return { tok: await balanceOf(tok), usdc: (await balanceOf(usdc)) + balance };
  }

  const states = { posted, claimed, active, delivered, disputed, answered, assigned };
  const wallets = { poster, worker, arbitrator, staker, fallback };
  return { ...steps, ...states, ...wallets, total, court, staking, skip, now: () => clock, wealthOf, aside };
}
