// Whether a wallet is ready for an action as the chain stands: named checks, each with the prepare action that helps.
// What the action costs, and who may take it when, comes from the catalog.
import { type CostKind, catalog, type WriteAction } from '@svc/sdk/actions';
import { type Address, formatTok, formatUsdc, rolesOf, type Task } from '@svc/sdk/domain';
import { type Figures, paysWithCredits } from '@svc/sdk/internal/actions/costs';
import type { WalletState } from '@svc/sdk/internal/chain/readAgents';
import type { MarketFigures } from '@svc/sdk/internal/chain/readMarket';
import { formatMoment } from '@svc/sdk/internal/domain/amount';
import type { FeeAction } from '@svc/sdk/internal/domain/state';
import type { Readiness } from '../contract/claiming.ts';

const writes: Readonly<Record<FeeAction, WriteAction>> = {
  post: catalog.postTask,
  claim: catalog.claimTask,
  dismiss: catalog.dismissWorker,
  leave: catalog.leaveTask,
};

type ReadinessFacts = {
  readonly payer: Address;
  readonly action: FeeAction;
  readonly wallet: Pick<WalletState, 'tokWei' | 'allowances' | 'deposit' | 'staking'>;
  readonly figures: Figures & Pick<MarketFigures, 'recommendedUsdc' | 'pauseUsdc' | 'entriesPaused'>;
  /** Null for a post. */
  readonly task: Task | null;
  readonly now: number;
};

type Check = Readiness['checks'][number];

export function buildReadiness(facts: ReadinessFacts): Readiness {
  const { action, task, figures } = facts;
  const costs = writes[action].costs?.({ figures, task: task ?? undefined }) ?? [];
  const costOf = (kind: CostKind) => costs.find((cost) => cost.kind === kind)?.amount;
  const bond = costOf('collateralBond');
  const checks = [
    ...(task === null ? [] : checkTask(facts, task)),
    ...(bond === undefined ? [] : checkEntry(facts, bond)),
    ...checkFee(facts, costOf('accessFee') ?? 0n),
  ];
  return { ready: checks.every(({ ok, required }) => ok || !required), checks };
}

function check(id: string, ok: boolean, have: string, need: string, fix: string | null = null): Check {
  return { id, ok, have, need, fix: ok ? null : fix, required: true };
}

function checkTask({ action, payer, now }: ReadinessFacts, task: Task): Check[] {
  const { windows = {}, by } = writes[action];
  const { state, scope } = task;
  const isPossible = windows[state] !== undefined;
  const roles = rolesOf(task, payer);
  if (action === 'claim') {
    const isPoster = roles.includes('poster');
    const until = windows.POSTED?.(task)[0]?.until ?? 0;
    return [
      check('task-open', isPossible && scope === 'open', `${state}, ${scope}`, 'POSTED, open'),
      check('before-deadline', now <= until, formatMoment(now), `until ${formatMoment(until)}`),
      check('not-the-poster', !isPoster, isPoster ? 'poster' : 'somebody else', 'somebody else'),
    ];
  }
  const states = Object.keys(windows).join(' or ');
  const [party = 'anyone'] = by;
  const isParty = roles.some((role) => role === party);
  return [
    check('task-engaged', isPossible, state, states),
    check(`the-${party}`, isParty, isParty ? party : 'somebody else', party),
  ];
}

/** docs/specification.md section 8: 25 USD to enter, 45 recommended, paused below 8. */
function checkEntry({ wallet: { deposit }, figures }: ReadinessFacts, bond: bigint): Check[] {
  const { entryUsdc, recommendedUsdc, pauseUsdc, entriesPaused } = figures;
  const { balance, locked, isPaused } = deposit;
  const free = balance > locked ? balance - locked : 0n;
  const usd = (units: bigint) => `${formatUsdc(units)} USD`;
  const recommended = [balance >= recommendedUsdc, usd(balance), usd(recommendedUsdc), 'top-up'] as const;
  return [
    check('entries-open', !entriesPaused, entriesPaused ? 'paused' : 'open', 'open'),
    check('entry-collateral', balance >= entryUsdc, usd(balance), usd(entryUsdc), 'top-up'),
    check('free-collateral', free >= bond, usd(free), usd(bond), 'top-up'),
    check('not-paused', !isPaused, usd(balance), usd(pauseUsdc), 'emergency-top-up'),
    { ...check('recommended-collateral', ...recommended), required: false },
  ];
}

function checkFee({ wallet, figures }: ReadinessFacts, fee: bigint): Check[] {
  const need = paysWithCredits(wallet, figures) ? 0n : fee;
  const { tokWei, allowances } = wallet;
  const tok = (wei: bigint) => `${formatTok(wei)} TOK`;
  const isAllowed = allowances.tokRouter >= need;
  return [
    check('fee-funds', tokWei >= need, tok(tokWei), tok(need)),
    check('router-allowance', isAllowed, tok(allowances.tokRouter), tok(need), 'approve-tok-router'),
  ];
}
