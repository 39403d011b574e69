// Random sequences of calls on one market, each played by the model, too, and compared with it after every call.
import assert from 'node:assert/strict';
import { parseEther } from 'viem';
import type { Market } from '../../../../sdk/src/domain/market.ts';
import {
  type Call,
  chooseTask,
  createCalls,
  createDice,
  type Dice,
  people,
  phases,
  states,
} from './calls.ts';
import * as on from './chain.ts';
import { createModel, day, type MarketModel, Refused, type Task } from './market.ts';

const deposit = 80_000_000n;
const judgeBond = parseEther('100000');

/** Plays `runs` sequences of `depth` calls; answers how often each call was made and was refused. */
export async function playRandom(market: Market, seed: number, runs: number, depth: number) {
  const chain = await on.createChain(market, deposit, parseEther('40000'));
  const { registry, court, deposits, tok, reputation, escrow } = chain.contracts;
  const rules = {
    bond: chain.rules.bondUsdc,
    entry: chain.rules.entryUsdc,
    pause: chain.rules.pauseUsdc,
    minReview: chain.rules.minReviewSeconds,
    hearing: chain.rules.hearingSeconds,
    maxMilestone: chain.cap,
    minTotal: chain.rules.minTotalTokWei,
    minBond: chain.rules.arbitratorMinBondTokWei,
  };
  const { skipSome, choose } = createCalls(chain, rules);
  await chain.must(on.arbitrator, court, 'registerArbitrator', [judgeBond, 0n]);
  await chain.must(on.rival, court, 'registerArbitrator', [parseEther('10000'), 0n]);
  const counts = new Map<string, { done: number; refused: number }>();
  const start = chain.clock;
  const wealth = (await chain.read(
    ...people.map(({ address }) => [tok, 'balanceOf', [address]] as const),
  )) as bigint[];

  for (let run = 0; run < runs; run += 1) {
    const snapshot = await chain.ask('evm_snapshot');
    chain.skip(start - chain.clock);
    await playOne(createDice(seed * 1_000 + run), `seed ${seed}, run ${run}`);
    await chain.ask('evm_revert', snapshot);
  }
  return counts;

  async function playOne(dice: Dice, name: string) {
    const model = createModel(rules, on.fee, on.fallback.address);
    model.judges.set(on.arbitrator.address, judgeBond).set(on.rival.address, parseEther('10000'));
    people.forEach(({ address }, at) => {
      model.agents.set(address, { tok: wealth[at] as bigint, deposit, locked: 0n, engaged: 0, marks: {} });
    });
    const over: boolean[] = [];
    const ends: number[] = [];
    for (let step = 0; step < depth; step += 1) {
      skipSome(model, dice);
      model.at.now = chain.clock;
      const task = chooseTask(model, dice);
      const call = await choose(model, dice, task);
      if (call === undefined) continue;
      const { done } = await chain.send(call.from, call.to, call.name, call.args);
      const expected = attempt(call);
      const where = `${name}, step ${step}: ${call.name}`;
      assert.equal(
        done,
        expected,
        `${where} ${expected ? 'should have been done' : 'should have been refused'}`,
      );
      const count = counts.get(call.name) ?? { done: 0, refused: 0 };
      count[done ? 'done' : 'refused'] += 1;
      counts.set(call.name, count);
      const touched = call.name === 'postTask' || call.name === 'createTask' ? model.tasks.at(-1) : task;
      await compare(model, touched, where);
      // What is over stays over, whatever the feed says.
      if (dice.chance(0.1)) ends.push(model.at.now + dice.below(10 * day));
      for (const [at, end] of ends.entries()) {
        const isOver = model.over(end);
        assert.ok(isOver || over[at] !== true, `${where}: a clock ran back`);
        over[at] = isOver;
      }
    }
  }

  function attempt({ play }: Call): boolean {
    try {
      play();
      return true;
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
  }

  /** The task, and everybody's money: on the chain as in the model. */
  async function compare(model: MarketModel, task: Task | undefined, where: string) {
    const id = BigInt(task === undefined ? 0 : model.tasks.indexOf(task) + 1);
    const ofAgents = people.flatMap(({ address }) => [
      [tok, 'balanceOf', [address]] as const,
      [deposits, 'accountOf', [address]] as const,
      [reputation, 'reputationOf', [address]] as const,
    ]);
    const answers = await chain.read(
      [registry, 'taskOf', [id]],
      [court, 'disputeOf', [id]],
      [tok, 'balanceOf', [escrow.address]],
      [tok, 'balanceOf', [court.address]],
      [court, 'totalBonded', []],
      [escrow, 'heldOf', [id]],
      ...ofAgents,
    );
    const [view, dispute, inEscrow, inCourt, bonded, held] = answers as [
      Record<string, number | bigint | boolean | string>,
      Record<string, number | bigint | boolean | string>,
      ...bigint[],
    ];
    const agents = people.map((_, at) => {
      const [balance, [account], marks] = answers.slice(6 + 3 * at) as [
        bigint,
        [{ balance: bigint; locked: bigint; engagements: number }],
        Record<string, number>,
      ];
      const { completed, disputesWon: won, disputesLost: lost, left, dismissed, lapsed } = marks;
      const counted = { completed, won, lost, left, dismissed, lapsed };
      return {
        tok: balance,
        deposit: account.balance,
        locked: account.locked,
        engaged: Number(account.engagements),
        marks: counted,
      };
    });
    const none = { completed: 0, won: 0, lost: 0, left: 0, dismissed: 0, lapsed: 0 };
    const expectedAgents = people.map(({ address }) => ({
      ...model.of(address),
      marks: { ...none, ...model.of(address).marks },
    }));
    assert.deepEqual(agents, expectedAgents, where);
    const judges = [...model.judges.values()].reduce((sum, bond) => sum + bond, 0n);
    assert.deepEqual([inCourt, bonded], [judges + model.at.court, judges], `${where}: the court`);
    assert.equal(
      inEscrow,
      model.tasks.reduce((sum, each) => sum + each.held, 0n),
      `${where}: escrow`,
    );
    // Nobody's money is made or lost.
    const all =
      agents.reduce((sum, agent) => sum + agent.tok, 0n) +
      (inEscrow as bigint) +
      (inCourt as bigint) +
      model.at.sunk;
    assert.equal(
      all,
      wealth.reduce((sum, each) => sum + each, judgeBond + parseEther('10000')),
      `${where}: all TOK`,
    );
    for (const { deposit: balance, locked } of agents)
      assert.ok(locked <= balance, `${where}: a bond is not covered`);
    if (task === undefined) return;
    const { state, milestone, deadline, updatedAt, round, dismissAt, vouched, instant } = task;
    const expected = {
      state: states.indexOf(state),
      milestone,
      deadline,
      updatedAt,
      round,
      vouched,
      instant,
      funded: task.funded,
      held: task.held,
    };
    const seen = {
      state: view.state,
      milestone: view.milestone,
      deadline: Number(view.deadline),
      updatedAt: Number(view.updatedAt),
      round: view.round,
      vouched: view.vouched,
      instant: view.instant,
      funded: view.funded,
      held,
    };
    assert.deepEqual(seen, expected, `${where}: the task`);
    if (state === 'ACTIVE') assert.equal(Number(view.dismissAt), dismissAt, `${where}: the dismissal`);
    assert.equal(
      Number(view.trialEnds),
      model.trial(task) ? updatedAt + rules.minReview : 0,
      `${where}: the trial`,
    );
    const phase = task.dispute?.phase ?? 'NONE';
    assert.equal(dispute.phase, phases.indexOf(phase), `${where}: the phase`);
    if (task.dispute !== undefined && phase !== 'CLOSED')
      assert.equal(Number(dispute.phaseEnds), task.dispute.ends, `${where}: its end`);
  }
}
