// `npm run contracts:next:deviations`: plays each deviation on the next contracts to its end, in a chain in this process, and writes what it
// brings its author into the table of contracts/next/README.md. Fails if one pays that has no reason.
//
// --check   writes nothing; fails when the page has another table
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Hex, keccak256, parseEther, toHex } from 'viem';
import { formatTable, replaceBetweenMarks } from '../../bench/figure.ts';
import { type Market, markets } from '../../sdk/src/domain/market.ts';
import * as on from './test/model/chain.ts';

type Play = (id: bigint) => Promise<unknown>;
type Row = {
  readonly author: string;
  readonly move: string;
  /** Whose money it is: two wallets may be one person. */
  readonly team: readonly on.Wallet[];
  readonly start: () => Promise<bigint>;
  readonly honest: readonly Play[];
  readonly deviates: readonly Play[];
  /** Why it may pay. */
  readonly reason?: string;
};

const page = join(import.meta.dirname, 'README.md');
const hash: Hex = keccak256('0x01');
const day = 86_400;
/** US dollars of a disputed milestone, and of an access fee. */
const sizes = [20, 500, 5_000];
const fees = [0.5, 5];
const columns: { readonly title: string; readonly values: Map<string, number> }[] = [];
let listed: readonly Row[] = [];

for (const fee of fees)
  for (const market of markets)
    for (const size of sizes)
      if (market === 'standard' || size <= 500)
        columns.push({ title: `${market}, A ${fee}, D ${size}`, values: await playAll(market, fee, size) });

const [reasons, unexplained] = [new Set<string>(), [] as string[]];
const rows = listed.map(({ author, move, reason }) => {
  const cells = columns.map(({ values }) => values.get(move) ?? Number.NaN);
  if (cells.some((usd) => usd > 0.005))
    if (reason === undefined) unexplained.push(move);
    else reasons.add(`**${move}**: ${reason}`);
  return [author, move, ...cells.map((usd) => usd.toFixed(2))];
});
const table = formatTable(['author', 'move', ...columns.map(({ title }) => title)], rows);
const text = [table, '', ...[...reasons].map((reason) => `- ${reason}`)].join('\n');
for (const move of unexplained) console.error(`This pays and has no reason: ${move}.`);
const before = readFileSync(page, 'utf8');
const after = replaceBetweenMarks(before, 'deviations', text);
const isCheck = process.argv.includes('--check');
if (isCheck && after !== before) console.error('The table in contracts/next/README.md is another one.');
if (!isCheck) writeFileSync(page, after);
process.exitCode = unexplained.length > 0 || (isCheck && after !== before) ? 1 : 0;

/** What each deviation brings its author in US dollars, beside the honest way from the same start. */
async function playAll(market: Market, feeUsd: number, sizeUsd: number): Promise<Map<string, number>> {
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
    {
      author: 'worker',
      move: 'claims everything and is sent away on trial',
      team: [worker],
      start: posted,
      honest: [],
      deviates: [claim, dismiss],
    },
    {
      author: 'worker',
      move: 'claims everything and is sent away later',
      team: [worker],
      start: posted,
      honest: [],
      deviates: [claim, onTrial, dismiss, wait(day), timeOut()],
    },
    {
      author: 'worker',
      move: 'claims everything and stays silent',
      team: [worker],
      start: posted,
      honest: [],
      deviates: [claim, wait(13 * day), timeOut()],
    },
    {
      author: 'worker',
      move: 'is silent instead of leaving',
      team: [worker],
      start: active,
      honest: [leave],
      deviates: [wait(13 * day), timeOut()],
      reason: 'where A is above 3/4 B, silence is cheaper; its price is a mark, and `svc deploy` warns',
    },
    {
      author: 'worker',
      move: 'delivers junk and does not answer',
      team: [worker],
      start: posted,
      honest: [],
      deviates: [claim, start, deliver, dispute, wait(3 * day), timeOut(court)],
    },
    {
      author: 'worker',
      move: 'delivers junk, answers without a bond, loses',
      team: [worker],
      start: posted,
      honest: [],
      deviates: [claim, start, deliver, dispute, answer(false), rule(0)],
    },
    {
      author: 'worker',
      move: 'delivers junk, answers without a bond, the fallback errs',
      team: [worker],
      start: posted,
      honest: [],
      deviates: [claim, start, deliver, dispute, answer(false), rule(10_000)],
      reason:
        'who cannot pay is heard; it pays where the fallback errs in one case of D / (A + B), see the row before',
    },
    {
      author: 'worker',
      move: 'delivers junk, answers with a bond, loses',
      team: [worker],
      start: posted,
      honest: [],
      deviates: [claim, start, deliver, dispute, answer(true), ...escalated],
    },
    {
      author: 'worker',
      move: 'is right and answers without a bond',
      team: [worker],
      start: () => at(delivered(), dispute),
      honest: [answer(true), escalate, rule(10_000)],
      deviates: [answer(false), rule(10_000)],
    },
    {
      author: 'worker',
      move: 'delivers a crumb of junk, so that later milestones go back',
      team: [worker],
      start: () => post([crumb, D]),
      honest: [],
      deviates: [claim, start, deliver, dispute, answer(false), rule(0)],
    },
    {
      author: 'poster',
      move: 'disputes good work, answered with a bond',
      team: [poster],
      start: delivered,
      honest: [accept],
      deviates: [dispute, answer(true), escalate, rule(10_000)],
    },
    {
      author: 'poster',
      move: 'disputes good work, answered without a bond',
      team: [poster],
      start: delivered,
      honest: [accept],
      deviates: [dispute, answer(false), rule(10_000)],
    },
    {
      author: 'poster',
      move: 'disputes good work and gives in at once',
      team: [poster],
      start: delivered,
      honest: [accept],
      deviates: [dispute, concede(poster, 1)],
    },
    {
      author: 'poster',
      move: 'ends a task by a dispute about a crumb instead of a dismissal',
      team: [poster],
      start: inParts,
      honest: [accept, dismiss, wait(day), timeOut(), cancel],
      deviates: [dispute, concede(poster, 1)],
      reason: 'it never pays unless B and half of F are below A; its price is a lost dispute',
    },
    {
      author: 'poster',
      move: 'dismisses finished work, which is delivered in the day',
      team: [poster],
      start: active,
      honest: [deliver, accept],
      deviates: [dismiss, deliver, accept],
    },
    {
      author: 'poster',
      move: 'dismisses finished work; the worker sleeps',
      team: [poster],
      start: active,
      honest: [leave, cancel],
      deviates: [dismiss, wait(day), timeOut(), cancel],
    },
    {
      author: 'fallback',
      move: 'rules for the worker instead of the poster, with bonds',
      team: [fallback],
      start: answered(true),
      honest: [rule(0)],
      deviates: [rule(10_000)],
    },
    {
      author: 'fallback',
      move: 'rules for the poster instead of the worker, without a bond',
      team: [fallback],
      start: answered(false),
      honest: [rule(10_000)],
      deviates: [rule(0)],
    },
    {
      author: 'fallback',
      move: 'is silent instead of ruling, with bonds',
      team: [fallback],
      start: answered(true),
      honest: [rule(0)],
      deviates: [wait(7 * day), timeOut(court)],
    },
    {
      author: 'both, vouched',
      move: 'leave and are listed again',
      team: [poster, worker],
      start: posted,
      honest: [cancel],
      deviates: [async () => at(vouched(), leave, cancel), cancel],
    },
    {
      author: 'both, vouched',
      move: 'stay silent',
      team: [poster, worker],
      start: posted,
      honest: [],
      deviates: [async () => at(vouched(), wait(13 * day), timeOut())],
    },
    {
      author: 'both, vouched',
      move: 'dispute and lose',
      team: [poster, worker],
      start: posted,
      honest: [],
      deviates: [async () => at(vouched(), deliver, dispute, answer(false), rule(0))],
    },
    {
      author: 'both, vouched',
      move: 'dispute with bonds and win',
      team: [poster, worker],
      start: posted,
      honest: [],
      deviates: [async () => at(vouched(), deliver, dispute, answer(true), escalate, rule(10_000))],
    },
  ];
  listed = rowsOf;

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
  const values = new Map<string, number>();
  for (const { move, team, start: begin, honest, deviates } of rowsOf)
    await aside(async () => {
      const id = await begin();
      const play = (steps: readonly Play[]) =>
        aside(async () => {
          const first = await wealth(team);
          for (const step of steps) await step(id);
          return (await wealth(team)) - first;
        });
      values.set(move, (await play(deviates)) - (await play(honest)));
      return 0;
    });
  return values;
}
