// The market once more, in words of its own: who may do what, and who holds the money then. Random sequences play it beside the contracts.
//
// state       escrow                       collateral locked              in the court
// POSTED      what was funded              B of the poster                -
// CLAIMED     less than the total          B of the poster and the worker -
// ACTIVE      the milestones not paid      the same                       -
// DELIVERED   the same                     the same                       -
// DISPUTED    D, the disputed milestone    the same                       F of the poster; F of the worker once it answers with one
// COMPLETED, RESOLVED, CANCELLED: nothing is held. Of vouched work the poster locks both B.

export const day = 86_400;
const [hour, week] = [3_600, 7 * day];
const whole = 10_000n;

export type Rules = {
  readonly bond: bigint;
  readonly entry: bigint;
  readonly pause: bigint;
  readonly minReview: number;
};
export type Limits = {
  readonly hearing: number;
  readonly maxMilestone: bigint;
  readonly minTotal: bigint;
  readonly minBond: bigint;
};
export type Agent = {
  tok: bigint;
  deposit: bigint;
  locked: bigint;
  engaged: number;
  marks: Record<string, number>;
};
export type Case = {
  phase: 'ANSWERING' | 'PROPOSING' | 'ASSIGNED' | 'ESCALATED' | 'CLOSED';
  ends: number;
  began: number;
  bonded: boolean;
  unbonded: boolean;
  D: bigint;
  F: bigint;
  day: number;
  heard: Set<string>;
  picks: Record<string, string>;
};
export type Task = {
  poster: string;
  worker: string;
  state: string;
  amounts: readonly bigint[];
  milestone: number;
  first: number;
  deadline: number;
  accepted: number;
  updatedAt: number;
  review: number;
  round: number;
  signed: boolean;
  open: boolean;
  vouched: boolean;
  instant: boolean;
  onTrial: boolean;
  dismissAt: number;
  funded: bigint;
  held: bigint;
  claimedDay: number;
  dispute?: Case;
};

export class Refused extends Error {}
export function need(holds: boolean, why: string): asserts holds {
  if (!holds) throw new Refused(why);
}

export const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

export class Money {
  now = 0;
  fee = 0n;
  /** Fees, burned bonds and slashed bonds of arbitrators. */
  sunk = 0n;
  /** Bonds of cases. */
  court = 0n;
  nextFallback = '';
  readonly tasks: Task[] = [];
  readonly agents = new Map<string, Agent>();
  readonly rounds: { down: boolean; since: number }[] = [];
  readonly terms: { who: string; since: number }[] = [];
  readonly judges = new Map<string, bigint>();

  readonly rules: Rules & Limits;

  constructor(rules: Rules & Limits) {
    this.rules = rules;
  }

  // Clocks

  over(end: number): boolean {
    const [before, last] = this.rounds.slice(-2);
    if (this.now <= end || last === undefined || before === undefined) return this.now > end;
    const [began, ended] = last.down ? [last.since, this.now] : [before.since, last.since];
    const counts = (last.down || (before.down && this.now <= ended + hour)) && ended - began <= week;
    return !(counts && end >= began && end <= ended + hour);
  }

  trial(task: Task): boolean {
    return (
      task.state === 'ACTIVE' &&
      task.onTrial &&
      task.milestone === task.first &&
      !this.over(task.updatedAt + this.rules.minReview)
    );
  }

  // Money

  of(who: string): Agent {
    return this.agents.get(who) as Agent;
  }
  paused(who: string): boolean {
    return this.of(who).engaged > 0 && this.of(who).deposit < this.rules.pause;
  }
  protected canLock(who: string, times = 1n): boolean {
    const { deposit, locked } = this.of(who);
    return deposit >= this.rules.entry && deposit - locked >= times * this.rules.bond;
  }
  protected lock(who: string) {
    this.of(who).locked += this.rules.bond;
    this.of(who).engaged += 1;
  }
  /** The bond is free, less what of it goes to others. */
  protected unlock(who: string, ...parts: (readonly [to: string, amount: bigint])[]) {
    this.of(who).locked -= this.rules.bond;
    this.of(who).engaged -= 1;
    for (const [to, amount] of parts) {
      this.of(who).deposit -= amount;
      this.of(to).deposit += amount;
    }
  }
  protected payFee(who: string) {
    this.of(who).tok -= this.fee;
    this.sunk += this.fee;
  }
  protected mark(who: string, kind: string) {
    this.of(who).marks[kind] = (this.of(who).marks[kind] ?? 0) + 1;
  }
  protected refund(task: Task, kept = 0n) {
    this.of(task.poster).tok += task.held - kept;
    task.held = kept;
  }
  protected bondOf(task: Task): string {
    return task.vouched ? task.poster : task.worker;
  }

  /** The end of every dispute and settlement: what is held by shares, and the bonds of the two. */
  settle(task: Task, share: bigint, bonds: 'free' | 'ruled' | readonly [judge: string, share: bigint]) {
    const toWorker = (task.held * share) / whole;
    this.of(task.worker).tok += toWorker;
    task.held -= toWorker;
    this.refund(task);
    const [bond, { poster }] = [this.rules.bond, task];
    const loses = (isLost: boolean) => (bonds === 'ruled' && isLost ? bond : 0n);
    const [judge, part] = typeof bonds === 'string' ? ['', 0n] : bonds;
    if (judge !== '') {
      this.unlock(poster, [judge, (bond * part) / whole]);
      this.unlock(this.bondOf(task), [judge, bond - (bond * part) / whole]);
    } else {
      this.unlock(poster, [task.worker, loses(share >= 9_000n)]);
      this.unlock(this.bondOf(task), [poster, loses(share <= 1_000n)]);
    }
    Object.assign(task, { state: 'RESOLVED', updatedAt: this.now });
  }

  ruledMarks(task: Task, share: bigint) {
    if (share === 5_000n) return;
    this.mark(share > 5_000n ? task.worker : task.poster, 'won');
    this.mark(share > 5_000n ? task.poster : task.worker, 'lost');
  }
}
