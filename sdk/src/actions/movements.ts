// What an action moves, as double-entry lines: from one account to another. Costs of the catalog become such lines too,
// so that dialogs, approval page, tools, command line and policy read the same ones.
import { type Address, isSameAddress } from '../domain/address.ts';
import { formatTok, formatUsdc } from '../domain/amount.ts';
import type { TaskState } from '../domain/state.ts';
import { lockedAmount, type Task } from '../domain/task.ts';
import {
  type ActionFacts,
  type Cost,
  type Figures,
  type OwnedPlace,
  type SharedPlace,
  takerOf,
} from './costs.ts';

export type Account =
  | { readonly place: OwnedPlace; readonly owner: Address }
  | { readonly place: SharedPlace };

export type Movement = {
  readonly token: 'TOK' | 'USDC' | 'credits';
  /** Null where the contracts decide it when the call is mined. */
  readonly amount: bigint | null;
  readonly from: Account;
  readonly to: Account;
  readonly note?: string;
};

/** The words of the catalog that movements depend on. */
type Moving = {
  readonly costs?: (facts: ActionFacts) => readonly Cost[];
  readonly moves?: (facts: ActionFacts) => readonly Movement[];
};

/** All that the call moves, payments of its sender first. Lines of nothing are left out. */
export function listMovements(action: Moving, facts: ActionFacts & { readonly sender: Address }): Movement[] {
  const paid = (action.costs?.(facts) ?? []).flatMap((cost) => moveCost(cost, facts));
  return [...paid, ...(action.moves?.(facts) ?? [])].filter(({ amount }) => amount !== 0n);
}

const escrow: Account = { place: 'escrow' };
const disputeBonds: Account = { place: 'disputeBonds' };

export function accountOf(place: OwnedPlace, owner: Address): Account {
  return { place, owner };
}

/** One line: an amount from one account to another. */
export function move(
  token: Movement['token'],
  amount: bigint | null,
  from: Account,
  to: Account,
  note?: string,
): Movement {
  return { token, amount, from, to, ...(note !== undefined && { note }) };
}

function moveCost(
  { kind, token, amount, payer }: Cost,
  { sender, parties, recipient, freeFees = [] }: ActionFacts & { readonly sender: Address },
): Movement[] {
  const isShared = payer === 'each party' && parties !== undefined;
  return (isShared ? [parties.poster, parties.worker] : [sender]).map((owner) => {
    const isFree = kind === 'accessFee' && freeFees.some((one) => isSameAddress(one, owner));
    if (isFree) return move('credits', amount, accountOf('credits', owner), { place: 'fees' });
    const source = kind === 'collateralBond' ? 'collateral' : 'wallet';
    const keeper = kind === 'rescue' && recipient !== undefined ? recipient : owner;
    const place = takerOf(kind);
    const to: Account = isOwnedPlace(place) ? accountOf(place, keeper) : { place };
    return move(token, amount, accountOf(source, owner), to, kind === 'tokPurchase' ? 'at most' : undefined);
  });
}

/** Escrow to the worker. */
export function release({ worker }: Pick<Task, 'worker'>, amount: bigint): Movement[] {
  return worker === null ? [] : [move('TOK', amount, escrow, accountOf('wallet', worker))];
}

/** Escrow back to the poster. */
export function refund({ poster }: Pick<Task, 'poster'>, amount: bigint, note?: string): Movement {
  return move('TOK', amount, escrow, accountOf('wallet', poster), note);
}

/** Bonds of these wallets come free inside their collateral. */
export function unlock({ bondUsdc }: Figures, ...owners: readonly (Address | null)[]): Movement[] {
  return owners
    .filter((owner) => owner !== null)
    .map((owner) => move('USDC', bondUsdc, accountOf('bond', owner), accountOf('collateral', owner)));
}

/** The bond of one side, or half of it, goes to the other; what is left of it comes free. */
function slash({ bondUsdc }: Figures, from: Address | null, to: Address, isHalf = false): Movement[] {
  if (from === null) return [];
  const lost = isHalf ? bondUsdc / 2n : bondUsdc;
  const give = (amount: bigint, owner: Address) =>
    move('USDC', amount, accountOf('bond', from), accountOf('collateral', owner));
  return [give(lost, to), give(bondUsdc - lost, from)];
}

/** The milestone is paid; after the last one both bonds come free. */
export function payMilestone({ task, figures, milestone }: ActionFacts): Movement[] {
  if (task === undefined) return [];
  const at = milestone ?? task.milestone;
  const paid = release(task, task.milestones[at] ?? 0n);
  return isLast(task) ? [...paid, ...unlock(figures, task.poster, task.worker)] : paid;
}

export function isLast({ milestone, milestones }: Pick<Task, 'milestone' | 'milestones'>): boolean {
  return milestone === milestones.length - 1;
}

/** A worker goes. An open task in time is listed again and keeps its escrow; any other ends. */
export function endEngagement(
  { task, figures, isLate }: ActionFacts,
  lost: 'nothing' | 'half' | 'all',
): Movement[] {
  if (task === undefined) return [];
  const bond =
    lost === 'nothing'
      ? unlock(figures, task.worker)
      : slash(figures, task.worker, task.poster, lost === 'half');
  return isListedAgain({ task, isLate }) ? bond : [...bond, ...endTask(task, figures)];
}

export function isListedAgain({
  task,
  isLate = false,
}: Pick<ActionFacts, 'isLate'> & { readonly task: Task }) {
  return task.scope === 'open' && !isLate;
}

export function stateAfterLeaving({ task, isLate }: ActionFacts): TaskState | null {
  if (task === undefined) return null;
  return isListedAgain({ task, isLate }) ? 'POSTED' : 'CANCELLED';
}

/** The poster gets escrow and its bond back. */
export function endTask(task: Task, figures: Figures): Movement[] {
  return [refund(task, lockedAmount(task), 'all that escrow holds'), ...unlock(figures, task.poster)];
}

/** Dispute bonds: what `taker` gets of each side's, and the rest back to the wallets that put them up. */
export function payDisputeBonds(
  { dispute }: Pick<Task, 'dispute'>,
  taker: Address | null,
  ofPoster: bigint,
  ofWorker: bigint,
): Movement[] {
  if (dispute === null) return [];
  const { bond, posterPayer, workerPayer } = dispute;
  const pay = (owner: Address | null, amount: bigint): Movement[] =>
    owner === null ? [] : [move('TOK', amount, disputeBonds, accountOf('wallet', owner), 'dispute bonds')];
  return [
    ...pay(taker, ofPoster + ofWorker),
    ...pay(posterPayer, bond - ofPoster),
    ...pay(workerPayer, bond - ofWorker),
  ];
}

/** Escrow is split by basis points; `fee` comes out of the worker's share, or out of the poster's and then goes to the judge. */
export function splitEscrow(
  task: Task,
  workerBps: number,
  fee = 0n,
  judge: Address | null = null,
): Movement[] {
  const held = lockedAmount(task);
  const share = (held * BigInt(workerBps)) / 10_000n;
  const to: Account = judge === null ? { place: 'fees' } : accountOf('wallet', judge);
  return [
    ...release(task, judge === null ? share - fee : share),
    refund(task, judge === null ? held - share : held - share - fee),
    move('TOK', fee, escrow, to, 'in place of a bond'),
  ];
}

/** The arbitrator of an assigned case let its time pass: a part of its bond goes to the treasury. */
export function slashMissed({ task, slashedTokWei }: ActionFacts): Movement[] {
  const dispute = task?.dispute;
  if (dispute?.phase !== 'ASSIGNED' || dispute.judge === null) return [];
  const from = accountOf('arbitratorBond', dispute.judge);
  return [move('TOK', slashedTokWei ?? null, from, { place: 'treasury' })];
}

/** A side that gets nothing of the milestone loses its collateral bond to the other. */
export function endRuling(task: Task, figures: Figures, workerBps: number): Movement[] {
  const { poster, worker } = task;
  if (worker === null) return [];
  if (workerBps === 0) return [...slash(figures, worker, poster), ...unlock(figures, poster)];
  if (workerBps === 10_000) return [...slash(figures, poster, worker), ...unlock(figures, worker)];
  return unlock(figures, poster, worker);
}

/** For whom a line is written, and whose roles it names. */
export type Reader = { readonly me: Address; readonly task?: Roles | null | undefined };

export type Roles = Pick<Task, 'poster' | 'worker'> & Partial<Pick<Task, 'dispute'>>;

/** Yours, and before the name of another owner. */
const ownedWords: Readonly<Record<OwnedPlace, readonly [mine: string, ofOther: string]>> = {
  wallet: ['your wallet', ''],
  collateral: ['your collateral', 'the collateral of '],
  bond: ['your locked bond', 'the locked bond of '],
  stake: ['your stake', 'the stake of '],
  rewards: ['your rewards', 'the rewards of '],
  arbitratorBond: ['your arbitrator’s bond', 'the arbitrator’s bond of '],
  credits: ['your Action Credits', 'the Action Credits of '],
};

const sharedWords: Readonly<Record<SharedPlace, string>> = {
  escrow: 'escrow',
  disputeBonds: 'the dispute bonds',
  fees: 'the market’s fees',
  treasury: 'the treasury',
  pool: 'the pool',
};

/** Such as `your wallet`, `escrow` or `the worker`; with the address where the name alone does not say whose it is. */
export function nameAccount(account: Account, { me, task }: Reader) {
  if (!('owner' in account)) return { name: sharedWords[account.place], address: null };
  const { place, owner } = account;
  const [mine, ofOther] = ownedWords[place];
  if (isSameAddress(owner, me)) return { name: mine, address: null };
  return { name: `${ofOther}${nameRole(owner, task)}`, address: owner };
}

function isOwnedPlace(place: Account['place']): place is OwnedPlace {
  return Object.hasOwn(ownedWords, place);
}

function nameRole(owner: Address, task: Roles | null | undefined): string {
  if (task == null) return 'another wallet';
  const is = (other: Address | null | undefined) => other != null && isSameAddress(other, owner);
  if (is(task.worker)) return 'the worker';
  if (is(task.poster)) return 'the poster';
  return is(task.dispute?.judge) ? 'the arbitrator' : 'another wallet';
}

/** Such as `16000 TOK`. */
export function describeAmount({ token, amount }: Pick<Movement, 'token' | 'amount'>): string {
  if (amount === null) return `an amount of ${token} that the contracts decide`;
  if (token === 'USDC') return `${formatUsdc(amount)} USDC`;
  return `${formatTok(amount)} ${token}`;
}

/** Such as `16000 TOK from escrow to the worker 0x…`. */
export function describeMovement(movement: Movement, reader: Reader): string {
  const { from, to, note } = movement;
  const show = (account: Account) => {
    const { name, address } = nameAccount(account, reader);
    return address === null ? name : `${name} ${address}`;
  };
  const way = `from ${show(from)} to ${show(to)}`;
  return `${describeAmount(movement)} ${way}${note === undefined ? '' : ` (${note})`}`;
}
