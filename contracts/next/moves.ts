// What somebody could do on the next contracts instead of the honest thing, each played to its end in a chain in this process.
import { type Hex, keccak256, parseEther, toHex } from 'viem';
import type { Market } from '../../sdk/src/domain/market.ts';
import * as on from './test/model/chain.ts';

type Play = (id: bigint) => Promise<unknown>;
/** `team`: whose money it is, as two wallets may be one person. `reason`: why it may pay. */
type Row = readonly [
  author: string,
  move: string,
  team: readonly on.Wallet[],
  start: () => Promise<bigint>,
  honest: readonly Play[],
  deviates: readonly Play[],
  reason?: string,
];
export type Played = {
  readonly author: string;
  readonly move: string;
  readonly reason: string | undefined;
  readonly usd: number;
};

const hash: Hex = keccak256('0x01');
const day = 86_400;
/** What each deviation brings its author in US dollars, beside the honest way from the same start. */
export async function playAll(market: Market, feeUsd: number, sizeUsd: number): Promise<Played[]> {
  // A is 1,000 TOK.
  const price = feeUsd / 1_000;
  const D = parseEther(String(sizeUsd / price));
  const chain = await on.createChain(market, 1_000_000_000n, 20n * D, false);
  const { registry, court, deposits, tok, usdc } = chain.contracts;
  const { poster, worker, rival, fallback } = on;

  function act(from: on.Wallet, to: on.Contract, name: string, args: readonly unknown[]) {
    chain.skip(1);
    return chain.must(from, to, name, args);
  }
  const taskOf = async (id: bigint) =>
    (await chain.one(registry, 'taskOf', [id])) as {
      settlementDigest: Hex;
      updatedAt: bigint;
      milestone: number;
    };
  const lastTask = async () => (await chain.one(registry, 'taskCount', [])) as bigint;
  async function post(milestones: readonly bigint[] = [], instant = false) {
    const totalAmount = milestones.length === 0 ? D : milestones.reduce((sum, part) => sum + part, 0n);
    const terms = {
      totalAmount,
      deadline: BigInt(chain.clock + 10 * day),
      reviewPeriod: 3 * day,
      criteriaHash: hash,
    };
    await act(poster, registry, 'postTask', [
      { ...terms, milestones, uri: '', fundNow: totalAmount, instant },
    ]);
    return lastTask();
  }
  async function vouched() {
    const terms = {
      poster: poster.address,
      worker: worker.address,
      totalAmount: D,
      milestonesHash: keccak256('0x'),
      criteriaHash: hash,
      deadline: BigInt(chain.clock + 10 * day),
      reviewPeriod: 3 * day,
      scope: 0,
      salt: keccak256(toHex(chain.clock)),
      acceptBy: BigInt(chain.clock + day),
      vouched: true,
    };
    const digest = (await chain.one(registry, 'hashTerms', [terms])) as Hex;
    await act(poster, registry, 'createTask', [terms, [], await worker.sign({ hash: digest }), '', D]);
    return lastTask();
  }
  const claim: Play = async (id) =>
    act(worker, registry, 'claimTask', [id, await chain.one(registry, 'openDigest', [id, worker.address])]);
  const byDigest =
    (name: string): Play =>
    async (id) =>
      act(poster, registry, name, [id, (await taskOf(id)).settlementDigest]);
  const [start, dismiss] = [byDigest('startWork'), byDigest('dismissWorker')];
  const deliver: Play = async (id) =>
    act(worker, registry, 'submitProof', [id, (await taskOf(id)).milestone, hash, '']);
  const accept: Play = async (id) => {
    const { milestone, updatedAt } = await taskOf(id);
    return act(poster, registry, 'acceptMilestone', [id, milestone, updatedAt]);
  };
  const dispute: Play = async (id) =>
    act(poster, registry, 'openDispute', [id, (await taskOf(id)).updatedAt, hash, '']);
  const answer =
    (withBond: boolean): Play =>
    (id) =>
      act(worker, court, 'answerDispute', [id, withBond, hash, '']);
  const rule =
    (share: number): Play =>
    (id) => {
      chain.skip(day);
      return act(fallback, court, 'resolveDispute', [id, share, hash, '']);
    };
  const wait =
    (seconds: number): Play =>
    async () =>
      chain.skip(seconds);
  const escalate: Play = (id) => {
    chain.skip(3 * day);
    return act(rival, court, 'escalate', [id]);
  };
  const timeOut =
    (to = registry): Play =>
    (id) =>
      act(rival, to, 'resolveTimedOut', [id]);
  const concede =
    (who: on.Wallet, phase: number): Play =>
    (id) =>
      act(who, court, 'concede', [id, phase]);
  const leave: Play = (id) => act(worker, registry, 'leaveTask', [id, 3]);
  const cancel: Play = (id) => act(poster, registry, 'cancelTask', [id]);
  const onTrial = wait(chain.rules.minReviewSeconds + 1);

  const at = async (id: Promise<bigint>, ...steps: readonly Play[]) => {
    for (const step of steps) await step(await id);
    return id;
  };
  const posted = () => post();
  const active = () => at(post(), claim, start);
  const delivered = () => at(post(), claim, start, deliver);
  const answered = (withBond: boolean) => () =>
    at(post(), claim, start, deliver, dispute, answer(withBond), ...(withBond ? [escalate] : []));
  const crumb = D / 19n;
  const inParts = () => at(post([crumb, D]), claim, start, deliver);
  const escalated: readonly Play[] = [escalate, rule(0)];
  const rowsOf: readonly Row[] = [
    ['worker', 'claims everything and is sent away on trial', [worker], posted, [], [claim, dismiss]],
    [
      'worker',
      'claims everything and is sent away later',
      [worker],
      posted,
      [],
      [claim, onTrial, dismiss, wait(day), timeOut()],
    ],
    [
      'worker',
      'claims everything and stays silent',
      [worker],
      posted,
      [],
      [claim, wait(13 * day), timeOut()],
    ],
    [
      'worker',
      'is silent instead of leaving',
      [worker],
      active,
      [leave],
      [wait(13 * day), timeOut()],
      'where A is above 3/4 B, silence is cheaper; its price is a mark, and `svc deploy` warns',
    ],
    [
      'worker',
      'delivers junk and does not answer',
      [worker],
      posted,
      [],
      [claim, start, deliver, dispute, wait(3 * day), timeOut(court)],
    ],
    [
      'worker',
      junk('without', 'loses'),
      [worker],
      posted,
      [],
      [claim, start, deliver, dispute, answer(false), rule(0)],
    ],
    [
      'worker',
      junk('without', 'the judge errs'),
      [worker],
      posted,
      [],
      [claim, start, deliver, dispute, answer(false), rule(10_000)],
      'who cannot pay is heard; it pays where the fallback errs in one case of D / (A + B), see the table below',
    ],
    [
      'worker',
      junk('with', 'loses'),
      [worker],
      posted,
      [],
      [claim, start, deliver, dispute, answer(true), ...escalated],
    ],
    [
      'worker',
      junk('with', 'the judge errs'),
      [worker],
      posted,
      [],
      [claim, start, deliver, dispute, answer(true), escalate, rule(10_000)],
      'a judge may err; it pays where one errs in a case of about D / (A + B + F), see the table below',
    ],
    [
      'worker',
      'is right and answers without a bond',
      [worker],
      () => at(delivered(), dispute),
      [answer(true), escalate, rule(10_000)],
      [answer(false), rule(10_000)],
    ],
    [
      'worker',
      'delivers a crumb of junk, so that later milestones go back',
      [worker],
      () => post([crumb, D]),
      [],
      [claim, start, deliver, dispute, answer(false), rule(0)],
    ],
    [
      'poster',
      'disputes good work, answered with a bond',
      [poster],
      delivered,
      [accept],
      [dispute, answer(true), escalate, rule(10_000)],
    ],
    [
      'poster',
      'disputes good work, answered without a bond',
      [poster],
      delivered,
      [accept],
      [dispute, answer(false), rule(10_000)],
    ],
    [
      'poster',
      'disputes good work and gives in at once',
      [poster],
      delivered,
      [accept],
      [dispute, concede(poster, 1)],
    ],
    [
      'poster',
      'ends a task by a dispute about a crumb instead of a dismissal',
      [poster],
      inParts,
      [accept, dismiss, wait(day), timeOut(), cancel],
      [dispute, concede(poster, 1)],
      'it never pays unless B and half of F are below A; its price is a lost dispute',
    ],
    [
      'poster',
      'dismisses finished work, which is delivered in the day',
      [poster],
      active,
      [deliver, accept],
      [dismiss, deliver, accept],
    ],
    [
      'poster',
      'dismisses finished work; the worker sleeps',
      [poster],
      active,
      [leave, cancel],
      [dismiss, wait(day), timeOut(), cancel],
    ],
    [
      'fallback',
      'rules for the worker instead of the poster, with bonds',
      [fallback],
      answered(true),
      [rule(0)],
      [rule(10_000)],
    ],
    [
      'fallback',
      'rules for the poster instead of the worker, without a bond',
      [fallback],
      answered(false),
      [rule(10_000)],
      [rule(0)],
    ],
    [
      'fallback',
      'is silent instead of ruling, with bonds',
      [fallback],
      answered(true),
      [rule(0)],
      [wait(7 * day), timeOut(court)],
    ],
    [
      'fallback',
      'rules late instead of in time, without a bond',
      [fallback],
      answered(false),
      [rule(0)],
      [wait(7 * day), rule(0)],
    ],
    [
      'worker, vouched',
      'delivers junk, answers without a bond, loses, and the poster advanced the entry',
      [worker],
      posted,
      [],
      [async () => at(vouched(), deliver, dispute, answer(false), rule(0))],
    ],
    [
      'worker, vouched',
      'leaves, and the poster advanced the entry',
      [worker],
      posted,
      [],
      [async () => at(vouched(), leave)],
    ],
    [
      'both, vouched',
      'leave and are listed again',
      [poster, worker],
      posted,
      [cancel],
      [async () => at(vouched(), leave, cancel), cancel],
    ],
    [
      'both, vouched',
      'stay silent',
      [poster, worker],
      posted,
      [],
      [async () => at(vouched(), wait(13 * day), timeOut())],
    ],
    [
      'both, vouched',
      'dispute and lose',
      [poster, worker],
      posted,
      [],
      [async () => at(vouched(), deliver, dispute, answer(false), rule(0))],
    ],
    [
      'both, vouched',
      'dispute with bonds and win',
      [poster, worker],
      posted,
      [],
      [async () => at(vouched(), deliver, dispute, answer(true), escalate, rule(10_000))],
    ],
  ];

  async function wealth(team: readonly on.Wallet[]): Promise<number> {
    const answers = await chain.read(
      ...team.flatMap(({ address }) => [
        [tok, 'balanceOf', [address]] as const,
        [usdc, 'balanceOf', [address]] as const,
        [deposits, 'accountOf', [address]] as const,
      ]),
    );
    return answers.reduce((sum: number, answer, place) => {
      if (place % 3 === 0) return sum + (Number(answer) / 1e18) * price;
      const units = place % 3 === 1 ? answer : (answer as [{ balance: bigint }])[0].balance;
      return sum + Number(units) / 1e6;
    }, 0);
  }
  async function aside(run: () => Promise<number>): Promise<number> {
    const [snapshot, clock] = [await chain.ask('evm_snapshot'), chain.clock];
    const result = await run();
    await chain.ask('evm_revert', snapshot);
    chain.skip(clock - chain.clock);
    return result;
  }
  const played: Played[] = [];
  for (const [author, move, team, begin, honest, deviates, reason] of rowsOf)
    await aside(async () => {
      const id = await begin();
      const play = (steps: readonly Play[]) =>
        aside(async () => {
          const first = await wealth(team);
          for (const step of steps) await step(id);
          return (await wealth(team)) - first;
        });
      played.push({ author, move, reason, usd: (await play(deviates)) - (await play(honest)) });
      return 0;
    });
  return played;
}

export function junk(way: string, end: string): string {
  return `delivers junk, answers ${way} a bond, ${end}`;
}
