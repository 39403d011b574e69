// Tasks, from the post to the end, as far as the parties get along.
import { day, Money, need, sum, type Task } from './money.ts';

export class Tasks extends Money {
  // Entering

  post(
    poster: string,
    amounts: readonly bigint[],
    deadline: number,
    review: number,
    instant: boolean,
    fund: bigint,
  ) {
    this.checkTerms(amounts, deadline);
    need(this.canLock(poster) && fund <= sum(amounts), 'post');
    this.record({
      poster,
      worker: '',
      amounts,
      deadline,
      review,
      instant,
      signed: false,
      open: true,
      vouched: false,
    });
    this.lock(poster);
    this.payFee(poster);
    this.pay(this.tasks.at(-1) as Task, fund);
  }

  create(
    poster: string,
    worker: string,
    amounts: readonly bigint[],
    deadline: number,
    review: number,
    open: boolean,
    vouched: boolean,
    fund: bigint,
  ) {
    this.checkTerms(amounts, deadline);
    need(poster !== worker && fund <= sum(amounts), 'create');
    need(this.canLock(poster, vouched ? 2n : 1n) && (vouched || this.canLock(worker)), 'bonds');
    const task = this.record({
      poster,
      worker,
      amounts,
      deadline,
      review,
      instant: false,
      signed: true,
      open,
      vouched,
    });
    for (const who of [poster, vouched ? poster : worker]) {
      this.lock(who);
      this.payFee(who);
    }
    this.claimed(task, worker);
    this.pay(task, fund);
  }

  claim(task: Task, worker: string) {
    need(
      task.state === 'POSTED' && worker !== task.poster && !this.over(task.deadline) && this.canLock(worker),
      'claim',
    );
    this.lock(worker);
    this.payFee(worker);
    this.claimed(task, worker);
    this.pay(task, 0n);
  }

  fund(task: Task, by: string, amount: bigint) {
    need(
      by === task.poster && ['POSTED', 'CLAIMED'].includes(task.state) && amount > 0n && !this.paused(by),
      'fund',
    );
    need(task.state === 'POSTED' || !this.over(task.updatedAt + day), 'late');
    need(task.funded + amount <= sum(task.amounts), 'too much');
    this.pay(task, amount);
  }

  private checkTerms(amounts: readonly bigint[], deadline: number) {
    const total = sum(amounts);
    const fits = (amount: bigint) => amount <= this.rules.maxMilestone && amount >= total / 20n;
    need(
      total >= this.rules.minTotal &&
        amounts.every(fits) &&
        deadline > this.now &&
        deadline <= this.now + 365 * day,
      'terms',
    );
  }
  private record(
    terms: Pick<
      Task,
      'poster' | 'worker' | 'amounts' | 'deadline' | 'review' | 'instant' | 'signed' | 'open' | 'vouched'
    >,
  ): Task {
    const clocks = {
      milestone: 0,
      first: 0,
      accepted: 0,
      updatedAt: this.now,
      round: 0,
      dismissAt: 0,
      claimedDay: 0,
    };
    const task: Task = { ...terms, ...clocks, state: 'POSTED', onTrial: false, funded: 0n, held: 0n };
    this.tasks.push(task);
    return task;
  }
  private claimed(task: Task, worker: string) {
    Object.assign(task, {
      worker,
      state: 'CLAIMED',
      accepted: task.deadline,
      claimedDay: Math.floor(this.now / day),
      updatedAt: this.now,
    });
  }
  private pay(task: Task, amount: bigint) {
    this.of(task.poster).tok -= amount;
    task.funded += amount;
    task.held += amount;
    if (task.state !== 'CLAIMED' || task.funded < sum(task.amounts)) return;
    task.onTrial = !task.signed && !task.instant;
    task.deadline += this.now - task.updatedAt + (task.onTrial ? this.rules.minReview : 0);
    Object.assign(task, { state: 'ACTIVE', updatedAt: this.now });
  }

  // Working

  start(task: Task, by: string) {
    need(by === task.poster && this.trial(task), 'start');
    task.onTrial = false;
  }

  deliver(task: Task, by: string) {
    need(by === task.worker && ['ACTIVE', 'DELIVERED'].includes(task.state) && !this.paused(by), 'deliver');
    if (task.state === 'ACTIVE') {
      need(!this.over(task.deadline + day) && !this.trial(task), 'late or on trial');
      need(task.dismissAt === 0 || !this.over(task.dismissAt), 'dismissed');
      task.dismissAt = 0;
    } else {
      need(this.now > task.updatedAt, 'in one second');
      task.deadline += this.now - task.updatedAt;
    }
    Object.assign(task, { state: 'DELIVERED', updatedAt: this.now });
  }

  accept(task: Task, by: string) {
    need(by === task.poster && task.state === 'DELIVERED', 'accept');
    this.release(task);
  }

  complete(task: Task, by: string) {
    need(by === task.poster && ['ACTIVE', 'DELIVERED'].includes(task.state), 'complete');
    this.finish(task);
  }

  extend(task: Task, by: string, deadline: number) {
    need(by === task.poster && ['POSTED', 'CLAIMED', 'ACTIVE'].includes(task.state), 'extend');
    need(deadline > task.deadline && deadline > this.now && deadline <= this.now + 365 * day, 'deadline');
    need(task.state === 'POSTED' || deadline <= task.accepted + 30 * day, 'too far');
    task.deadline = deadline;
  }

  private release(task: Task) {
    if (task.milestone + 1 === task.amounts.length) return this.finish(task);
    const amount = task.amounts[task.milestone] as bigint;
    this.of(task.worker).tok += amount;
    task.held -= amount;
    task.deadline += this.now - task.updatedAt;
    Object.assign(task, { milestone: task.milestone + 1, state: 'ACTIVE', updatedAt: this.now });
  }
  private finish(task: Task) {
    this.of(task.worker).tok += task.held;
    task.held = 0n;
    this.unlock(task.poster);
    this.unlock(this.bondOf(task));
    this.mark(task.worker, 'completed');
    Object.assign(task, { state: 'COMPLETED', updatedAt: this.now });
  }

  // Leaving

  leave(task: Task, by: string) {
    need(by === task.worker && ['CLAIMED', 'ACTIVE', 'DELIVERED'].includes(task.state), 'leave');
    const early = task.state === 'CLAIMED' || this.trial(task);
    if (!task.vouched) this.payFee(by);
    if (!early) this.mark(by, 'left');
    this.unlock(this.bondOf(task), [task.poster, early ? 0n : this.rules.bond / 4n]);
    this.relist(task);
  }

  dismiss(task: Task, by: string) {
    need(by === task.poster && ['CLAIMED', 'ACTIVE'].includes(task.state), 'dismiss');
    const early = task.state === 'CLAIMED' || this.trial(task);
    need(early || (!this.over(task.deadline + day) && task.dismissAt === 0), 'again or late');
    this.payFee(by);
    if (!early) task.dismissAt = this.now + day;
    else this.endEngagement(task);
  }

  cancel(task: Task, by: string) {
    need(by === task.poster && task.state === 'POSTED', 'cancel');
    this.end(task);
  }

  timeOut(task: Task) {
    if (task.state === 'POSTED') {
      need(this.over(task.deadline), 'early');
      this.end(task);
    } else if (task.state === 'CLAIMED') {
      need(this.over(task.updatedAt + day), 'early');
      this.unlock(this.bondOf(task));
      this.mark(task.poster, 'lapsed');
      this.end(task);
    } else if (task.state === 'ACTIVE') {
      this.timeOutWork(task);
    } else {
      need(task.state === 'DELIVERED' && this.over(task.updatedAt + task.review), 'early');
      this.release(task);
    }
  }

  private timeOutWork(task: Task) {
    const end = task.deadline + day;
    const isDismissed = task.dismissAt !== 0 && task.dismissAt < end;
    need(this.over(isDismissed ? task.dismissAt : end), 'early');
    if (isDismissed) {
      this.mark(task.poster, 'dismissed');
      return this.endEngagement(task);
    }
    this.unlock(this.bondOf(task), [task.poster, this.rules.bond]);
    this.mark(task.worker, 'left');
    this.end(task);
  }
  private endEngagement(task: Task) {
    this.unlock(this.bondOf(task));
    this.relist(task);
  }
  private relist(task: Task) {
    if (task.state !== 'ACTIVE') task.deadline += this.now - task.updatedAt;
    if (!task.open || this.now > task.deadline) return this.end(task);
    const cleared = { worker: '', dismissAt: 0, accepted: 0, onTrial: false, vouched: false, signed: false };
    Object.assign(task, cleared, {
      first: task.milestone,
      round: task.round + 1,
      state: 'POSTED',
      updatedAt: this.now,
    });
  }
  private end(task: Task) {
    this.refund(task);
    this.unlock(task.poster);
    Object.assign(task, { state: 'CANCELLED', updatedAt: this.now });
  }
}
