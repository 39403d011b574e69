// The calls of a random sequence: mostly what the state of a task allows, now and then anything, at the ends of clocks and between them.
import { concatHex, type Hex, keccak256, parseEther, toHex } from 'viem';
import * as on from './chain.ts';
import { day, type MarketModel, need, type Rules, type Task } from './market.ts';

export type Call = {
  readonly name: string;
  readonly from: on.Wallet;
  readonly to: on.Contract;
  readonly args: readonly unknown[];
  readonly play: () => void;
};

const hash: Hex = `0x${'11'.repeat(32)}`;
export const states = [
  'NONE',
  'POSTED',
  'CLAIMED',
  'ACTIVE',
  'DELIVERED',
  'DISPUTED',
  'COMPLETED',
  'RESOLVED',
  'CANCELLED',
];
export const phases = ['NONE', 'ANSWERING', 'PROPOSING', 'ASSIGNED', 'ESCALATED', 'CLOSED'];
export const people = [on.poster, on.worker, on.rival, on.arbitrator, on.fallback];
const lastAnswer = 2n ** 64n - 1n;

export type Dice = ReturnType<typeof createDice>;

/** The same numbers for the same seed. */
export function createDice(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (limit: number) => Math.floor(next() * limit),
    chance: (part: number) => next() < part,
    pick: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item,
  };
}

/** Chooses the next call on this chain, and plays it on the model when asked to. */
export function createCalls(chain: on.Chain, rules: Rules) {
  const { registry, court, deposits, rounds, paymentGateway } = chain.contracts;
  return { skipSome, choose };

  /** Minutes, hours or days, or to an end of a clock and the second after. */
  function skipSome(model: MarketModel, dice: Dice) {
    chain.skip(dice.chance(0.05) ? 0 : 1);
    const luck = dice.below(100);
    if (luck < 60) return chain.skip(dice.below(600));
    if (luck < 75) return chain.skip(dice.below(3 * 3_600));
    if (luck < 77) return chain.skip(dice.below(4 * day));
    if (luck < 85) return;
    const task = chooseTask(model, dice);
    if (task === undefined) return;
    const { updatedAt, deadline, review, dismissAt, dispute } = task;
    const ends = [updatedAt + rules.minReview, updatedAt + day, deadline, deadline + day, updatedAt + review];
    const others = [dismissAt, dispute?.ends ?? 0, (dispute?.began ?? 0) + rules.hearing];
    const end = dice.pick([...ends, ...others]) + dice.below(2);
    if (end > chain.clock && end < chain.clock + 40 * day) chain.skip(end - chain.clock);
  }

  async function choose(model: MarketModel, dice: Dice, task: Task | undefined): Promise<Call | undefined> {
    const luck = dice.below(100);
    const live = model.tasks.filter(({ state }) => !/COMPLETED|RESOLVED|CANCELLED/.test(state)).length;
    if (task === undefined || live < 2 || (luck < 4 && live < 5))
      return dice.chance(0.7) ? post(model, dice) : create(model, dice);
    if (luck < 10) return others(model, dice);
    return act(model, dice, task);
  }

  function termsOf(model: MarketModel, dice: Dice) {
    const parts = 1 + dice.below(4);
    const unit = parseEther('1000');
    const amounts = Array.from(
      { length: parts },
      () => unit * BigInt(1 + dice.below(dice.chance(0.1) ? 60 : 9)) + BigInt(dice.below(9)),
    );
    if (parts > 1 && dice.chance(0.15)) amounts[0] = unit / 10n;
    const total = amounts.reduce((sum, amount) => sum + amount, 0n);
    const deadline =
      model.at.now +
      (dice.chance(0.15) ? dice.below(7_200) : dice.below(20 * day)) +
      (dice.chance(0.05) ? 0 : 1);
    const review = rules.minReview + dice.below(2 * day);
    return { amounts, total, deadline, review, fund: dice.pick([0n, total, total, total / 2n]) };
  }

  function post(model: MarketModel, dice: Dice): Call {
    const from = dice.pick(people);
    const { amounts, total, deadline, review, fund } = termsOf(model, dice);
    const instant = dice.chance(0.2);
    const milestones = amounts.length === 1 ? [] : amounts;
    const params = {
      totalAmount: total,
      deadline: BigInt(deadline),
      reviewPeriod: review,
      criteriaHash: hash,
      milestones,
      uri: '',
      fundNow: fund,
      instant,
    };
    const post = { poster: from.address, amounts, deadline, review, fund };
    const kind = { worker: '', open: true, signed: false, vouched: false, instant };
    const play = () => model.enterTask({ ...post, ...kind });
    return { name: 'postTask', from, to: registry, args: [params], play };
  }

  async function create(model: MarketModel, dice: Dice): Promise<Call> {
    const [from, other] = [dice.pick(people), dice.pick(people)];
    const { amounts, total, deadline, review, fund } = termsOf(model, dice);
    const [vouched, open] = [dice.chance(0.5), dice.chance(0.5)];
    const milestones = amounts.length === 1 ? [] : amounts;
    const terms = {
      poster: from.address,
      worker: other.address,
      totalAmount: total,
      milestonesHash: packedHash(milestones),
      criteriaHash: hash,
      deadline: BigInt(deadline),
      reviewPeriod: review,
      scope: open ? 0 : 1,
      salt: toHex(model.tasks.length + 1, { size: 32 }),
      acceptBy: BigInt(model.at.now + 1),
      vouched,
    };
    const digest = (await chain.one(registry, 'hashTerms', [terms])) as Hex;
    const signature = await other.sign({ hash: digest });
    const post = { poster: from.address, amounts, deadline, review, fund };
    const kind = { worker: other.address, open, signed: true, vouched, instant: false };
    const play = () => model.enterTask({ ...post, ...kind });
    return { name: 'createTask', from, to: registry, args: [terms, milestones, signature, '', fund], play };
  }

  /** Calls that are about no task: the feed, the owner, deposits. */
  function others(model: MarketModel, dice: Dice): Call {
    const luck = dice.below(5);
    if (luck === 0) {
      const amount = BigInt(1 + dice.below(20)) * 1_000_000n;
      const from = dice.pick(people);
      const play = () => {
        model.of(from.address).deposit += amount;
      };
      return { name: 'topUp', from, to: deposits, args: [amount], play };
    }
    if (luck === 1) {
      const fee = (on.fee / 10n) * BigInt(dice.below(12));
      const play = () => {
        need(fee >= on.fee / 10n, fee <= on.fee);
        model.at.fee = fee;
      };
      return { name: 'setAccessFee', from: on.owner, to: paymentGateway, args: [fee], play };
    }
    if (luck === 2) return fallbackCall(model, dice);
    const down = dice.chance(0.5);
    const play = () => {
      if (model.rounds.at(-1)?.down !== down) model.rounds.push({ down, since: model.at.now });
    };
    return { name: 'set', from: on.owner, to: rounds, args: [down], play };
  }

  function fallbackCall(model: MarketModel, dice: Dice): Call {
    const next = dice.pick([on.poster, on.rival, on.fallback]);
    const last = model.terms.at(-1) as { readonly since: number };
    const luck = dice.below(4);
    if (luck < 2) {
      const play = () => {
        model.at.nextFallback = next.address;
      };
      return { name: 'scheduleFallback', from: on.owner, to: court, args: [next.address], play };
    }
    if (luck === 2) {
      const play = () => {
        need(last.since > model.at.now);
        model.terms.pop();
      };
      return { name: 'cancelFallback', from: on.owner, to: court, args: [], play };
    }
    const play = () => {
      need(model.at.nextFallback === next.address, last.since <= model.at.now);
      model.at.nextFallback = '';
      model.terms.push({ who: next.address, since: model.at.now + 30 * day });
    };
    return { name: 'acceptFallback', from: next, to: court, args: [], play };
  }

  async function act(model: MarketModel, dice: Dice, task: Task): Promise<Call | undefined> {
    const id = BigInt(model.tasks.indexOf(task) + 1);
    const own = (who: string) => people.find(({ address }) => address === who) ?? dice.pick(people);
    const poster = dice.chance(0.97) ? own(task.poster) : dice.pick(people);
    const taker = dice.chance(0.97) ? own(task.worker) : dice.pick(people);
    const { milestone, deadline } = task;
    const name = dice.chance(0.9) ? dice.pick(likely(task)) : dice.pick(everything);
    const digest = async () =>
      ((await chain.one(registry, 'taskOf', [id])) as { settlementDigest: Hex }).settlementDigest;
    const asked = async () => (await chain.one(registry, 'openDigest', [id, taker.address])) as Hex;
    const party = dice.chance(0.5) ? poster : taker;
    const by = (from: on.Wallet, args: readonly unknown[], play: () => void, to = registry): Call => ({
      name,
      from,
      to,
      args,
      play,
    });
    const [p, t] = [poster.address, taker.address];
    switch (name) {
      case 'claimTask':
        return by(taker, [id, await asked()], () => model.claim(task, t));
      case 'fundTask': {
        const total = task.amounts.reduce((sum, amount) => sum + amount, 0n);
        const amount = dice.pick([total - task.funded, total / 2n, 1n]);
        return by(poster, [id, amount], () => model.fund(task, p, amount));
      }
      case 'startWork':
        return by(poster, [id, await digest()], () => model.start(task, p));
      case 'submitProof':
        return by(taker, [id, milestone, hash, ''], () => model.deliver(task, t));
      case 'acceptMilestone':
        return by(poster, [id, milestone, BigInt(task.updatedAt)], () => model.accept(task, p));
      case 'completeTask':
        return by(poster, [id, await digest()], () => model.complete(task, p));
      case 'extendDeadline': {
        const later = deadline + dice.below(40 * day);
        return by(poster, [id, BigInt(later)], () => model.extend(task, p, later));
      }
      case 'leaveTask':
        return by(taker, [id, states.indexOf(task.state)], () => model.leave(task, t));
      case 'dismissWorker':
        return by(poster, [id, await digest()], () => model.dismiss(task, p));
      case 'cancelTask':
        return by(poster, [id], () => model.cancel(task, p));
      case 'resolveTimedOut':
        return by(dice.pick(people), [id], () => model.timeOut(task));
      case 'openDispute':
        return by(poster, [id, lastAnswer, hash, ''], () => model.dispute(task, p));
      default:
        return actInCourt(model, dice, task, name, id, party, taker);
    }
  }

  async function actInCourt(
    model: MarketModel,
    dice: Dice,
    task: Task,
    name: string,
    id: bigint,
    party: on.Wallet,
    taker: on.Wallet,
  ): Promise<Call | undefined> {
    const by = (from: on.Wallet, args: readonly unknown[], play: () => void): Call => ({
      name: name.replace(' in court', ''),
      from,
      to: court,
      args,
      play,
    });
    const share = dice.pick([0n, 10_000n, 5_000n, 9_000n, 1_000n, BigInt(dice.below(10_002))]);
    switch (name) {
      case 'answerDispute': {
        const withBond = dice.chance(0.6);
        return by(taker, [id, withBond, hash, ''], () => model.answer(task, taker.address, withBond));
      }
      case 'submitEvidence':
        return by(party, [id, hash, ''], () => model.evidence(task, party.address));
      case 'proposeArbitrator': {
        const pick = dice.pick([on.arbitrator, on.arbitrator, on.rival]).address;
        return by(party, [id, pick], () => model.propose(task, party.address, pick));
      }
      case 'resolveDispute': {
        const judge = task.dispute === undefined ? '' : model.judge(task);
        const from = people.find(({ address }) => address === judge) ?? dice.pick(people);
        return by(from, [id, share, hash, ''], () => model.rule(task, from.address, share));
      }
      case 'concede': {
        const phase = phases.indexOf(task.dispute?.phase ?? 'NONE');
        return by(party, [id, phase], () => model.concede(task, party.address));
      }
      case 'escalate':
        return by(party, [id], () => model.escalate(task));
      case 'resolveTimedOut in court':
        return by(party, [id], () => model.timeOutCase(task));
      default: {
        if (share > 10_000n || task.worker === '') return undefined;
        const until = BigInt(chain.clock);
        const digest = (await chain.one(registry, 'hashSettlement', [id, share, until])) as Hex;
        const sign = (who: string) => people.find(({ address }) => address === who)?.sign({ hash: digest });
        const args = [id, share, until, await sign(task.poster), await sign(task.worker)];
        return by(on.owner, args, () => model.agree(task, share));
      }
    }
  }
}

/** Mostly one that goes on, and of these one of the newest. */
export function chooseTask(model: MarketModel, dice: Dice): Task | undefined {
  const live = model.tasks.filter(({ state }) => !/COMPLETED|RESOLVED|CANCELLED/.test(state)).slice(-3);
  return dice.pick(dice.chance(0.95) && live.length > 0 ? live : model.tasks);
}

const everything = [
  ...[
    'claimTask',
    'fundTask',
    'startWork',
    'submitProof',
    'acceptMilestone',
    'completeTask',
    'extendDeadline',
    'leaveTask',
  ],
  ...[
    'dismissWorker',
    'cancelTask',
    'resolveTimedOut',
    'openDispute',
    'answerDispute',
    'submitEvidence',
    'proposeArbitrator',
  ],
  ...['resolveDispute', 'concede', 'escalate', 'resolveTimedOut in court', 'mutualSettle'],
];

/** How often each call is tried in a state. */
const ways: Readonly<Record<string, string>> = {
  POSTED: 'claimTask*12 fundTask*3 extendDeadline cancelTask resolveTimedOut',
  CLAIMED: 'fundTask*12 leaveTask dismissWorker resolveTimedOut extendDeadline mutualSettle',
  ACTIVE:
    'submitProof*12 startWork*6 leaveTask dismissWorker*2 resolveTimedOut*2 extendDeadline completeTask mutualSettle',
  DELIVERED:
    'acceptMilestone*3 openDispute*10 submitProof*2 resolveTimedOut*2 leaveTask completeTask mutualSettle',
  ANSWERING:
    'answerDispute*10 proposeArbitrator*6 concede resolveTimedOut_in_court*2 submitEvidence mutualSettle',
  PROPOSING: 'proposeArbitrator*12 escalate*4 concede submitEvidence mutualSettle',
  ASSIGNED: 'resolveDispute*4 submitEvidence*4 escalate*2 concede mutualSettle',
  ESCALATED: 'resolveDispute*4 submitEvidence*4 resolveTimedOut_in_court*2 concede mutualSettle',
};

function likely({ state, dispute }: Task): readonly string[] {
  const listed = ways[state === 'DISPUTED' ? (dispute?.phase ?? '') : state];
  return listed === undefined ? everything : listed.split(' ').flatMap(repeat);
}

function repeat(listed: string): string[] {
  const [name = '', times = '1'] = listed.replaceAll('_', ' ').split('*');
  return Array.from({ length: Number(times) }, () => name);
}

function packedHash(amounts: readonly bigint[]): Hex {
  return keccak256(concatHex(amounts.map((amount) => toHex(amount, { size: 32 }))));
}
