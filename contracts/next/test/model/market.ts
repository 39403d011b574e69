// The market once more, in words of its own: who may do what, and who holds the money then. Random sequences play it beside the contracts.
// state       escrow                       collateral locked               in the court
// POSTED      what was funded              B of the poster                 -
// CLAIMED     less than the total          B of the poster and the worker  -
// ACTIVE      the milestones not paid      the same, as in all that follow -
// DELIVERED   the same                                                     -
// DISPUTED    D, the disputed milestone                                    F of the poster; F of the worker with its answer
// COMPLETED, RESOLVED, CANCELLED: nothing is held. Of vouched work the poster locks both B.
export const day = 86_400;
const [hour, week, whole, half] = [3_600, 7 * day, 10_000n, 5_000n];
const windows: Readonly<Record<string, number>> = { ANSWERING: 3, PROPOSING: 3, ASSIGNED: 5, ESCALATED: 7 };
const openPhases = Object.keys(windows).join(' ');
type Bonds = { bond: bigint; entry: bigint; pause: bigint; minBond: bigint };
export type Rules = Bonds & { minReview: number; hearing: number; maxMilestone: bigint; minTotal: bigint };
type Holding = { tok: bigint; deposit: bigint; locked: bigint; engaged: number };
export type Agent = Holding & { marks: Record<string, number> };
type Phase = { phase: string; began: number; ends: number };
export type Case = Phase & { F: bigint; answer: string; heard: Set<string>; picks: Record<string, string> };
type Post = { poster: string; amounts: readonly bigint[]; deadline: number; review: number; fund: bigint };
type Kind = { worker: string; open: boolean; signed: boolean; vouched: boolean; instant: boolean };
type Step = { state: string; milestone: number; first: number; round: number; onTrial: boolean };
type Clocks = { accepted: number; claimedDay: number; updatedAt: number; dismissAt: number };
export type Task = Post & Kind & Step & Clocks & { funded: bigint; held: bigint; dispute?: Case };
export type MarketModel = ReturnType<typeof createModel>;
export class Refused extends Error {}
export function need(...facts: readonly boolean[]) {
  if (facts.includes(false)) throw new Refused();
}
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const least = (first: bigint, second: bigint) => (first < second ? first : second);
const most = (first: bigint, second: bigint) => (first > second ? first : second);

export function createModel(rules: Rules, fee: bigint, firstFallback: string) {
  // `sunk`: fees, burned bonds and slashed bonds of arbitrators. `court`: bonds of cases.
  const at = { now: 0, fee, sunk: 0n, court: 0n, nextFallback: '' };
  const [tasks, agents, judges] = [[] as Task[], new Map<string, Agent>(), new Map<string, bigint>()];
  const rounds = [0, 0].map((since) => ({ down: false, since }));
  const terms = [{ who: firstFallback, since: 0 }];
  const over = (end: number): boolean => {
    const [before, last] = rounds.slice(-2) as [(typeof rounds)[0], (typeof rounds)[0]];
    const [began, ended] = last.down ? [last.since, at.now] : [before.since, last.since];
    const counts = (last.down || (before.down && at.now <= ended + hour)) && ended - began <= week;
    return at.now > end && !(counts && end >= began && end <= ended + hour);
  };
  const trial = ({ state, onTrial, milestone, first, updatedAt }: Task): boolean =>
    state === 'ACTIVE' && onTrial && milestone === first && at.now <= updatedAt + rules.minReview;
  const early = (task: Task) => task.state === 'CLAIMED' || trial(task);
  const move = (task: Task, state: string, changes: Partial<Task> = {}) =>
    Object.assign(task, { state, updatedAt: at.now }, changes);
  const may = (task: Task, by: string, who: string, states: string, ...facts: readonly boolean[]) => {
    need(by === who, states.split(' ').includes(task.state), ...facts);
    return task;
  };
  const of = (who: string) => agents.get(who) as Agent;
  const canAct = (who: string) => of(who).engaged === 0 || of(who).deposit >= rules.pause;
  const canLock = (who: string, times = 1n) =>
    of(who).deposit >= rules.entry && of(who).deposit - of(who).locked >= times * rules.bond;
  const bondOf = ({ vouched, poster, worker }: Task) => (vouched ? poster : worker);
  const mark = (who: string, kind: string) =>
    Object.assign(of(who).marks, { [kind]: (of(who).marks[kind] ?? 0) + 1 });
  const pay = (who: string, amount: bigint, to: 'sunk' | 'court') => {
    of(who).tok -= amount;
    at[to] += amount;
  };
  const enter = (who: string) => {
    of(who).locked += rules.bond;
    of(who).engaged += 1;
    pay(who, at.fee, 'sunk');
  };
  const unlock = (who: string, to = who, amount = 0n) => {
    of(who).locked -= rules.bond;
    of(who).engaged -= 1;
    of(who).deposit -= amount;
    of(to).deposit += amount;
  };
  const payOut = (task: Task, to: string, amount = task.held) => {
    of(to).tok += amount;
    task.held -= amount;
  };
  // Entering
  const enterTask = (post: Post & Kind) => {
    const { poster, worker, amounts, deadline, signed, vouched } = post;
    const fits = (amount: bigint) => amount <= rules.maxMilestone && amount >= sum(amounts) / 20n;
    need(sum(amounts) >= rules.minTotal, amounts.every(fits), post.fund <= sum(amounts), poster !== worker);
    need(deadline > at.now, deadline <= at.now + 365 * day, canLock(poster, vouched ? 2n : 1n));
    need(!signed || vouched || canLock(worker));
    const clocks = { accepted: 0, claimedDay: 0, updatedAt: at.now, dismissAt: 0 };
    const step = { state: 'POSTED', milestone: 0, first: 0, round: 0, onTrial: false };
    const task: Task = { ...post, ...clocks, ...step, funded: 0n, held: 0n };
    tasks.push(task);
    enter(poster);
    put(signed ? take(task, worker) : task, post.fund);
  };
  const claim = (task: Task, worker: string) => {
    need(task.state === 'POSTED', worker !== task.poster, at.now <= task.deadline, canLock(worker));
    put(take(task, worker), 0n);
  };
  const fund = (task: Task, by: string, amount: bigint) => {
    may(task, by, task.poster, 'POSTED CLAIMED', amount > 0n, task.funded + amount <= sum(task.amounts));
    need(canAct(by), task.state === 'POSTED' || !over(task.updatedAt + day));
    put(task, amount);
  };
  const take = (task: Task, worker: string) => {
    move(task, 'CLAIMED', { worker, claimedDay: Math.floor(at.now / day), accepted: task.deadline });
    enter(bondOf(task));
    return task;
  };
  const put = (task: Task, amount: bigint) => {
    task.funded += amount;
    payOut(task, task.poster, -amount);
    if (task.state !== 'CLAIMED' || task.funded < sum(task.amounts)) return;
    const onTrial = !task.signed && !task.instant;
    task.deadline += at.now - task.updatedAt + (onTrial ? rules.minReview : 0);
    move(task, 'ACTIVE', { onTrial });
  };
  // Working
  const start = (task: Task, by: string) => {
    may(task, by, task.poster, 'ACTIVE', trial(task)).onTrial = false;
  };
  const deliver = (task: Task, by: string) => {
    const { state, dismissAt, deadline, updatedAt } = may(task, by, task.worker, 'ACTIVE DELIVERED');
    const inTime = !over(deadline + day) && (dismissAt === 0 || !over(dismissAt));
    need(canAct(by), state === 'ACTIVE' ? inTime && !trial(task) : at.now > updatedAt);
    if (state === 'DELIVERED') task.deadline += at.now - updatedAt;
    move(task, 'DELIVERED', { dismissAt: 0 });
  };
  const accept = (task: Task, by: string) => release(may(task, by, task.poster, 'DELIVERED'));
  const complete = (task: Task, by: string) => finish(may(task, by, task.poster, 'ACTIVE DELIVERED'));
  const extend = (task: Task, by: string, deadline: number) => {
    const isLater = deadline > Math.max(task.deadline, at.now) && deadline <= at.now + 365 * day;
    const isNear = task.state === 'POSTED' || deadline <= task.accepted + 30 * day;
    may(task, by, task.poster, 'POSTED CLAIMED ACTIVE', isLater, isNear);
    task.deadline = deadline;
  };
  const release = (task: Task) => {
    if (task.milestone + 1 === task.amounts.length) return finish(task);
    payOut(task, task.worker, task.amounts[task.milestone]);
    task.deadline += at.now - task.updatedAt;
    move(task, 'ACTIVE', { milestone: task.milestone + 1 });
  };
  const finish = (task: Task) => {
    payOut(task, task.worker);
    for (const who of [task.poster, bondOf(task)]) unlock(who);
    mark(task.worker, 'completed');
    move(task, 'COMPLETED');
  };
  // Leaving
  const leave = (task: Task, by: string) => {
    const isEarly = early(may(task, by, task.worker, 'CLAIMED ACTIVE DELIVERED'));
    if (!task.vouched) pay(by, at.fee, 'sunk');
    if (!isEarly) mark(by, 'left');
    part(task, isEarly ? 0n : rules.bond / 4n);
  };
  const dismiss = (task: Task, by: string) => {
    const isEarly = early(may(task, by, task.poster, 'CLAIMED ACTIVE'));
    need(isEarly || (!over(task.deadline + day) && task.dismissAt === 0));
    pay(by, at.fee, 'sunk');
    if (isEarly) part(task);
    else task.dismissAt = at.now + day;
  };
  const cancel = (task: Task, by: string) => end(may(task, by, task.poster, 'POSTED'));
  const timeOut = (task: Task) => {
    const { state, poster, worker, deadline, updatedAt, review, dismissAt } = task;
    const isDismissed = state === 'ACTIVE' && dismissAt !== 0 && dismissAt < deadline + day;
    const ACTIVE = isDismissed ? dismissAt : deadline + day;
    const all = { POSTED: deadline, CLAIMED: updatedAt + day, ACTIVE, DELIVERED: updatedAt + review };
    const ends = (all as Readonly<Record<string, number>>)[state];
    need(ends !== undefined && over(ends));
    if (state === 'DELIVERED') return release(task);
    if (state === 'CLAIMED') mark(poster, 'lapsed');
    if (state === 'ACTIVE') mark(isDismissed ? poster : worker, isDismissed ? 'dismissed' : 'left');
    if (isDismissed) return part(task);
    if (state !== 'POSTED') unlock(bondOf(task), poster, state === 'ACTIVE' ? rules.bond : 0n);
    end(task);
  };
  const part = (task: Task, toPoster = 0n) => {
    unlock(bondOf(task), task.poster, toPoster);
    if (task.state !== 'ACTIVE') task.deadline += at.now - task.updatedAt;
    if (!task.open || at.now > task.deadline) return end(task);
    const cleared = { worker: '', dismissAt: 0, onTrial: false, vouched: false, signed: false };
    move(task, 'POSTED', { ...cleared, first: task.milestone, round: task.round + 1 });
  };
  const end = (task: Task) => {
    payOut(task, task.poster);
    unlock(task.poster);
    move(task, 'CANCELLED');
  };
  // Disputes
  const caseOf = ({ dispute }: Task, phases: string, ...facts: readonly boolean[]): Case => {
    need(dispute !== undefined && phases.split(' ').includes(dispute.phase), ...facts);
    return dispute as Case;
  };
  const isParty = ({ poster, worker }: Task, who: string) => who === poster || who === worker;
  const fallbackOn = (claimed: number) => terms.findLast(({ since }) => since <= claimed * day)?.who ?? '';
  const judge = (task: Task): string => {
    if (task.dispute?.phase === 'ASSIGNED') return task.dispute.picks[task.poster] as string;
    const who = task.dispute?.phase === 'ESCALATED' ? fallbackOn(task.claimedDay) : '';
    return isParty(task, who) ? '' : who;
  };
  const enterPhase = (dispute: Case, phase: string) => {
    const days = dispute.answer === 'without' ? 4 : (windows[phase] as number);
    return Object.assign(dispute, { phase, began: at.now, ends: at.now + days * day, heard: new Set() });
  };
  const canJudge = (who: string, { F }: Case) => (judges.get(who) ?? 0n) >= most(F, rules.minBond);
  const assign = ({ poster, worker }: Task, dispute: Case) => {
    const pick = dispute.picks[poster] ?? '';
    if (pick === dispute.picks[worker] && canJudge(pick, dispute)) enterPhase(dispute, 'ASSIGNED');
  };
  /** What was at stake for the parties, within a tenth of the smallest bond and a tenth of the arbitrator's own. */
  const miss = ({ poster }: Task, { F, picks }: Case) => {
    const bond = judges.get(picks[poster] as string) as bigint;
    const lost = least(bond, most(least(F, bond / 10n), rules.minBond / 10n));
    judges.set(picks[poster] as string, bond - lost);
    at.sunk += lost;
  };
  const dispute = (task: Task, by: string) => {
    need(!over(may(task, by, task.poster, 'DELIVERED').updatedAt + task.review));
    const D = task.amounts[task.milestone] as bigint;
    payOut(task, by, task.held - D);
    const bond = { F: D / 20n, answer: '', heard: new Set<string>(), picks: {} };
    pay(by, bond.F, 'court');
    move(task, 'DISPUTED', { dispute: enterPhase(bond as Case, 'ANSWERING') });
  };
  const answer = (task: Task, by: string, withBond: boolean) => {
    const answered = caseOf(task, 'ANSWERING', by === task.worker);
    answered.answer = withBond ? 'with' : 'without';
    enterPhase(answered, withBond ? 'PROPOSING' : 'ESCALATED');
    if (withBond) assign(task, answered);
    if (withBond) pay(by, answered.F, 'court');
  };
  const evidence = (task: Task, by: string) => caseOf(task, openPhases, isParty(task, by)).heard.add(by);
  const propose = (task: Task, by: string, pick: string) => {
    const open = caseOf(task, 'ANSWERING PROPOSING', isParty(task, by), !isParty(task, pick));
    need(open.phase === 'ANSWERING' || !over(open.ends), canJudge(pick, open));
    open.picks[by] = pick;
    if (open.phase === 'PROPOSING') assign(task, open);
  };
  const rule = (task: Task, by: string, share: bigint) => {
    const { phase, ends, began, heard } = caseOf(task, 'ASSIGNED ESCALATED', by === judge(task), by !== '');
    need(share <= whole, phase === 'ESCALATED' || !over(ends));
    need(at.now >= began + (heard.size === 2 ? 0 : rules.hearing));
    endCase(task, share, true);
  };
  const concede = (task: Task, by: string) => {
    const { phase, F, answer: given } = caseOf(task, openPhases, isParty(task, by));
    const lost = phase === 'ANSWERING' || phase === 'PROPOSING' ? F / 2n : 0n;
    if (by === task.poster) endCase(task, whole, true, lost);
    else endCase(task, 0n, true, given === 'with' ? -lost : 0n);
  };
  const escalate = (task: Task) => {
    const open = caseOf(task, 'PROPOSING ASSIGNED');
    need(over(open.ends));
    if (open.phase === 'ASSIGNED') miss(task, open);
    enterPhase(open, 'ESCALATED');
  };
  const timeOutCase = (task: Task) => {
    const { phase, ends, answer: given } = caseOf(task, 'ANSWERING ESCALATED');
    need(over(ends));
    const who = fallbackOn(task.claimedDay);
    const silence = who === task.poster ? whole : who !== task.worker && given === 'with' ? half : 0n;
    endCase(task, phase === 'ANSWERING' ? 0n : silence, phase === 'ANSWERING');
  };
  const agree = (task: Task, share: bigint) => {
    may(task, '', '', 'CLAIMED ACTIVE DELIVERED DISPUTED');
    if (task.dispute === undefined) settle(task, share, false);
    else endCase(task, share, false);
  };
  /** The bonds of a case: to the judge in its time as each side lost, by halves where nobody did; else back, but for `toWorker`. */
  const endCase = (task: Task, share: bigint, isRuling: boolean, toWorker = 0n) => {
    const { F, answer: given, phase, ends } = task.dispute as Case;
    const [isBonded, who] = [given === 'with', over(ends) ? '' : judge(task)];
    const isPaid = who !== '' && (isBonded || isRuling);
    const lost = isPaid ? (F * (isRuling ? share : half)) / whole : toWorker;
    if (isPaid && isBonded) of(who).tok += F;
    if (isPaid && !isBonded) at.sunk += lost;
    of(task.poster).tok += F - lost;
    if (!(isPaid && !isBonded)) of(task.worker).tok += isPaid ? lost : lost + (isBonded ? F : 0n);
    at.court -= isBonded ? 2n * F : F;
    if (phase === 'ASSIGNED' && over(ends)) miss(task, task.dispute as Case);
    (task.dispute as Case).phase = 'CLOSED';
    settle(task, share, isRuling, isBonded ? '' : who);
  };
  const settle = (task: Task, share: bigint, isRuling: boolean, who = '') => {
    const { poster, worker } = task;
    payOut(task, worker, (task.held * share) / whole);
    payOut(task, poster);
    const loses = (isLost: boolean) => (isRuling && isLost ? rules.bond : 0n);
    const ofPoster = (rules.bond * (isRuling ? share : half)) / whole;
    unlock(poster, who || worker, who ? ofPoster : loses(share >= 9_000n));
    unlock(bondOf(task), who || poster, who ? rules.bond - ofPoster : loses(share <= 1_000n));
    move(task, 'RESOLVED');
    if (isRuling && share !== half) mark(share > half ? worker : poster, 'won');
    if (isRuling && share !== half) mark(share > half ? poster : worker, 'lost');
  };
  const seen = { at, tasks, agents, judges, rounds, terms, of, over, trial, judge };
  const working = { enterTask, claim, fund, start, deliver, accept, complete, extend, leave, dismiss };
  const judging = { dispute, answer, evidence, propose, rule, concede, escalate, timeOutCase, agree };
  return { ...seen, ...working, cancel, timeOut, ...judging };
}
