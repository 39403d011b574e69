// The contract of a task on one slip: what it pays, until when, what silence does, what is locked; and whose turn it is.
import { isTerminal, listEscrow, protocolConstants, rolesOf } from '@svc/sdk/domain';
import { offeredAmount } from '@svc/sdk/internal/domain/task';
import { Check, Clock, LockKeyhole, Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNow } from '../../components/Clock.tsx';
import { Dollars, Sum } from '../../components/Money.tsx';
import { Lines } from '../../components/Sheet.tsx';
import { showDuration, showWhen } from '../../data/format.ts';
import { dueAmount, type Task, useKept, useSiteConfig } from '../../data/market.ts';
import { describePhase, waiting } from '../../data/phases.ts';
import { useWallet } from '../../wallet/useWallet.tsx';

const { deliveryGraceSeconds, disputeBps } = protocolConstants;

/** What the connected wallet is to a task. */
export function useRoles(task: Task): readonly string[] {
  const address = useWallet()?.address;
  return address === undefined ? [] : rolesOf(task as Parameters<typeof rolesOf>[0], address);
}

type SlipProps = { task: Task; isDeciding: boolean; children: ReactNode };

export function Slip({ task, isDeciding, children }: SlipProps) {
  const [part, ...others] = listEscrow(task);
  // All of it in one place needs no line of its own.
  const isMixed = part === undefined || others.length > 0 || !task.fullyFunded;
  // That an open task is locked stands beside its title.
  const note = isMixed || task.state === 'POSTED' ? '' : partNotes[part.name];
  return (
    <section className="slip" aria-label={isDeciding ? 'What each answer does' : 'Reward and terms'}>
      <div className="stub">
        <Sum wei={isDeciding ? dueAmount(task) : offeredAmount(task)} note={note} />
      </div>
      <div className="tear" />
      <div className="terms stack">
        {isDeciding ? (
          <Answers task={task} />
        ) : task.state === 'POSTED' ? (
          <OpenTerms task={task} />
        ) : (
          <RunningTerms task={task} />
        )}
        {children}
      </div>
    </section>
  );
}

function Answers({ task }: { task: Task }) {
  const bond = (dueAmount(task) * BigInt(disputeBps)) / 10_000n;
  return (
    <Lines
      lines={[
        ['Accept', 'paid at once, final'],
        ['Ask for a change', 'free, the clock runs on'],
        [
          'Dispute',
          <>
            lock <Dollars wei={bond} />, a judge decides
          </>,
        ],
      ]}
    />
  );
}

function OpenTerms({ task }: { task: Task }) {
  const now = useNow();
  const isOwn = useRoles(task).includes('poster');
  const limits = useSiteConfig(task.market).data?.limits;
  const kept = useKept(task);
  const { deadline, reviewPeriod, fullyFunded, fundedTokWei, totalAmountTokWei } = task;
  const late = deadline < now;
  const due = late ? 'over' : showDuration(deadline - now, 1);
  const silent = showDuration(reviewPeriod);
  return (
    <Lines
      lines={[
        ['Due', showWhen(deadline, now), `${due}, then ${showDuration(deliveryGraceSeconds)} of grace`],
        !fullyFunded && [
          'Locked so far',
          <span key="locked" data-tone="time">
            <Dollars wei={fundedTokWei} /> of <Dollars wei={totalAmountTokWei} />
          </span>,
        ],
        [
          isOwn ? 'You are silent' : 'Poster silent',
          isOwn ? `the worker is paid after ${silent}` : `you are paid after ${silent}`,
        ],
        limits !== undefined && [isOwn ? 'You locked' : 'You lock', `${limits.bondUsd} USDC, returned`],
        limits !== undefined &&
          !isOwn && ['Fee, not returned', <Dollars key="fee" wei={limits.accessFeeTokWei} />],
        kept !== null && !isOwn && ['You keep', <Dollars key="kept" wei={kept} />, 'without gas', 'total'],
      ]}
    />
  );
}

const partNotes = {
  released: 'paid to the worker',
  locked: 'locked',
  refunded: 'back to the poster',
  fees: 'fee of a dispute',
} as const;

const partNames = {
  released: 'Paid to the worker',
  locked: 'Locked',
  refunded: 'Back to the poster',
  fees: 'Fee of a dispute',
} as const;

function RunningTerms({ task }: { task: Task }) {
  const now = useNow();
  const missing = BigInt(task.totalAmountTokWei) - BigInt(task.fundedTokWei);
  const parts = listEscrow(task);
  const shown = parts.length === 1 && missing === 0n ? [] : parts;
  const isOver = isTerminal(task.state);
  return (
    <Lines
      lines={[
        ...shown.map(({ name, wei }) => [partNames[name], <Dollars key={name} wei={wei} />] as const),
        missing > 0n && !isOver && ['Not funded', <Dollars key="missing" wei={missing} />],
        !isOver && [
          'Due',
          showWhen(task.deadline, now),
          `then ${showDuration(deliveryGraceSeconds)} of grace`,
        ],
        !isOver && ['Silence pays after', showDuration(task.reviewPeriod), 'from each delivery'],
      ]}
    />
  );
}

const tones = {
  act: LockKeyhole,
  time: Clock,
  risk: Scale,
  done: Check,
} as const;

/** Whose turn it is, read out when it changes. */
export function TurnMark({ task }: { task: Task }) {
  const { isOwn, who, todo, sentence } = describePhase(task, useNow(), useWallet()?.address);
  const { state, fullyFunded, fundedTokWei } = task;
  const isOpen = state === 'POSTED' && !isOwn;
  const funding = fullyFunded ? 'fully locked' : fundedTokWei === '0' ? 'not funded yet' : 'partly funded';
  const tone =
    who === 'nobody' ? 'done' : isOpen && fullyFunded ? 'act' : state === 'DISPUTED' ? 'risk' : 'time';
  const Icon = tones[tone];
  return (
    <span className="label turn" data-tone={tone}>
      <Icon className="s" />
      {/* Without the clock, which would be read out every minute. */}
      <span aria-live="polite">
        {who === 'nobody'
          ? sentence
          : isOwn
            ? `Your turn: ${todo}`
            : isOpen
              ? `Open, ${funding}`
              : waiting[who]}
      </span>
    </span>
  );
}
