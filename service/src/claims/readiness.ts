// Whether a wallet is ready for an action as the chain stands: named checks, each with the prepare action that helps.

import type { Task } from '@svc/sdk/domain';
import { type Address, formatTok, formatUsdc, isSameAddress } from '@svc/sdk/domain';
import type { Readiness, ReceiptAction } from '@svc/sdk/schemas';

export type ReadyWallet = {
  readonly tokWei: bigint;
  readonly allowances: { readonly tokRouter: bigint };
  readonly deposit: { readonly balance: bigint; readonly locked: bigint; readonly isPaused: boolean };
  readonly staking: { readonly credits: bigint };
};

export type ReadyFigures = {
  readonly accessFeeTokWei: bigint;
  readonly entryUsdc: bigint;
  readonly recommendedUsdc: bigint;
  readonly pauseUsdc: bigint;
  readonly bondUsdc: bigint;
  readonly entriesPaused: boolean;
};

export type ReadinessFacts = {
  readonly payer: Address;
  readonly action: ReceiptAction;
  readonly wallet: ReadyWallet;
  readonly figures: ReadyFigures;
  /** Null for a post. */
  readonly task: Task | null;
  readonly now: number;
};

type Check = Readiness['checks'][number];

export function buildReadiness(facts: ReadinessFacts): Readiness {
  const isEntry = facts.action === 'post' || facts.action === 'claim';
  const checks = [
    ...(facts.task === null ? [] : checkTask(facts, facts.task)),
    ...(isEntry ? checkEntry(facts) : []),
    ...checkFee(facts),
  ];
  return { ready: checks.every(({ ok, required }) => ok || !required), checks };
}

function check(id: string, ok: boolean, have: string, need: string, fix: string | null): Check {
  return { id, ok, have, need, fix: ok ? null : fix, required: true };
}

function checkTask({ action, payer, now }: ReadinessFacts, task: Task): Check[] {
  const isPoster = isSameAddress(task.poster, payer);
  const isWorker = task.worker !== null && isSameAddress(task.worker, payer);
  if (action === 'claim') {
    return [
      check(
        'task-open',
        task.state === 'POSTED' && task.scope === 'open',
        `${task.state}, ${task.scope}`,
        'POSTED, open',
        null,
      ),
      check('before-deadline', now <= task.deadline, String(now), `until ${task.deadline}`, null),
      check('not-the-poster', !isPoster, isPoster ? 'poster' : 'somebody else', 'somebody else', null),
    ];
  }
  const isEngaged = task.state === 'CLAIMED' || task.state === 'ACTIVE';
  const [party, isParty] =
    action === 'leave' ? (['worker', isWorker] as const) : (['poster', isPoster] as const);
  return [
    check('task-engaged', isEngaged, task.state, 'CLAIMED or ACTIVE', null),
    check(`the-${party}`, isParty, isParty ? party : 'somebody else', party, null),
  ];
}

/** Spec 8: 25 USD to enter, 45 recommended, paused below 8. */
function checkEntry({ wallet: { deposit }, figures }: ReadinessFacts): Check[] {
  const { entryUsdc, recommendedUsdc, pauseUsdc, bondUsdc, entriesPaused } = figures;
  const { balance, locked, isPaused } = deposit;
  const free = balance > locked ? balance - locked : 0n;
  const usd = (units: bigint) => `${formatUsdc(units)} USD`;
  return [
    check('entries-open', !entriesPaused, entriesPaused ? 'paused' : 'open', 'open', null),
    check('entry-collateral', balance >= entryUsdc, usd(balance), usd(entryUsdc), 'top-up'),
    check('free-collateral', free >= bondUsdc, usd(free), usd(bondUsdc), 'top-up'),
    check('not-paused', !isPaused, usd(balance), usd(pauseUsdc), 'emergency-top-up'),
    {
      ...check(
        'recommended-collateral',
        balance >= recommendedUsdc,
        usd(balance),
        usd(recommendedUsdc),
        'top-up',
      ),
      required: false,
    },
  ];
}

/** Credits pay the fee where they suffice for all of it; a notice that was given has been paid for. */
function checkFee({ action, task, wallet, figures: { accessFeeTokWei: fee } }: ReadinessFacts): Check[] {
  const isPaid = action === 'dismiss' && task?.state === 'ACTIVE' && task.dismissAt !== null;
  const need = isPaid || wallet.staking.credits >= fee ? 0n : fee;
  const tok = (wei: bigint) => `${formatTok(wei)} TOK`;
  return [
    check('fee-funds', wallet.tokWei >= need, tok(wallet.tokWei), tok(need), null),
    check(
      'router-allowance',
      wallet.allowances.tokRouter >= need,
      tok(wallet.allowances.tokRouter),
      tok(need),
      'approve-tok-router',
    ),
  ];
}
