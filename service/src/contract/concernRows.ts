// Which wallets a task concerns, and whose turn it is, as intervals of chain time: the rows of an index by wallet.
import { type Address, isSameAddress, listPhases, type Phase, type Task } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { type ConcernRole, concernRoles, type Turn, turns } from '@svc/sdk/internal/domain/concernNames';
import { noFacts, type TaskFacts } from '@svc/sdk/internal/domain/task';

export type ConcernRow = {
  readonly wallet: string;
  /** The first and the last second of chain time in which the row holds. */
  readonly starts: number;
  readonly ends: number;
  /** The place of the turn in `turns`. */
  readonly part: number;
  /** What rows of the same part are sorted by: the end of the clock, or how long ago the task ended. */
  readonly due: number;
  readonly roles: number;
};

/** The last second of a row without an end. */
export const noEnd = Number.MAX_SAFE_INTEGER;

export function maskOf(...roles: readonly ConcernRole[]): number {
  return roles.reduce((mask, role) => mask | (1 << concernRoles.indexOf(role)), 0);
}

export function rolesIn(mask: number): ConcernRole[] {
  return concernRoles.filter((role) => (mask & maskOf(role)) !== 0);
}

type Facts = Pick<TaskFacts, 'workers' | 'dispute'>;

/** The rows of one task. Its intervals have no gaps, so that every wallet has exactly one row at any second. */
export function listConcerns(task: Task, facts: Facts): ConcernRow[] {
  const phases = listPhases(task);
  return [...listInvolved(task, facts)].flatMap(([wallet, { now, before }]) => {
    if (phases.length === 0 || now === 0)
      return {
        wallet,
        starts: 0,
        ends: noEnd,
        part: turns.indexOf('nobody'),
        due: -task.updatedAt,
        roles: now | before,
      };
    return joinEqual(phases.map((phase) => buildRow(phase, wallet, now)));
  });
}

/** Every wallet that a task concerns, in the form of `addressKey`. */
export function concernedWallets(task: Task): string[] {
  return [...listInvolved(task, noFacts).keys()];
}

type Involved = { readonly now: number; readonly before: number };

function listInvolved(task: Task, { workers, dispute: facts }: Facts): Map<string, Involved> {
  const involved = new Map<string, Involved>();
  const add = (time: keyof Involved, role: ConcernRole, wallet: Address | null) => {
    if (wallet === null) return;
    const key = addressKey(wallet);
    const known = involved.get(key) ?? { now: 0, before: 0 };
    involved.set(key, { ...known, [time]: known[time] | maskOf(role) });
  };
  add('now', 'poster', task.poster);
  add('now', 'worker', task.worker);
  for (const worker of workers) add('before', 'worker', worker);
  const { dispute } = task;
  if (dispute === null) return involved;
  const { phase, judge, posterPick, workerPick, posterPayer, workerPayer } = dispute;
  const time = task.state === 'DISPUTED' ? 'now' : 'before';
  if (posterPayer !== null && !isSame(posterPayer, task.poster)) add(time, 'sponsor', posterPayer);
  if (!isSame(workerPayer, task.worker)) add(time, 'sponsor', workerPayer);
  add(time, 'arbitrator', judge);
  // The court names no judge of a closed case. Its ruling does, or its fee where the parties ended the case themselves: of the
  // bonds everybody else is paid as a party or as a payer. Rows of earlier versions do not say who was paid.
  add('before', 'arbitrator', facts.ruling?.by ?? null);
  const others = [task.poster, task.worker, posterPayer, workerPayer];
  for (const paid of facts.bondsTo ?? [])
    if (!others.some((one) => isSame(one, paid))) add('before', 'arbitrator', paid);
  if (phase === 'ANSWERING' || phase === 'PROPOSING')
    for (const pick of [posterPick, workerPick]) add(time, 'proposedArbitrator', pick);
  // Both sides named it, and it let its time pass.
  else if (isSame(posterPick, workerPick) && !isSame(posterPick, judge))
    add('before', 'arbitrator', posterPick);
  return involved;
}

function isSame(left: Address | null, right: Address | null): boolean {
  return left === right || (left !== null && right !== null && isSameAddress(left, right));
}

function buildRow({ by, from, to, until, isOverdue }: Phase, wallet: string, roles: number): ConcernRow {
  const mine = maskOf(...concernRoles.filter((role) => (by as readonly string[]).includes(role)));
  const turn: Turn = isOverdue ? 'anyone' : (roles & mine) === 0 ? 'theirs' : 'mine';
  return { wallet, starts: from ?? 0, ends: to ?? noEnd, part: turns.indexOf(turn), due: until, roles };
}

/** Neighbours that differ only in their times become one row. */
function joinEqual(rows: readonly ConcernRow[]): ConcernRow[] {
  const joined: ConcernRow[] = [];
  for (const row of rows) {
    const last = joined.at(-1);
    if (last?.part === row.part && last.due === row.due) joined.splice(-1, 1, { ...last, ends: row.ends });
    else joined.push(row);
  }
  return joined;
}
