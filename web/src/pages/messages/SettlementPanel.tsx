// Ends a task by agreement from its conversation: one party signs a split, the other sends it to the contracts.

import { isSameAddress } from '@svc/sdk/domain';
import { mutualSettle } from '@svc/sdk/internal/actions/settle';
import { isParty } from '@svc/sdk/internal/negotiation/envelope';
import { useMemo, useState } from 'react';
import { Countdown, useNow } from '#components/Clock.tsx';
import { Button, Failure, NumberField } from '#components/Form.tsx';
import { Split } from '#components/Money.tsx';
import { Sheet } from '#components/Sheet.tsx';
import { type Task, useTask } from '#data/market.ts';
import { ActionDialog } from '#wallet/ActionDialog.tsx';
import { useMessageSending } from '#wallet/messaging.ts';
import { offerDays, parsePercent, readPercent, useSignSettlement } from '#wallet/settlement.ts';
import type { Conversation } from './conversations.ts';

type Props = { conversation: Conversation };

type Cancel = Conversation['negotiation']['cancels'][number];

export function SettlementPanel({ conversation }: Props) {
  const { about } = conversation;
  return about === null ? null : <TaskPanel conversation={conversation} id={about} />;
}

/** Only of a task that both parties share: anyone can name any id. */
function TaskPanel({ conversation, id }: Props & { id: string }) {
  const { parties } = conversation.transcript;
  const { data: worked } = useTask(id);
  const [accepted, setAccepted] = useState<Cancel | null>(null);
  const isOpen = worked?.nextActions.some(({ action }) => action === 'mutual-settle') === true;
  const isShared = [worked?.poster, worked?.worker].every(
    (party) => party !== undefined && isParty(parties, party),
  );
  if (worked === undefined || !isShared) return null;
  return (
    <>
      {isOpen && <OpenPanel conversation={conversation} task={worked} onAccept={setAccepted} />}
      {/* Outlasts the panel, which goes when the task has ended: the dialog then says so. */}
      {accepted !== null && (
        <AgreeDialog
          task={worked}
          cancel={accepted}
          cancels={conversation.negotiation.cancels}
          onClose={() => setAccepted(null)}
        />
      )}
    </>
  );
}

type OpenPanelProps = Props & { task: Task; onAccept: (cancel: Cancel) => void };

function OpenPanel({ conversation, task, onAccept }: OpenPanelProps) {
  const { own } = conversation;
  const now = useNow();
  const [isWriting, setWriting] = useState(false);
  const current = conversation.negotiation.cancels.filter(({ validUntil }) => validUntil > now);
  const theirs = current.find(({ by }) => !isSameAddress(by, own));
  const yours = current.find(({ by }) => isSameAddress(by, own));
  return (
    <Sheet
      title="End the task together"
      aria-label="End the task together"
      note={theirs !== undefined && <Countdown to={theirs.validUntil} />}
    >
      {theirs !== undefined && (
        <>
          <p>
            They have signed: <Split wei={task.lockedTokWei} workerBps={theirs.workerBps} />.
          </p>
          <p>
            <Button is="main" onClick={() => onAccept(theirs)}>
              Agree and end the task
            </Button>
          </p>
        </>
      )}
      {yours !== undefined && theirs === undefined && (
        <p className="quiet">
          You have signed: <Split wei={task.lockedTokWei} workerBps={yours.workerBps} />. The other party can
          agree until this ends <Countdown to={yours.validUntil} isCalm />.
        </p>
      )}
      {isWriting ? (
        <SplitForm conversation={conversation} task={task} onDone={() => setWriting(false)} />
      ) : (
        <p>
          <Button onClick={() => setWriting(true)}>
            {current.length > 0 ? 'Offer another split' : 'Offer to end it by a split'}
          </Button>
        </p>
      )}
    </Sheet>
  );
}

type SplitFormProps = Props & { task: Task; onDone: () => void };

function SplitForm({ conversation: { other, transcript }, task, onDone }: SplitFormProps) {
  const [share, setShare] = useState('50');
  const sign = useSignSettlement(task);
  const bps = readPercent(share);
  const sending = useMessageSending(async () => {
    const { workerBps, validUntil, signature } = await sign(parsePercent(share));
    return {
      to: other,
      root: transcript.root,
      taskId: task.id,
      type: 'MutualCancel',
      payload: { workerBps, validUntil, signature },
    };
  }, onDone);
  return (
    <>
      <NumberField
        label="Share of the worker, %"
        note={`Of everything escrow holds. The other party can agree for ${offerDays} days; you cannot take it back before.`}
        value={share}
        error={
          bps === null ? 'A share is a number from 0 to 100, with at most two decimal places.' : undefined
        }
        onChange={setShare}
      />
      {bps !== null && (
        <p>
          <Split wei={task.lockedTokWei} workerBps={bps} />.
        </p>
      )}
      <Failure text={sending.failure} />
      <div className="row">
        <Button is="main" disabled={bps === null} run={sending}>
          Sign and send the split
        </Button>
        <Button onClick={onDone}>Back</Button>
      </div>
    </>
  );
}

type AgreeDialogProps = { task: Task; cancel: Cancel; cancels: readonly Cancel[]; onClose: () => void };

/** `cancels` are the last ones of both parties. */
function AgreeDialog({ task, cancel, cancels, onClose }: AgreeDialogProps) {
  const args = useMemo(() => {
    const { by, workerBps, validUntil, signature } = cancel;
    const side = isSameAddress(by, task.poster) ? 'posterSignature' : 'workerSignature';
    return { taskId: task.id, workerBps, validUntil, [side]: signature };
  }, [task.id, task.poster, cancel]);
  return (
    <ActionDialog
      action={mutualSettle}
      market={task.market}
      args={args}
      task={task}
      change={
        cancels.some(({ signature }) => signature === cancel.signature)
          ? null
          : 'They have offered another split by now. Close this and read it.'
      }
      onClose={onClose}
    />
  );
}
