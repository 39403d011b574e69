// Every operation that is measured and the gas it may use at most.
import { parseUnits } from 'viem';
import { stakeAmount } from './history.ts';
import { day, type Market } from './market.ts';
import * as steps from './steps.ts';

export type Operation = {
  readonly name: string;
  readonly ceiling?: number;
  /** Prepares what the operation needs and answers the gas of its one transaction. */
  readonly run: (market: Market) => Promise<number>;
};

const { accessFee, act, tokOf, total } = steps;
const unfunded = {};
const inThirds = { milestones: steps.thirds, fundNow: total };
const inTenths = { milestones: Array.from({ length: 10 }, () => total / 10n), fundNow: total };
const kibibyte = `data:application/json,{"title":"${'x'.repeat(990)}"}`;
const phases = { answering: 1, proposing: 2, assigned: 3 };
const usd = (amount: string) => parseUnits(amount, 6);

const entering: Operation[] = [
  { name: 'postTask', ceiling: 200_000, run: (market) => steps.post(market) },
  { name: 'postTask, 1 KiB inline document', run: (market) => steps.post(market, { uri: kibibyte }) },
  { name: 'postTask, funded', run: (market) => steps.post(market, { fundNow: total }) },
  {
    name: 'postTask, 10 milestones, funded',
    ceiling: 450_000,
    run: (market) => steps.post(market, inTenths),
  },
  {
    name: 'postTask, fee by stored credits',
    run: (market) => steps.post(market, { from: market.people.staker, withCredits: true }),
  },
  {
    name: 'postTask, fee by credits that accrue first',
    run: (market) => steps.post(market, { from: market.people.arbitrator, withCredits: true }),
  },
  {
    name: "postTask, the day's first fee",
    run: (market) => {
      market.chain.skip(day);
      return steps.post(market);
    },
  },
  { name: 'createTask, funded', ceiling: 440_000, run: steps.create },
  {
    name: 'claimTask',
    ceiling: 145_000,
    run: async (market) => steps.claim(market, await steps.posted(market)),
  },
  {
    name: 'claimTask, 10 milestones',
    run: async (market) => steps.claim(market, await steps.posted(market, inTenths)),
  },
  {
    name: 'fundTask',
    ceiling: 138_000,
    run: async (market) => steps.fund(market, await steps.posted(market, unfunded)),
  },
];

const working: Operation[] = [
  {
    name: 'startWork by poster',
    ceiling: 65_000,
    run: async (market) => steps.start(market, await steps.claimed(market)),
  },
  {
    name: 'startWork by worker',
    ceiling: 65_000,
    run: async (market) => {
      const taskId = await steps.claimed(market);
      market.chain.skip(day);
      return steps.start(market, taskId, market.people.worker);
    },
  },
  {
    name: 'submitProof',
    ceiling: 52_000,
    run: async (market) => steps.deliver(market, await steps.active(market)),
  },
  {
    name: 'submitProof again',
    run: async (market) => steps.deliver(market, await steps.delivered(market)),
  },
  {
    name: 'acceptMilestone, last',
    ceiling: 115_000,
    run: async (market) => steps.accept(market, await steps.delivered(market)),
  },
  {
    name: 'acceptMilestone, other',
    ceiling: 85_000,
    run: async (market) => steps.accept(market, await steps.delivered(market, inThirds)),
  },
  {
    name: 'completeTask',
    run: async (market) => steps.complete(market, await steps.active(market)),
  },
  {
    name: 'extendDeadline',
    run: async (market) => {
      const args = [await steps.active(market), BigInt(market.chain.now() + 100 * day)];
      return act(market, market.people.poster, market.registry, 'extendDeadline', args);
    },
  },
];

const leaving: Operation[] = [
  {
    name: 'leaveTask, ACTIVE',
    ceiling: 122_000,
    run: async (market) => steps.leave(market, await steps.active(market)),
  },
  {
    name: 'leaveTask, CLAIMED',
    ceiling: 122_000,
    run: async (market) => steps.leave(market, await steps.claimed(market)),
  },
  {
    name: 'leaveTask, DELIVERED',
    ceiling: 122_000,
    run: async (market) => steps.leave(market, await steps.delivered(market)),
  },
  {
    name: 'dismissWorker, CLAIMED',
    ceiling: 100_000,
    run: async (market) => steps.dismiss(market, await steps.claimed(market), accessFee),
  },
  {
    name: 'giveDismissNotice',
    ceiling: 78_000,
    run: async (market) => steps.giveNotice(market, await steps.active(market)),
  },
  {
    name: 'dismissWorker, ACTIVE',
    ceiling: 72_000,
    run: async (market) => {
      const taskId = await steps.active(market);
      await steps.giveNotice(market, taskId);
      market.chain.skip(day);
      return steps.dismiss(market, taskId, 0n);
    },
  },
  {
    name: 'cancelTask',
    run: async (market) =>
      act(market, market.people.poster, market.registry, 'cancelTask', [await steps.posted(market)]),
  },
  { name: 'resolveTimedOut, POSTED', run: (market) => timedOut(market, steps.posted(market), 11 * day) },
  {
    name: 'resolveTimedOut, CLAIMED, not funded',
    run: (market) => timedOut(market, steps.claimed(market, unfunded), day),
  },
  {
    name: 'resolveTimedOut, CLAIMED, funded',
    run: (market) => timedOut(market, steps.claimed(market), 2 * day),
  },
  { name: 'resolveTimedOut, ACTIVE', run: (market) => timedOut(market, steps.active(market), 12 * day) },
  { name: 'resolveTimedOut, DELIVERED', run: (market) => timedOut(market, steps.delivered(market), 4 * day) },
];

const disputing: Operation[] = [
  {
    name: 'openDispute',
    ceiling: 160_000,
    run: async (market) => steps.dispute(market, await steps.delivered(market)),
  },
  {
    name: 'openDispute, later milestones go back',
    ceiling: 200_000,
    run: async (market) => steps.dispute(market, await steps.delivered(market, inThirds), steps.thirds[0]),
  },
  {
    name: 'answerDispute by the worker',
    ceiling: 70_000,
    run: async (market) => steps.answer(market, await steps.disputed(market), market.people.worker),
  },
  {
    name: 'answerDispute by a sponsor',
    ceiling: 92_000,
    run: async (market) => steps.answer(market, await steps.disputed(market), market.people.staker),
  },
  {
    name: 'answerDispute without a bond',
    ceiling: 50_000,
    run: async (market) => steps.answer(market, await steps.disputed(market), market.people.worker, false),
  },
  {
    name: 'submitEvidence',
    run: async (market) => steps.submitEvidence(market, await steps.disputed(market)),
  },
  {
    name: 'proposeArbitrator',
    ceiling: 65_000,
    run: async (market) => steps.propose(market, await steps.answered(market), market.people.poster),
  },
  {
    name: 'proposeArbitrator, agreeing',
    ceiling: 93_000,
    run: async (market) => {
      const taskId = await steps.answered(market);
      await steps.propose(market, taskId, market.people.poster);
      return steps.propose(market, taskId, market.people.worker);
    },
  },
  {
    name: 'resolveDispute, all to one',
    ceiling: 206_000,
    run: async (market) => steps.resolve(market, await steps.assigned(market), 10_000),
  },
  {
    name: 'resolveDispute, a split',
    ceiling: 206_000,
    run: async (market) => steps.resolve(market, await steps.assigned(market), 3_000),
  },
  {
    name: 'resolveDispute, a split, no bond of the worker',
    ceiling: 230_000,
    run: async (market) =>
      steps.resolve(market, await steps.answered(market, false), 3_000, market.people.fallback),
  },
  {
    name: 'concede, ANSWERING',
    run: async (market) =>
      steps.concede(market, await steps.disputed(market), market.people.worker, phases.answering),
  },
  {
    name: 'concede, PROPOSING',
    run: async (market) =>
      steps.concede(market, await steps.answered(market), market.people.poster, phases.proposing),
  },
  {
    name: 'concede, ASSIGNED',
    run: async (market) =>
      steps.concede(market, await steps.assigned(market), market.people.poster, phases.assigned),
  },
  {
    name: 'escalate, nobody agreed',
    run: async (market) => escalated(market, await steps.answered(market)),
  },
  {
    name: 'escalate, arbitrator silent',
    run: async (market) => escalated(market, await steps.assigned(market)),
  },
  {
    name: 'resolveTimedOut, DISPUTED, no answer',
    run: async (market) => {
      const taskId = await steps.disputed(market);
      market.chain.skip(4 * day);
      return steps.timeOut(market, taskId, 'court');
    },
  },
  {
    name: 'resolveTimedOut, DISPUTED, silent fallback',
    run: async (market) => {
      const taskId = await steps.answered(market);
      await escalated(market, taskId);
      market.chain.skip(7 * day);
      return steps.timeOut(market, taskId, 'court');
    },
  },
  {
    name: 'mutualSettle, ACTIVE, by a party',
    ceiling: 160_000,
    run: async (market) => steps.settle(market, await steps.active(market), market.people.poster),
  },
  {
    name: 'mutualSettle, arbitrator assigned, both signatures',
    ceiling: 200_000,
    run: async (market) => steps.settle(market, await steps.assigned(market), market.people.staker),
  },
];

const keeping: Operation[] = [
  {
    name: 'topUp',
    run: (market) => {
      const { usdc: token, deposits: spender } = market;
      const allowance = { owner: market.people.poster, token, spender, amount: usd('50') };
      return act(market, market.people.poster, spender, 'topUp', [usd('50')], [allowance]);
    },
  },
  {
    name: 'withdraw',
    run: (market) => {
      const { poster } = market.people;
      return act(market, poster, market.deposits, 'withdraw', [usd('50'), poster.address]);
    },
  },
  {
    name: 'stake',
    run: (market) => {
      const { staker } = market.people;
      return act(market, staker, market.staking, 'stake', [stakeAmount], tokOf(market, staker, stakeAmount));
    },
  },
  {
    name: 'unstake',
    run: (market) => act(market, market.people.staker, market.staking, 'unstake', [stakeAmount / 2n]),
  },
  {
    name: 'claimReward',
    run: (market) => act(market, market.people.staker, market.staking, 'claimReward', []),
  },
  { name: 'purchasePlan with TOK', run: steps.buyPlanWithTok },
  { name: 'purchasePlan with USDC', run: steps.buyPlanWithUsdc },
  { name: 'flush', run: (market) => act(market, market.people.poster, market.gateway, 'flush', []) },
];

export const operations: readonly Operation[] = [
  ...entering,
  ...working,
  ...leaving,
  ...disputing,
  ...keeping,
];

async function timedOut(market: Market, task: Promise<bigint>, seconds: number): Promise<number> {
  const taskId = await task;
  market.chain.skip(seconds);
  return steps.timeOut(market, taskId);
}

function escalated(market: Market, taskId: bigint): Promise<number> {
  market.chain.skip(6 * day);
  return act(market, market.people.staker, market.court, 'escalate', [taskId]);
}
