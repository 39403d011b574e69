// Buttons for the actions that a wallet can take on a task now, each with its dialog. A separate chunk: it needs the
// catalog of actions and the contracts' ABIs.

import { parseTaskRecord, type WriteAction } from '@svc/sdk/actions';
import { type Address, findPhase, rolesOf } from '@svc/sdk/domain';
import { findWrite } from '@svc/sdk/internal/actions/catalog';
import { isOpenAt, nextActionsOf } from '@svc/sdk/internal/actions/nextActions';
import { type ComponentType, Fragment, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useNow } from '../components/Clock.tsx';
import { Button } from '../components/Form.tsx';
import { useRoundDown } from '../components/Money.tsx';
import { usePagesInfo } from '../data/client.ts';
import { showMoment } from '../data/format.ts';
import { dueAmount, type Task, useKept } from '../data/market.ts';
import { ActionDialog } from './ActionDialog.tsx';
import { ActionFields, type FormInput, readForm } from './ActionFields.tsx';
import { DeliverForm, EvidenceForm, type FormProps, RulingForm, SilenceForm } from './DocumentForms.tsx';
import type { ActionArguments } from './marketAccess.ts';
import { RequestChange } from './RequestChange.tsx';
import { SettleForm } from './SettleForm.tsx';
import { findLinkedOffer } from './settlement.ts';
import type { Signing } from './useStoredDocument.tsx';
import { ConnectHint, useWallet, WrongChain } from './useWallet.tsx';

type Props = { readonly task: Task; readonly now: number };

type ButtonsProps = {
  task: Task;
  onChoose: (name: string) => void;
  /** All in a slip; beside a delivery its three answers, and the rest apart. */
  part: 'all' | 'answers' | 'rest';
};

/** Pays all that is held, also for what nobody has delivered: never beside the acceptance. */
const paysUnseen = 'complete-task';

const answers = ['accept-milestone', 'open-dispute'];

/** A message, no action of the catalog. */
const askForChange = 'ask-for-change';

/** Evidence without words: it ends the hearing early, where somebody is in office to hear it. */
const sayNothing = 'say-nothing';
const evidence = 'submit-evidence';

export function TaskButtons({ task, onChoose, part }: ButtonsProps) {
  const now = useNow();
  const wallet = useWallet();
  const isGateway = usePagesInfo().data?.isGateway === true;
  const earned = useRoundDown(useKept(task));
  const due = useRoundDown(dueAmount(task));
  if (wallet === null) return <ConnectHint />;
  if (!wallet.isOnChain) return part === 'rest' ? null : <WrongChain />;
  const expected = findExpected(task, wallet.address, now);
  const actions = listActions(task, wallet.address, now, expected);
  const shown = actions.filter(
    ({ name }) => name !== paysUnseen && (part === 'all' || answers.includes(name) === (part === 'answers')),
  );
  const labels: Readonly<Record<string, string | null>> = {
    'claim-task': earned && `Claim and earn ${earned}`,
    'accept-milestone': due && `Accept and pay ${due}`,
    'open-dispute': part === 'answers' ? 'Dispute' : null,
  };
  const canAsk = part === 'answers' && isGateway && now <= task.updatedAt + task.reviewPeriod;
  const [unseen] = part === 'answers' ? [] : actions.filter(({ name }) => name === paysUnseen);
  if (actions.length === 0) return <p className="small soft">This wallet cannot do anything here now.</p>;
  return (
    <>
      <div className="go">
        {shown.map((action, at) => (
          <Fragment key={action.name}>
            <Button
              is={action.name === expected ? 'main' : undefined}
              className={action.name === expected || part === 'answers' ? 'large' : undefined}
              onClick={() => onChoose(action.name)}
            >
              {labels[action.name] ?? action.title}
            </Button>
            {canAsk && at === 0 && (
              <Button className="large" onClick={() => onChoose(askForChange)}>
                Ask for a change
              </Button>
            )}
            {action.name === evidence && task.dispute?.judge != null && (
              <Button onClick={() => onChoose(sayNothing)}>I have nothing to add</Button>
            )}
          </Fragment>
        ))}
      </div>
      {unseen !== undefined && (
        <UnseenPayment isOpen={part === 'rest'}>
          <Button is="risk" onClick={() => onChoose(unseen.name)}>
            {unseen.title}
          </Button>
        </UnseenPayment>
      )}
    </>
  );
}

function UnseenPayment({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const words = <p className="small">Pays for what was never delivered.</p>;
  if (isOpen)
    return (
      <div className="stack dense">
        {words}
        <div>{children}</div>
      </div>
    );
  return (
    <details className="small">
      <summary>More</summary>
      {words}
      {children}
    </details>
  );
}

type DialogsProps = { task: Task; chosen: string | null; onChoose: (name: string | null) => void };

/** Stays open after the action has changed the task, so that the reader sees the result. */
export function TaskDialogs({ task, chosen, onChoose }: DialogsProps) {
  // A link of the other party opens its offer.
  const [linked, setLinked] = useState(() => findLinkedOffer(location.hash) !== '');
  const name = chosen ?? (linked ? 'mutual-settle' : null);
  const close = () => {
    setLinked(false);
    onChoose(null);
  };
  if (name === null) return null;
  if (name === askForChange) return <RequestChange task={task} onClose={close} />;
  const action = findWrite(name === sayNothing ? evidence : name);
  return (
    action && (
      <TaskActionDialog
        key={name}
        action={action}
        task={task}
        onClose={close}
        {...(name === sayNothing && { form: SilenceForm })}
      />
    )
  );
}

/** The others follow the fields of the catalog. */
const forms: Readonly<Record<string, ComponentType<FormProps>>> = {
  'submit-proof': DeliverForm,
  'open-dispute': EvidenceForm,
  'answer-dispute': EvidenceForm,
  'submit-evidence': EvidenceForm,
  'resolve-dispute': RulingForm,
  'mutual-settle': SettleForm,
};

type TaskActionDialogProps = {
  action: WriteAction;
  task: Task;
  onClose: () => void;
  /** In place of that of the action. */
  form?: ComponentType<FormProps>;
};

function TaskActionDialog({ action, task, onClose, form }: TaskActionDialogProps) {
  const [given, setGiven] = useState<ActionArguments | null>(null);
  // What the reader saw when the dialog opened: the page may show a newer delivery behind it meanwhile.
  const [seen] = useState(() => ({ ...action.seen?.(parseTaskRecord(task)), taskId: task.id }));
  const args = given === null || given instanceof Error ? given : { ...given, ...seen };
  const signing = useRef<Signing['current']>(null);
  const wallet = useWallet();
  // Another wallet may pay for the worker's answer, but does not speak for it.
  const isSponsor = action.name === 'answer-dispute' && wallet?.address !== task.worker;
  const Form = form ?? (isSponsor ? NoForm : (forms[action.name] ?? FieldsForm));
  return (
    <ActionDialog
      action={action}
      market={task.market}
      args={args}
      task={task}
      signing={signing}
      onClose={onClose}
    >
      <Form action={action} task={task} onArgs={setGiven} signing={signing} />
    </ActionDialog>
  );
}

function NoForm({ onArgs }: FormProps) {
  useEffect(() => onArgs({}), [onArgs]);
  return null;
}

function FieldsForm({ action, task, onArgs }: FormProps) {
  const [input, setInput] = useState<FormInput>(() => {
    const amounts = { totalAmount: BigInt(task.totalAmountTokWei), funded: BigInt(task.fundedTokWei) };
    return Object.fromEntries(
      (action.fields ?? []).map(({ name, initial }) => [name, initial?.(amounts) ?? '']),
    );
  });
  const args = useMemo(() => readForm(action, input), [action, input]);
  useEffect(() => onArgs(args), [onArgs, args]);
  return <ActionFields action={action} task={task} input={input} onInput={setInput} />;
}

/** All next actions, also those of other wallets or later times. */
export function NextActionList({ task, now }: Props) {
  return (
    <ul>
      {task.nextActions.map((next) => (
        <li key={`${next.action}${next.by}${next.from}`}>
          <span>{findWrite(next.action)?.title ?? next.action}</span>
          <span className="soft">
            {next.by}
            {next.from !== null && next.from > now && `, from ${showMoment(next.from)}`}
            {next.until !== null && `, until ${showMoment(next.until)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The action that the task waits for, if it is the turn of this wallet. */
function findExpected(task: Task, address: Address, now: number): string | null {
  const phase = findPhase(parseTaskRecord(task), now);
  const roles = rolesOf(task, address);
  return phase?.by.some((role) => roles.includes(role)) ? phase.action : null;
}

/** The expected one first. */
function listActions(task: Task, address: Address, now: number, expected: string | null): WriteAction[] {
  const names = nextActionsOf(parseTaskRecord(task), address)
    .filter((next) => isOpenAt(now, next))
    .map(({ action }) => action);
  return [...new Set(names)]
    .sort((left, right) => Number(right === expected) - Number(left === expected))
    .flatMap((name) => findWrite(name) ?? []);
}
