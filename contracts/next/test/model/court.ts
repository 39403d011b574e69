// The court once more: a dispute, its two bonds, and what each of its ends pays.
import { type Case, day, need, type Task } from './money.ts';
import { Tasks } from './tasks.ts';

const windows = { ANSWERING: 3, PROPOSING: 3, ASSIGNED: 5, ESCALATED: 7, CLOSED: 0 };

export class CourtModel extends Tasks {
  caseOf(task: Task, ...phases: readonly Case['phase'][]): Case {
    const { dispute } = task;
    need(dispute !== undefined && phases.includes(dispute.phase), 'phase');
    return dispute;
  }

  /** Whose term was in force when the day of the claim began. */
  fallbackOn(dayNumber: number): string {
    return this.terms.findLast(({ since }) => since <= dayNumber * day)?.who ?? '';
  }

  judge(task: Task): string {
    const { phase, picks, day: claimed } = task.dispute as Case;
    if (phase === 'ASSIGNED') return picks[task.poster] as string;
    const who = this.fallbackOn(claimed);
    return phase === 'ESCALATED' && who !== task.poster && who !== task.worker ? who : '';
  }

  dispute(task: Task, by: string) {
    need(
      by === task.poster && task.state === 'DELIVERED' && !this.over(task.updatedAt + task.review),
      'dispute',
    );
    const D = task.amounts[task.milestone] as bigint;
    this.of(by).tok += task.held - D;
    task.held = D;
    const F = D / 20n;
    this.putUp(by, F);
    const heard = new Set<string>();
    const dispute: Case = {
      phase: 'ANSWERING',
      ends: 0,
      began: 0,
      bonded: false,
      unbonded: false,
      D,
      F,
      day: task.claimedDay,
      heard,
      picks: {},
    };
    Object.assign(task, { state: 'DISPUTED', updatedAt: this.now, dispute });
    this.enter(dispute, 'ANSWERING');
  }

  answer(task: Task, by: string, withBond: boolean) {
    const dispute = this.caseOf(task, 'ANSWERING');
    need(by === task.worker, 'not the worker');
    dispute[withBond ? 'bonded' : 'unbonded'] = true;
    this.enter(dispute, withBond ? 'PROPOSING' : 'ESCALATED');
    if (!withBond) return;
    this.assign(task, dispute);
    this.putUp(by, dispute.F);
  }

  evidence(task: Task, by: string) {
    const dispute = this.caseOf(task, 'ANSWERING', 'PROPOSING', 'ASSIGNED', 'ESCALATED');
    need(by === task.poster || by === task.worker, 'no party');
    if (dispute.phase === 'ASSIGNED' || dispute.phase === 'ESCALATED') dispute.heard.add(by);
  }

  propose(task: Task, by: string, pick: string) {
    const dispute = this.caseOf(task, 'ANSWERING', 'PROPOSING');
    need(dispute.phase === 'ANSWERING' || !this.over(dispute.ends), 'late');
    need(by === task.poster || by === task.worker, 'no party');
    need(pick !== task.poster && pick !== task.worker && this.mayJudge(pick, dispute), 'not eligible');
    dispute.picks[by] = pick;
    if (dispute.phase === 'PROPOSING') this.assign(task, dispute);
  }

  rule(task: Task, by: string, share: bigint) {
    const dispute = this.caseOf(task, 'ASSIGNED', 'ESCALATED');
    need(by !== '' && by === this.judge(task) && share <= 10_000n, 'no judge');
    need(dispute.phase === 'ESCALATED' || !this.over(dispute.ends), 'late');
    need(this.now >= dispute.began + (dispute.heard.size === 2 ? 0 : this.rules.hearing), 'hearing');
    this.ruled(task, dispute, share);
  }

  concede(task: Task, by: string) {
    const dispute = this.caseOf(task, 'ANSWERING', 'PROPOSING', 'ASSIGNED', 'ESCALATED');
    need(by === task.poster || by === task.worker, 'no party');
    const share = by === task.poster ? 10_000n : 0n;
    if (dispute.phase === 'ASSIGNED' || dispute.phase === 'ESCALATED')
      return this.ruled(task, dispute, share);
    const half = by === task.poster || dispute.bonded ? dispute.F / 2n : 0n;
    const lost = by === task.poster ? half : -half;
    this.payOut(task, dispute, 0n, 0n, dispute.F - lost, (dispute.bonded ? dispute.F : 0n) + lost);
    this.settle(task, share, 'ruled');
    this.ruledMarks(task, share);
  }

  escalate(task: Task) {
    const dispute = this.caseOf(task, 'PROPOSING', 'ASSIGNED');
    need(this.over(dispute.ends), 'early');
    if (dispute.phase === 'ASSIGNED') this.miss(task, dispute);
    this.enter(dispute, 'ESCALATED');
  }

  timeOutCase(task: Task) {
    const dispute = this.caseOf(task, 'ANSWERING', 'ESCALATED');
    need(this.over(dispute.ends), 'early');
    const isDefault = dispute.phase === 'ANSWERING';
    const fallback = this.fallbackOn(dispute.day);
    const halves = dispute.bonded ? 5_000n : 0n;
    const silence = fallback === task.poster ? 10_000n : fallback === task.worker ? 0n : halves;
    this.payOut(task, dispute, 0n, 0n, dispute.F, dispute.bonded ? dispute.F : 0n);
    this.settle(task, isDefault ? 0n : silence, isDefault ? 'ruled' : 'free');
    if (isDefault) this.ruledMarks(task, 0n);
  }

  agree(task: Task, share: bigint) {
    need(['CLAIMED', 'ACTIVE', 'DELIVERED', 'DISPUTED'].includes(task.state), 'agree');
    const { dispute } = task;
    if (dispute === undefined) return this.settle(task, share, 'free');
    const judge = this.judgeInTime(task, dispute);
    const isPaid = judge !== '' && dispute.bonded;
    const half = dispute.F / 2n;
    if (isPaid) this.payOut(task, dispute, dispute.F, 0n, dispute.F - half, half);
    else this.payOut(task, dispute, 0n, 0n, dispute.F, dispute.bonded ? dispute.F : 0n);
    this.settle(task, share, judge !== '' && dispute.unbonded ? [judge, 5_000n] : 'free');
  }

  private ruled(task: Task, dispute: Case, share: bigint) {
    const judge = this.judgeInTime(task, dispute);
    const lost = judge === '' ? 0n : (dispute.F * share) / 10_000n;
    const toWorker = dispute.bonded ? (judge === '' ? dispute.F : lost) : 0n;
    const toJudge = judge !== '' && dispute.bonded ? dispute.F : 0n;
    this.payOut(task, dispute, toJudge, dispute.bonded ? 0n : lost, dispute.F - lost, toWorker, judge);
    this.settle(task, share, judge !== '' && dispute.unbonded ? [judge, share] : 'ruled');
    this.ruledMarks(task, share);
  }

  private judgeInTime(task: Task, dispute: Case): string {
    return this.over(dispute.ends) ? '' : this.judge(task);
  }

  /** What came into the case goes out of it. */
  private payOut(
    task: Task,
    dispute: Case,
    toJudge: bigint,
    burned: bigint,
    toPoster: bigint,
    toWorker: bigint,
    judge = this.judge(task),
  ) {
    const held = dispute.bonded ? 2n * dispute.F : dispute.F;
    if (toJudge + burned + toPoster + toWorker !== held) throw new Error('The bonds do not add up.');
    if (toJudge > 0n) this.of(judge).tok += toJudge;
    this.of(task.poster).tok += toPoster;
    this.of(task.worker).tok += toWorker;
    this.sunk += burned;
    this.court -= held;
    if (dispute.phase === 'ASSIGNED' && this.over(dispute.ends)) this.miss(task, dispute);
    dispute.phase = 'CLOSED';
  }

  private putUp(who: string, F: bigint) {
    this.of(who).tok -= F;
    this.court += F;
  }

  private enter(dispute: Case, phase: Case['phase']) {
    const days = dispute.unbonded ? 4 : windows[phase];
    dispute.heard.clear();
    Object.assign(dispute, { phase, began: this.now, ends: this.now + days * day });
  }

  private mayJudge(who: string, { F }: Case): boolean {
    const bond = this.judges.get(who) ?? 0n;
    return bond >= this.rules.minBond && bond >= F;
  }

  private assign(task: Task, dispute: Case) {
    const pick = dispute.picks[task.poster];
    if (pick === undefined || pick !== dispute.picks[task.worker] || !this.mayJudge(pick, dispute)) return;
    this.enter(dispute, 'ASSIGNED');
  }

  /** What was at stake for the parties, within a tenth of the smallest bond and a tenth of the arbitrator's own. */
  private miss(task: Task, { F, picks }: Case) {
    const who = picks[task.poster] as string;
    const bond = this.judges.get(who) as bigint;
    const least = this.rules.minBond / 10n;
    const amount = [F < bond / 10n ? F : bond / 10n, least].reduce((a, b) => (a > b ? a : b));
    const lost = amount < bond ? amount : bond;
    this.judges.set(who, bond - lost);
    this.sunk += lost;
  }
}
