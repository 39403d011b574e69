// What to do when a call would revert: in words, and with the action that fixes it where there is one.
import type { WalletState } from '../chain/readAgents.ts';
import type { Revert } from '../chain/revert.ts';
import { type Address, isSameAddress } from '../domain/address.ts';
import { formatTok, formatUsdc } from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';
import { marketParameters, protocolConstants } from '../domain/parameters.ts';
import { isFullyFunded, type Task } from '../domain/task.ts';
import { formatTaskId } from '../domain/taskId.ts';
import { buildCommand } from './arguments.ts';
import { describeAmount, type Movement } from './movements.ts';
import { isOpenAt, nextActions, nextActionsOf } from './nextActions.ts';
import { timeOutFrom } from './settle.ts';

export type Fix = {
  readonly text: string;
  readonly action?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly command?: string;
};

type Explained = { readonly reason: string; readonly fix: Fix };

export type FixContext = {
  readonly market: Market;
  readonly from: Address;
  /** The wallets whose collateral the calls lock, as it is now. */
  readonly engaged: readonly Engaged[];
  /** The task that the action is about, if any. */
  readonly task: Task | null;
  /** Unix seconds, of the chain. */
  readonly now: number;
};

export type Engaged = Pick<WalletState, 'deposit'> & { readonly address: Address };

type Args = Revert['args'];
type FixOf = (args: Args, context: FixContext) => Fix;

export function explainRevert({ name, args }: Revert, context: FixContext): Fix | null {
  const fix = fixes[name];
  if (fix === undefined) return null;
  return typeof fix === 'string' ? { text: fix } : fix(args, context);
}

/** A token reverts without its name: the movements of the call have it. Null for other reverts. */
export function explainShortage(
  { name, args }: Revert,
  movements: readonly Movement[],
  sender: Address,
): Explained | null {
  if (name === 'Error') return explainUsdc(args.message, movements);
  const isAllowance = name === 'ERC20InsufficientAllowance';
  if (!isAllowance && name !== 'ERC20InsufficientBalance') return null;
  const has = BigInt((isAllowance ? args.allowance : args.balance) as bigint);
  const needed = BigInt(args.needed as bigint);
  const paid = movements.filter(({ token }) => token !== 'credits');
  const token = (paid.find(({ amount }) => amount === needed) ?? paid[0])?.token;
  if (token === undefined) return null;
  const format = (amount: bigint) => describeAmount({ token, amount });
  const shortage = `but ${format(needed)} are needed.`;
  if (isAllowance) {
    const isOwn = paid.every(({ from }) => 'owner' in from && isSameAddress(from.owner, sender));
    const owner = isOwn ? sender : 'the other party';
    // TOK is allowed to the payment gateway alone.
    const spender = token === 'TOK' ? 'The payment gateway' : `The contract ${args.spender}`;
    return {
      reason: `${spender} may take ${format(has)} of ${owner}, ${shortage}`,
      fix: isOwn ? { text: approveAgain } : approveFee,
    };
  }
  return {
    reason: `${args.sender} has ${format(has)}, ${shortage}`,
    fix: { text: `Send ${format(needed - has)} to ${args.sender}, or use less.` },
  };
}

const approveAgain = 'Prepare the action again: its calls bring the approval along.';

/** The USDC of public chains reverts with these words alone: what the call takes says the rest. */
function explainUsdc(message: unknown, movements: readonly Movement[]): Explained | null {
  const [, what] = /transfer amount exceeds (balance|allowance)/.exec(String(message)) ?? [];
  const payment = movements.find(({ token, from }) => token === 'USDC' && from.place === 'wallet');
  if (what === undefined || payment === undefined || !('owner' in payment.from)) return null;
  const { owner } = payment.from;
  const amount = describeAmount(payment);
  return what === 'balance'
    ? {
        reason: `${owner} has less than the ${amount} that this takes.`,
        fix: { text: `Send USDC to ${owner}, or use less.` },
      }
    : { reason: `Less than ${amount} may be taken from ${owner}.`, fix: { text: approveAgain } };
}

/** Calls bring the allowances of their sender along. */
const approveFee: Fix = {
  text: 'The other party has to approve its access fee first, with approve-tok-router.',
  action: 'approve-tok-router',
};

/**
 * The router of a pool says "STF" where it cannot take the price, whether the wallet has less or the pool asks for more than was
 * allowed, and nothing where the pool sells less than was asked for. Null for other reverts.
 */
export function explainPurchase(
  { name, args: { message } }: Revert,
  maxUsdc: bigint,
  { address, usdc }: Pick<WalletState, 'usdc'> & { readonly address: Address },
): Explained | null {
  const isShort = message === 'STF' && usdc < maxUsdc;
  if (isShort)
    return {
      reason: `${address} has ${formatUsdc(usdc)} USDC, but up to ${formatUsdc(maxUsdc)} USDC are needed for the TOK.`,
      fix: { text: `Send ${formatUsdc(maxUsdc - usdc)} USDC to ${address}, or buy less.` },
    };
  if (message === 'STF' || message === 'Too much requested')
    return {
      reason: `The pool asks for more than the bound of ${formatUsdc(maxUsdc)} USDC.`,
      fix: {
        text: 'Wait until its price is near the published one, buy less, or give a higher maxUsdc.',
      },
    };
  if (name !== '') return null;
  return {
    reason: 'The pool has too little TOK to sell.',
    fix: { text: 'Buy less, or buy TOK elsewhere and send them to the wallet.' },
  };
}

/** The revert has figures and no wallet, so the figures identify it. The sender comes first where both lack the same. */
const topUpBy: FixOf = ({ balance, free, required }, { market, from, engaged }) => {
  const lacking = engaged.find(({ deposit }) =>
    balance === undefined ? deposit.balance - deposit.locked === free : deposit.balance === balance,
  );
  if (lacking === undefined) return { text: 'Prepare it again: the collateral has changed meanwhile.' };
  const { address } = lacking;
  const missing = BigInt(required as bigint) - BigInt((balance ?? free) as bigint);
  const args = { market, amountUsdc: formatUsdc(missing), from: address };
  const text = isSameAddress(address, from)
    ? 'Add what is missing to the collateral.'
    : `${address} has to add what is missing to its own collateral.`;
  return withAction(text, 'top-up', args);
};

/** For calls that take collateral out. */
const takeLess: FixOf = ({ free }) => ({
  text: `At most ${formatUsdc(BigInt(free as bigint))} USDC are free to take out; while you have tasks, their collateral stays.`,
});

const lookAgain: FixOf = (_, { task, from, now }) => {
  if (task === null) return { text: 'Read the task again: svc prepare read.' };
  const possible = nextActions(task)
    .filter((next) => isOpenAt(now, next))
    .map(({ action, by }) => `${action} (${by})`);
  const list = [...new Set(possible)].join(', ');
  const isWorker = task.worker !== null && isSameAddress(task.worker, from);
  const you = isWorker ? ', and you are its worker' : '';
  return { text: `The task is ${task.state}${you}. Possible now: ${list === '' ? 'nothing' : list}.` };
};

const wait = 'Wait until then, and prepare it again.';
const prepareAgain = 'Read the task again and prepare the action again.';
const otherWallet: FixOf = (_, { task }) => ({
  text:
    task === null
      ? 'Use the wallet that may do this.'
      : `The poster is ${task.poster}, the worker is ${task.worker ?? 'nobody yet'}.`,
});
const timeIsOver: FixOf = (args, context) => {
  const { task, from, now } = context;
  if (task === null) return { text: 'Ask for a new signature with a later end.' };
  const end = timeOutFrom(task);
  if (end === null || end > now) return lookAgain(args, context);
  return onTask(task, 'Anyone may end this phase now.', 'resolve-timed-out', from);
};

const fixes: Readonly<Record<string, FixOf | string>> = {
  AgentIsPaused: (_, { market, from }) =>
    withAction('Lift the deposit above the pause threshold.', 'top-up', { market, from }),
  ArbitratorIsParty: 'Use a wallet that takes no other part in the dispute.',
  BadMilestones: 'Give two to ten milestones that add up to the total, none too small.',
  BadSignature: 'Have that wallet sign exactly these terms, with --sign.',
  BadTerms: (_, { market }) => {
    const { minTotalTokWei, launchCapTokWei, minReviewSeconds, maxReviewSeconds } = marketParameters[market];
    const days = protocolConstants.maxDurationSeconds / 86_400;
    const total = `${formatTok(minTotalTokWei)} to ${formatTok(launchCapTokWei)} TOK`;
    const review = `${minReviewSeconds / 3_600} hours to ${maxReviewSeconds / 86_400} days`;
    return {
      text: `Change that term. A task pays ${total} (the owner may have raised the end), is due within ${days} days, and has ${review} of review.`,
    };
  },
  BelowEntry: topUpBy,
  BelowMinStake: 'Stake the least amount or more; take out all, or leave as much.',
  BondTooLow: (_, { market, from }) =>
    withAction('Bond the least amount or more.', 'register-arbitrator', { market, from }),
  CasesOpen: 'Rule on the open cases first.',
  DeliveredAgain:
    'Look at the newest delivery, then prepare the action again. --any-delivery disputes whichever delivery there is.',
  DigestMismatch: prepareAgain,
  ERC20InsufficientAllowance: () => approveFee,
  ERC20InsufficientBalance: 'Get more of the token into the wallet, or use less.',
  Error: 'Look at the call that fails; its contract is not part of the market.',
  EntriesArePaused: 'Wait until the market takes new posts and claims again.',
  Expired: timeIsOver,
  InsufficientFree: (args, context) => (context.engaged.length === 0 ? takeLess : topUpBy)(args, context),
  NoNotice: (_, { task, from }) => onTask(task, 'Give the worker notice first.', 'give-dismiss-notice', from),
  NotArbitrator: 'Use the wallet of the arbitrator.',
  NotEligible:
    'Name another arbitrator; svc_list_arbitrators with taskId, or /v1/leaderboard/verifiers, lists them.',
  NotFullyFunded: (_, { task }) => onTask(task, 'The poster has to fund the task first.', 'fund-task'),
  NotInEmergency: 'That wallet is not paused and needs no rescue.',
  NotParty: otherWallet,
  NotPoster: otherWallet,
  NotWorker: otherWallet,
  OverFunded: 'Leave the amount out to put in exactly what is missing.',
  PlanBelowMin: 'Prepare it again to see what the plan gives now.',
  ReviewOver: timeIsOver,
  SaltUsed:
    'If that is the task you mean, its conversation names it. For another one, build terms with another negotiationId, and have both sign them.',
  SelfDeal: 'Use another wallet than the poster’s.',
  StakeLocked: wait,
  StalePrice: 'Pay with USDC: --pay-with usdc.',
  StillBelowPause: 'Leave the amount out to lift it exactly to the threshold.',
  TokNotAllowed: 'Pay with USDC: --pay-with usdc.',
  TooEarly: ({ possibleAfter }, { task, from }) => ({
    text: explainTooEarly(Number(possibleAfter), task, from),
  }),
  TooLate: timeIsOver,
  WrongMilestone: prepareAgain,
  WrongPhase: lookAgain,
  WrongState: lookAgain,
  ZeroAmount: (_, { task }) =>
    task !== null && isFullyFunded(task)
      ? { text: 'Escrow holds all that the task pays: nothing is left to fund.' }
      : { text: 'Give an amount above 0.' },
};

/** The windows of the actions tell which one was tried. */
function explainTooEarly(possibleAfter: number, task: Task | null, from: Address): string {
  const next = task === null ? [] : nextActionsOf(task, from);
  const starts = (action: string, by: string) =>
    next.some((one) => one.action === action && one.by === by && one.from === possibleAfter + 1);
  if (starts('start-work', 'worker')) return `Until then only the poster may do this. ${wait}`;
  if (starts('resolve-dispute', 'arbitrator'))
    return 'Wait until then. Once both sides have given evidence, or filed that they have nothing to add, you may rule at once.';
  return wait;
}

/** An action on the task, by its poster unless another wallet is given; without a task, the words alone. */
function onTask(task: Task | null, text: string, action: string, from = task?.poster): Fix {
  return task === null ? { text } : withAction(text, action, { taskId: formatTaskId(task), from });
}

function withAction(text: string, action: string, args: Readonly<Record<string, unknown>>): Fix {
  return { text, action, arguments: args, command: buildCommand(action, args) };
}
