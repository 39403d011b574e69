// The dialog of an action: what happens, what it costs, what can be lost and undone; then the progress of each step.
import type { WriteAction } from '@svc/sdk/actions';
import { formatTok, type Market, parseTaskId } from '@svc/sdk/domain';
import { findWrite } from '@svc/sdk/internal/actions/catalog';
import { type ReactNode, useRef, useState } from 'react';
import { Button, Dialog, Failure } from '../components/Form.tsx';
import { Tok } from '../components/Money.tsx';
import { type Task, useSiteConfig } from '../data/market.ts';
import type { ActionArguments } from './marketAccess.ts';
import { PlanDetails, PlanView, SendButton, type SendProps } from './PlanView.tsx';
import { SheetHeadline } from './SheetLines.tsx';
import { usePlannedAction } from './usePlannedAction.ts';
import type { Signing } from './useStoredDocument.tsx';
import { OnChain, useWallet } from './useWallet.tsx';

type ActionDialogProps = {
  action: WriteAction;
  market: Market;
  /** Null until the form has given them, and while it has its own button. */
  args: ActionArguments | null;
  /** Of an action on a task, as the page has it now. */
  task?: Task;
  signing?: Signing;
  /** Why what it rests on besides is gone, such as an offer that another one has replaced. */
  change?: string | null;
  /** What was signed is mined and shown. */
  onSent?: SendProps['onSent'];
  onClose: () => void;
  /** The form. */
  children?: ReactNode;
};

export function ActionDialog(props: ActionDialogProps) {
  const { action, market, args, task, signing, change: outer = null, onSent, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const planned = usePlannedAction({ action, market, args, task, outer });
  const { plan, error, simulated, sending } = planned;
  const { change, check } = planned.premise;
  const premise = {
    change,
    check: async () => {
      await check();
      await signing?.current?.before();
    },
  };
  const isIdle = sending.progress === null;
  const isCurrent = change === null;
  const isStarted = sending.isBusy || sending.hashes.length > 0;
  return (
    <Dialog ref={dialog} opensAtOnce isSheet title={nameAction(action, task)} onClose={onClose}>
      {plan !== undefined && isCurrent && <SheetHeadline action={action} plan={plan} task={task} />}
      {plan === undefined && isCurrent && isIdle && <p>{action.effect}</p>}
      {/* A form with its own button has nothing left to sign either. */}
      {isIdle && (isCurrent || args !== null) && children}
      {args === null && <Failure text={change} />}
      {isIdle && isCurrent && error !== null && (
        <p className="notice" data-is="time" role="status">
          {error}
        </p>
      )}
      {plan !== undefined && (isCurrent || isStarted) && (
        <>
          <div className="tear" />
          <PlanView action={action} plan={plan} task={task} simulated={simulated} sending={sending} />
        </>
      )}
      {isIdle && isCurrent && <GetTok market={market} wei={plan?.lacksTokWei ?? 0n} />}
      <OnChain connect="The wallet is no longer connected. Connect it again to go on.">
        {args !== null && (
          <SendButton
            {...planned}
            action={action}
            task={task}
            premise={premise}
            onDone={() => dialog.current?.close()}
            onSent={(receipts) => {
              signing?.current?.after();
              onSent?.(receipts);
            }}
          />
        )}
      </OnChain>
      {/* Stays what its reader made it, open or closed. */}
      <PlanDetails
        action={action}
        plan={plan}
        task={task}
        simulated={simulated}
        sending={sending}
        isHidden={!isCurrent}
      />
    </Dialog>
  );
}

function nameAction({ title }: WriteAction, task: Task | undefined): string {
  if (task === undefined) return title;
  const name = `task ${parseTaskId(task.id).number}`;
  const named = title.replace(/(this|the) task/, name);
  return named === title ? `${title}, ${name}` : named;
}

export type ChosenAction = { readonly action: WriteAction; readonly args: Readonly<Record<string, unknown>> };

/** The way to TOK that is missing: from the pool of the market for USDC, else from whoever has some. */
export function GetTok({ market, wei }: { market: Market; wei: bigint }) {
  const [dialog, open] = useActionDialog(market);
  const hasPool = useSiteConfig(market).data?.contracts.swapRouter !== undefined;
  const buyTok = findWrite('buy-tok');
  const address = useWallet()?.address;
  if (wei <= 0n || address === undefined) return null;
  if (!hasPool || buyTok === undefined)
    return (
      <p className="small">
        No pool sells TOK for USDC here. Send at least <Tok wei={wei} /> to this wallet:{' '}
        <span className="mono breakable">{address}</span>
      </p>
    );
  return (
    <>
      <Button onClick={() => open({ action: buyTok, args: { amountTok: formatTok(wei) } })}>
        Get TOK with USDC
      </Button>
      {dialog}
    </>
  );
}

/** For buttons that open the dialog of an action; it stays until its reader closes it. */
export function useActionDialog(market: Market) {
  const [chosen, choose] = useState<ChosenAction | null>(null);
  const dialog = chosen && (
    <ActionDialog
      action={chosen.action}
      market={market}
      args={{ market, ...chosen.args }}
      onClose={() => choose(null)}
    />
  );
  return [dialog, choose] as const;
}
