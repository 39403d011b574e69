// A plan in the few lines of a signing sheet: the amount it is about, who gets it, what is paid, locked and returned.
import type { WriteAction } from '@svc/sdk/actions';
import type { ReactNode } from 'react';
import { useNow } from '../components/Clock.tsx';
import { FullAddress } from '../components/Hex.tsx';
import { Exact, useRoundDown } from '../components/Money.tsx';
import { useTokPrice } from '../data/client.ts';
import { showCents, showTok, showUsdc, showWhen, toTok } from '../data/format.ts';
import { currentMilestone, type Task } from '../data/market.ts';
import type { CostLine } from './costLines.ts';
import type { Plan } from './marketAccess.ts';

type SheetProps = { action: Pick<WriteAction, 'name' | 'title'>; plan: Plan; task?: Task | undefined };

/** What goes out of escrow to other wallets. */
function payoutsOf({ costs }: Plan): CostLine[] {
  return costs.filter(({ payee, tokWei = 0n }) => payee !== undefined && tokWei > 0n);
}

function sumOf(lines: readonly CostLine[]): bigint {
  return lines.reduce((sum, { tokWei = 0n }) => sum + tokWei, 0n);
}

/** In dollars to the cent; in TOK without a price. */
function useShow(): (wei: bigint) => string {
  const price = useTokPrice();
  return (wei) => (price === null ? `${showTok(wei)} TOK` : showCents(toTok(wei) * price));
}

/** The amount that the sheet is about; the exact TOK and the full address of each who gets some of it below. */
export function SheetHeadline({ action, plan, task }: SheetProps) {
  const show = useShow();
  const earned = useRoundDown(plan.earning === null ? null : plan.earning.netTokWei);
  const payouts = payoutsOf(plan);
  const { tokWei } = plan.total;
  const isEarning = plan.earning !== null && plan.earning.netTokWei > 0n;
  const headline = isEarning
    ? `Earn ${earned}`
    : payouts.length > 0
      ? `Pay ${show(sumOf(payouts))}`
      : tokWei > 0n
        ? `Pay ${show(tokWei)}`
        : action.title;
  return (
    <div className="stack dense">
      <span className="sum" data-tone={isEarning ? 'act' : undefined}>
        {headline}
      </span>
      {payouts.map(({ what, tokWei: wei = 0n, payee = '' }) => (
        <div key={what + payee} className="stack dense">
          <p className="big">
            <Exact wei={wei} /> {what.replace(/^To /, 'to ')}
          </p>
          <FullAddress address={payee} />
        </div>
      ))}
      {task !== undefined && payouts.length === 0 && isEarning && (
        <p>
          <b dir="auto">{task.title?.slice(0, 120)}</b>
        </p>
      )}
    </div>
  );
}

/** At most three: what is paid or locked, what comes back, what silence does. */
export function SheetLines({ action, plan, task }: SheetProps) {
  const now = useNow();
  const { tokWei, usdc, lockedUsdc } = plan.total;
  const payouts = payoutsOf(plan);
  const own = plan.costs.filter(({ isGain = false }) => isGain);
  const freed = plan.costs.filter(({ isOwnBond = false }) => isOwnBond);
  const lines: (readonly [string, ReactNode] | false)[] = [
    [
      'You pay',
      tokWei > 0n ? (
        <>
          <Exact wei={tokWei} />, and gas
        </>
      ) : payouts.length > 0 ? (
        'only gas: the money is in escrow'
      ) : (
        'only gas'
      ),
    ],
    lockedUsdc > 0n && [
      'You lock',
      <>
        <b>{showUsdc(lockedUsdc)} USDC</b>
        {usdc > 0n ? `, after adding ${showUsdc(usdc)} USDC to your deposit` : ' of your deposit'}
      </>,
    ],
    lockedUsdc === 0n && usdc > 0n && ['You move', <b key="usdc">{showUsdc(usdc)} USDC</b>],
    plan.earning !== null && [
      'You get',
      <>
        <Exact wei={plan.earning.rewardTokWei} />
        {task !== undefined && task.milestones.length > 1 && ` in ${task.milestones.length} parts`}
      </>,
    ],
    own.length + freed.length > 0 && [
      'You get',
      <>
        {own.length > 0 && <Exact wei={sumOf(own)} />}
        {own.length > 0 && freed.length > 0 && ', and '}
        {freed.map(({ amount }) => (
          <b key={amount}>{amount} back</b>
        ))}
      </>,
    ],
    action.name === 'accept-milestone' &&
      task !== undefined && [
        'Silence',
        `pays the same, ${showWhen(task.updatedAt + task.reviewPeriod, now)}`,
      ],
  ];
  return (
    <dl className="three">
      {lines
        .filter((line) => line !== false)
        .slice(0, 3)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** The worst of an action in one line; all of it stands under the details. */
export function riskLineOf({ action, plan, task }: SheetProps, now: number): string | null {
  if (action.name === 'claim-task' && task !== undefined)
    return `Nothing delivered by ${showWhen(task.deadline, now)}: the locked USDC go to the poster.`;
  if (action.name === 'accept-milestone' && task !== undefined) {
    const isLast = currentMilestone(task) + 1 >= task.milestones.length;
    return `Final. Open the files first.${isLast ? ' The task ends.' : ''}`;
  }
  // The first sentence.
  return /^.*?[.!?](?=\s|$)/.exec(plan.risk ?? '')?.[0] ?? null;
}

const verbs: Readonly<Record<string, string>> = { 'claim-task': 'Claim', 'post-task': 'Post' };

/** What the button does, in money. */
export function useSignLabel({
  action,
  plan,
}: {
  action?: SheetProps['action'];
  plan: Plan | undefined;
}): string {
  const show = useShow();
  if (plan === undefined) return 'Sign with your wallet';
  const payouts = payoutsOf(plan);
  const { tokWei } = plan.total;
  if (payouts.length > 0 && tokWei === 0n) return `Pay ${show(sumOf(payouts))}`;
  if (tokWei === 0n) return 'Sign with your wallet';
  return `${verbs[action?.name ?? ''] ?? 'Sign'}, pay ${show(tokWei)}`;
}
