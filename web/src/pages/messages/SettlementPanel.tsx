// Ends a task by agreement from its conversation: one party signs a split, the other sends it to the contracts.

import { catalog } from '@svc/sdk/actions';
import { isSameAddress } from '@svc/sdk/domain';
import { isParty } from '@svc/sdk/internal/negotiation/envelope';
import { useState } from 'react';
import { Countdown, useNow } from '../../components/Clock.tsx';
import { Button } from '../../components/Form.tsx';
import { Split } from '../../components/Money.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { type Task, useTask } from '../../data/market.ts';
import { ActionDialog } from '../../wallet/ActionDialog.tsx';
import { SplitForm } from '../../wallet/SettleForm.tsx';
import { endedOffer, useStanding } from '../../wallet/settlement.ts';
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
  const { own, other, transcript } = conversation;
  const now = useNow();
  const [isWriting, setWriting] = useState(false);
  const current = conversation.negotiation.cancels.filter(({ validUntil }) => validUntil > now);
  const theirs = current.find(({ by }) => !isSameAddress(by, own));
  const yours = current.find(({ by }) => isSameAddress(by, own));
  const theirsStands = useStanding(task, theirs);
  const yoursStands = useStanding(task, yours);
  return (
    <Sheet
      title="End the task together"
      aria-label="End the task together"
      note={
        theirs !== undefined &&
        theirsStands && (
          <span>
            their offer: <Countdown to={theirs.validUntil} isRest />
          </span>
        )
      }
    >
      {theirs !== undefined && theirsStands ? (
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
      ) : yours !== undefined && yoursStands ? (
        <p className="quiet">
          You have signed: <Split wei={task.lockedTokWei} workerBps={yours.workerBps} />. The other party can
          agree to it: <Countdown to={yours.validUntil} isCalm isRest />.
        </p>
      ) : (
        [theirsStands, yoursStands].includes(false) && <p className="quiet">{endedOffer}</p>
      )}
      {isWriting ? (
        <SplitForm task={task} to={other} root={transcript.root} onSent={() => setWriting(false)}>
          <Button onClick={() => setWriting(false)}>Back</Button>
        </SplitForm>
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

type AgreeDialogProps = { task: Task; cancel: Cancel; cancels: readonly Cancel[]; onClose: () => void };

/** `cancels` are the last ones of both parties. */
function AgreeDialog({ task, cancel, cancels, onClose }: AgreeDialogProps) {
  const { by, workerBps, validUntil, signature } = cancel;
  const side = isSameAddress(by, task.poster) ? 'posterSignature' : 'workerSignature';
  const args = { taskId: task.id, workerBps, validUntil, [side]: signature };
  const stands = useStanding(task, cancel);
  const isReplaced = !cancels.some((one) => one.signature === signature);
  return (
    <ActionDialog
      action={catalog.mutualSettle}
      market={task.market}
      args={args}
      task={task}
      change={
        isReplaced
          ? 'They have offered another split by now. Close this and read it.'
          : stands === false
            ? endedOffer
            : null
      }
      onClose={onClose}
    />
  );
}
