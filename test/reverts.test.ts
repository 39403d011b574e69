// Proves that invalid input reverts with a named error and data, for every party and every contract.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Abi, keccak256, stringToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { postedPriceFeedAbi } from '#contracts/generated/abi/postedPriceFeed.ts';
import { pricingPolicyAbi } from '#contracts/generated/abi/pricingPolicy.ts';
import { findRevert } from '#sdk/chain/revert.ts';
import type { Address } from '#sdk/domain/address.ts';
import { parseTok, parseUsdc } from '#sdk/domain/amount.ts';
import { parseDocumentUri } from '#sdk/domain/document.ts';
import { indexOf, scopes, taskStates } from '#sdk/domain/state.ts';
import { buildTermsTypedData, hashMilestones, type TaskTerms } from '#sdk/domain/terms.ts';
import { type AccountName, accountOf, accounts } from '#service/devnet/accounts.ts';
import { taskStories } from '#service/devnet/seed/story.ts';
import { type RunningChain, startChain, wallSeconds } from './support/devnet.ts';
import { contractsOf, type MarketContracts } from './support/marketReader.ts';
import { readHistories, type TaskHistory } from './support/taskHistory.ts';

type Contract = { readonly address: Address; readonly abi: Abi };

const day = 86_400;
const hash = keccak256(stringToHex('any'));
const tok = (amount: number) => parseTok(String(amount));
const usdc = (amount: number) => parseUsdc(String(amount));
const word = (text: string) => stringToHex(text, { size: 32 });
const at = (name: AccountName) => accountOf(name).address;
const nameAt = (address: Address) =>
  (accounts.find((account) => account.address === address) as (typeof accounts)[number]).name;

let chain: RunningChain;
let market: MarketContracts;
let histories: TaskHistory[];
before(async () => {
  chain = await startChain();
  market = contractsOf(chain.deployment, 'standard');
  histories = await readHistories(chain.publicClient, chain.deployment, 'standard');
});
after(() => chain.stop());

async function expectRevert(
  by: AccountName,
  contract: Contract,
  functionName: string,
  args: readonly unknown[],
  error: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const call = { ...contract, functionName, args, account: at(by) } as const;
  const revert = await chain.publicClient.simulateContract(call).then(() => undefined, findRevert);
  assert.deepEqual([revert?.name, revert?.args], [error, data], `${functionName} by ${by}`);
}

function taskOf(key: string): TaskHistory['task'] {
  const story = taskStories.find((one) => one.key === key);
  const found = histories.find(({ uri }) => parseDocumentUri(uri)?.title === story?.title);
  assert.ok(found, `${key} is on the chain`);
  return found.task;
}

function offer(changes: object) {
  const deadline = BigInt(wallSeconds() + 10 * day);
  const plain = { totalAmount: tok(1_000), deadline, reviewPeriod: day, criteriaHash: hash };
  return [{ ...plain, milestones: [], uri: '', fundNow: 0n, ...changes }];
}

test('terms out of bounds are refused by the name of the field', async () => {
  const refuse = (changes: object, error: string, data: Readonly<Record<string, unknown>>) =>
    expectRevert('press', market.registry, 'postTask', offer(changes), error, data);
  await refuse({ totalAmount: tok(99) }, 'BadTerms', { field: word('totalAmount') });
  await refuse({ deadline: 5n }, 'BadTerms', { field: word('deadline') });
  await refuse({ reviewPeriod: 60 }, 'BadTerms', { field: word('reviewPeriod') });
  await refuse({ milestones: [tok(1_000)] }, 'BadMilestones', { reason: word('count') });
  await refuse({ milestones: [tok(999), tok(1)] }, 'BadMilestones', { reason: word('amount') });
  await refuse({ milestones: [tok(400), tok(500)] }, 'BadMilestones', { reason: word('sum') });
});

test('missing collateral, money or allowance is refused with the amount', async () => {
  const { registry, deposits, tok: token } = market;
  await expectRevert('newcomer', registry, 'postTask', offer({}), 'BelowEntry', {
    balance: 0n,
    required: usdc(25),
  });
  await expectRevert('newcomer', deposits, 'topUp', [usdc(30)], 'ERC20InsufficientAllowance', {
    spender: deposits.address,
    allowance: 0n,
    needed: usdc(30),
  });
  await expectRevert('newcomer', token, 'transfer', [at('press'), tok(250_001)], 'ERC20InsufficientBalance', {
    sender: at('newcomer'),
    balance: tok(250_000),
    needed: tok(250_001),
  });
  await expectRevert('drifter', deposits, 'withdraw', [usdc(1), at('drifter')], 'InsufficientFree', {
    free: 0n,
    required: usdc(1),
  });
  await expectRevert('press', deposits, 'topUp', [0n], 'ZeroAmount', { caller: at('press') });
  await expectRevert('press', deposits, 'emergencyTopUp', [at('lab'), usdc(9)], 'NotInEmergency', {
    agent: at('lab'),
  });
  await expectRevert('press', deposits, 'emergencyTopUp', [at('drifter'), usdc(1)], 'StillBelowPause', {
    balance: usdc(6),
    required: usdc(8),
  });
});

test('a claim with wrong terms, of the own task or of no task is refused', async () => {
  const { registry } = market;
  const { id } = taskOf('birdCalls');
  const args = [id, at('coder')] as const;
  const expected = await chain.publicClient.readContract({ ...registry, functionName: 'openDigest', args });
  await expectRevert('coder', registry, 'claimTask', [id, hash], 'DigestMismatch', { expected });
  await expectRevert('lab', registry, 'claimTask', [id, hash], 'SelfDeal', { agent: at('lab') });
  await expectRevert('coder', registry, 'claimTask', [999n, hash], 'WrongState', { taskId: 999n, state: 0 });
});

test('only the poster funds a task, above zero and up to the total', async () => {
  const { registry } = market;
  const { id } = taskOf('checkoutAudit');
  await expectRevert('coder', registry, 'fundTask', [id, 1n], 'NotPoster', { caller: at('coder') });
  await expectRevert('shop', registry, 'fundTask', [id, 0n], 'ZeroAmount', { caller: at('shop') });
  await expectRevert('shop', registry, 'fundTask', [id, tok(18_001)], 'OverFunded', {
    funded: tok(28_001),
    total: tok(28_000),
  });
});

test('a task becomes active only for a party, in time, on the right terms and fully funded', async () => {
  const { registry } = market;
  const funded = taskOf('loadTest');
  const unfunded = taskOf('recipeIndex');
  const { settlementDigest } = funded;
  await expectRevert('visitor', registry, 'startWork', [funded.id, settlementDigest], 'NotParty', {
    caller: at('visitor'),
  });
  await expectRevert('coder', registry, 'startWork', [funded.id, settlementDigest], 'TooEarly', {
    possibleAfter: funded.updatedAt + BigInt(day),
  });
  await expectRevert('shop', registry, 'startWork', [funded.id, hash], 'DigestMismatch', {
    expected: settlementDigest,
  });
  await expectRevert(
    'press',
    registry,
    'startWork',
    [unfunded.id, unfunded.settlementDigest],
    'NotFullyFunded',
    {
      held: 0n,
      required: tok(8_500),
    },
  );
});

test('delivering, accepting and ending early are for the right party in the right state', async () => {
  const { registry } = market;
  const active = taskOf('cookbookEdit').id;
  const second = taskOf('portraitSet').id;
  const delivered = taskOf('timetableParser');
  const deliver = [active, 0, hash, ''];
  await expectRevert('coder', registry, 'submitProof', deliver, 'NotWorker', { caller: at('coder') });
  await expectRevert(
    'drifter',
    registry,
    'submitProof',
    [taskOf('questText').id, 0, hash, ''],
    'AgentIsPaused',
    {
      agent: at('drifter'),
    },
  );
  await expectRevert('studio', registry, 'acceptMilestone', [second, 0, 0n], 'WrongMilestone', {
    current: 1,
  });
  const digest = taskOf('cookbookEdit').settlementDigest;
  for (const call of ['completeTask', 'dismissWorker', 'giveDismissNotice'])
    await expectRevert('press', registry, call, [active, hash], 'DigestMismatch', { expected: digest });
  await expectRevert('press', registry, 'dismissWorker', [active, digest], 'NoNotice', { taskId: active });
  await expectRevert('press', registry, 'acceptMilestone', [active, 0, 0n], 'WrongState', {
    taskId: active,
    state: indexOf(taskStates, 'ACTIVE'),
  });
  await expectRevert('operator', registry, 'resolveTimedOut', [delivered.id], 'TooEarly', {
    possibleAfter: delivered.updatedAt + BigInt(delivered.reviewPeriod),
  });
  const completed = taskOf('harbourGuide').id;
  await expectRevert('press', registry, 'cancelTask', [completed], 'WrongState', {
    taskId: completed,
    state: indexOf(taskStates, 'COMPLETED'),
  });
});

test('signed terms are refused when forged, expired, one-sided or different from what was signed', async () => {
  const { registry } = market;
  const now = wallSeconds();
  const terms: TaskTerms = {
    poster: at('press'),
    worker: at('linguist'),
    totalAmount: tok(1_000),
    milestonesHash: hashMilestones([]),
    criteriaHash: hash,
    deadline: BigInt(now + 10 * day),
    reviewPeriod: day,
    scope: 'private',
    salt: hash,
    acceptBy: BigInt(now + day),
  };
  const place = { chainId: 8453, registry: registry.address };
  const signature = await privateKeyToAccount(accountOf('linguist').privateKey).signTypedData(
    buildTermsTypedData(terms, place),
  );
  const create = (changes: Partial<TaskTerms>, uri = '', milestones: bigint[] = []) => {
    const changed = { ...terms, ...changes };
    return [{ ...changed, scope: indexOf(scopes, changed.scope) }, milestones, '0x', signature, uri, 0n];
  };
  const refuse = (by: AccountName, args: unknown[], error: string, data: Readonly<Record<string, unknown>>) =>
    expectRevert(by, registry, 'createTask', args, error, data);
  await refuse('press', create({ salt: word('other') }), 'BadSignature', { signer: at('linguist') });
  await refuse('press', create({ acceptBy: 7n }), 'Expired', { endedAt: 7n });
  await refuse('press', create({ worker: at('press') }), 'SelfDeal', { agent: at('press') });
  await refuse('visitor', create({}), 'NotParty', { caller: at('visitor') });
  await refuse('press', create({}, 'https://text.example'), 'BadTerms', { field: word('uri') });
  await refuse('press', create({}, '', [tok(500), tok(500)]), 'BadMilestones', { reason: word('hash') });
});

test('a dispute takes eligible third parties as arbitrators and rulings from nobody else', async () => {
  const { registry, court } = market;
  const answering = taskOf('voiceLines').id;
  const proposing = taskOf('feedMapping').id;
  const assigned = taskOf('orchardSurvey').id;
  const propose = (by: AccountName, id: bigint, arbitrator: AccountName, error: string, data: object) =>
    expectRevert(by, court, 'proposeArbitrator', [id, at(arbitrator)], error, { ...data });
  await propose('visitor', answering, 'umpire', 'NotParty', { caller: at('visitor') });
  await propose('studio', answering, 'linguist', 'ArbitratorIsParty', { arbitrator: at('linguist') });
  await propose('studio', answering, 'assessor', 'NotEligible', { arbitrator: at('assessor') });
  await propose('lab', assigned, 'referee', 'WrongPhase', { phase: 3 });
  const answer = (by: AccountName, id: bigint, withBond: boolean, error: string, data: object) =>
    expectRevert(by, court, 'answerDispute', [id, withBond, hash, ''], error, { ...data });
  await answer('studio', answering, true, 'NotParty', { caller: at('studio') });
  await answer('visitor', answering, false, 'NotParty', { caller: at('visitor') });
  await answer('fallback', answering, true, 'ArbitratorIsParty', { arbitrator: at('fallback') });
  await answer('analyst', proposing, true, 'WrongPhase', { phase: 2 });
  await expectRevert('visitor', court, 'submitEvidence', [proposing, hash, ''], 'NotParty', {
    caller: at('visitor'),
  });
  await expectRevert('shop', court, 'concede', [proposing, 1], 'WrongPhase', { phase: 2 });
  await expectRevert('visitor', court, 'concede', [proposing, 2], 'NotParty', { caller: at('visitor') });
  await expectRevert('referee', court, 'resolveDispute', [assigned, 0, hash, ''], 'NotArbitrator', {
    caller: at('referee'),
  });
  await expectRevert('umpire', court, 'resolveDispute', [assigned, 10_001, hash, ''], 'BadBps', {
    bps: 10_001,
  });
  const args = [assigned] as const;
  const { phaseEnds } = await chain.publicClient.readContract({ ...court, functionName: 'disputeOf', args });
  await expectRevert('visitor', court, 'escalate', args, 'TooEarly', { possibleAfter: phaseEnds });
  const { id, updatedAt, worker } = taskOf('timetableParser');
  const dispute = (by: AccountName, deliveredAt: bigint, error: string, data: object) =>
    expectRevert(by, registry, 'openDispute', [id, deliveredAt, hash, ''], error, { ...data });
  await dispute('visitor', updatedAt, 'NotPoster', { caller: at('visitor') });
  await dispute(nameAt(worker), updatedAt, 'NotPoster', { caller: worker });
  await dispute(nameAt(taskOf('timetableParser').poster), updatedAt - 1n, 'DeliveredAgain', {
    deliveredAt: updatedAt,
  });
  const earlier = [id, taskOf('timetableParser').milestone, updatedAt - 1n];
  await expectRevert(
    nameAt(taskOf('timetableParser').poster),
    registry,
    'acceptMilestone',
    earlier,
    'DeliveredAgain',
    {
      deliveredAt: updatedAt,
    },
  );
  await expectRevert('visitor', court, 'registerArbitrator', [tok(9_999), 0n], 'BondTooLow', {
    bond: tok(9_999),
    required: tok(10_000),
  });
  await expectRevert('umpire', court, 'withdrawBond', [], 'NotArbitrator', { caller: at('umpire') });
});

test('invalid stakes and plans are refused with their figures', async () => {
  const { staking, gateway } = market;
  await expectRevert('lab', staking, 'stake', [tok(9_999)], 'BelowMinStake', {
    staked: tok(9_999),
    required: tok(10_000),
  });
  await expectRevert('press', staking, 'unstake', [tok(80_001)], 'InsufficientStake', {
    staked: tok(80_000),
    wanted: tok(80_001),
  });
  await expectRevert('press', gateway, 'purchasePlan', [word('free'), 0, 0n, 0, 0], 'FreePlan', {
    tier: word('free'),
  });
  await expectRevert('press', gateway, 'purchasePlan', [word('gold'), 0, 0n, 0, 0], 'UnknownPlan', {
    id: word('gold'),
  });
  await expectRevert(
    'press',
    gateway,
    'purchasePlan',
    [word('basic'), 0, tok(3_599), 0, 0],
    'PriceAboveMax',
    {
      price: tok(3_600),
      maxPay: tok(3_599),
    },
  );
  for (const least of [
    [26, 30],
    [25, 31],
  ])
    await expectRevert(
      'press',
      gateway,
      'purchasePlan',
      [word('basic'), 0, tok(3_600), ...least],
      'PlanBelowMin',
      {
        dailyLimit: 25,
        periodDays: 30,
      },
    );
});

test('functions for a contract, the owner or the publisher are refused to all others', async () => {
  const { registry, escrow, deposits, gateway, court, staking, reputation } = market;
  const { deployment } = chain;
  const policy = { address: deployment.markets.standard.pricingPolicy, abi: pricingPolicyAbi };
  const feed = { address: deployment.priceFeed, abi: postedPriceFeedAbi };
  const caller = { caller: at('press') };
  for (const [contract, call, args] of [
    [escrow, 'release', [1n, at('press'), 1n]],
    [deposits, 'lockBond', [at('press')]],
    [gateway, 'collectAccessFee', [at('press'), 0, 1n]],
    [gateway, 'pull', [at('press'), 1n]],
    [staking, 'addReward', [1n]],
    [reputation, 'bump', [at('press'), 0]],
    [court, 'acceptFallback', []],
  ] as const)
    await expectRevert('press', contract, call, args, 'NotAuthorized', caller);
  const dispute = [1n, at('press'), at('lab'), 1n, day, 1];
  await expectRevert('press', court, 'open', dispute, 'NotRegistry', caller);
  await expectRevert('press', registry, 'settleDispute', [1n, 0, 0, 0n], 'NotCourt', caller);
  await expectRevert('press', feed, 'publish', [1n], 'NotPublisher', caller);
  for (const [contract, call, args] of [
    [registry, 'setEntriesPaused', [true]],
    [policy, 'setPlan', [word('gold'), 1, 1n, 0, true]],
    [staking, 'closeCreditIssuance', []],
    [court, 'scheduleFallback', [at('press')]],
    [feed, 'setPublisher', [at('press'), true]],
  ] as const)
    await expectRevert('press', contract, call, args, 'OwnableUnauthorizedAccount', { account: at('press') });
  await expectRevert('operator', staking, 'activate', [], 'AlreadyActive', { vault: staking.address });
  await expectRevert('publisher', feed, 'publish', [0n], 'BadPrice', { answer: 0n });
});
