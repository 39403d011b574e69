// One conversation: its messages in order, what can be done next, and the field for the next note.

import { artifactSchema } from '@svc/sdk/documents';
import { type Address, isSameAddress, milestoneNumber } from '@svc/sdk/domain';
import { numberTask } from '@svc/sdk/internal/domain/taskId';
import { isOffer, senderOf } from '@svc/sdk/internal/negotiation/envelope';
import type { ListedConversation } from '@svc/sdk/internal/schemas/conversations';
import type { SignedEnvelope } from '@svc/sdk/negotiation';
import { useRef } from 'react';
import { Ago } from '../../components/Clock.tsx';
import { Button, Failure } from '../../components/Form.tsx';
import { Hex, WalletLink } from '../../components/Hex.tsx';
import { UntrustedMarkdown } from '../../components/Markdown.tsx';
import { Split } from '../../components/Money.tsx';
import { Link } from '../../components/navigation.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { useTask } from '../../data/market.ts';
import { useMarking } from '../../wallet/conversationMarks.ts';
import { FileList } from '../task/FileList.tsx';
import { AgreementPanel } from './AgreementPanel.tsx';
import { Composer } from './Composer.tsx';
import { type Conversation, isTaskId, statusWords, useTitles } from './conversations.ts';
import { OfferCard, type ReadableOffer, readOffer } from './OfferCard.tsx';
import { SettlementPanel } from './SettlementPanel.tsx';

type ThreadProps = {
  conversation: Conversation;
  listed: ListedConversation | undefined;
  /** Messages before those that were read. */
  earlier: number;
  onEarlier: () => void;
  isLoading: boolean;
};

export function Thread({ conversation, listed, earlier, onEarlier, isLoading }: ThreadProps) {
  const { transcript, messages, own, other, status, about } = conversation;
  const title = useTitles([conversation])(conversation);
  const live = useLive(messages[0]?.hash, messages.at(-1)?.hash);
  return (
    <>
      <p className="small backlink">
        <Link href="/messages.html">← All conversations</Link>
      </p>
      <Sheet
        className="thread"
        title={<span dir="auto">{title}</span>}
        aria-label={title}
        note={
          <span className="small quiet">
            with <WalletLink address={other} name="Other party" />, {statusWords[status]}
            {about !== null && (
              <>
                , about <TaskLink id={about} />
              </>
            )}
          </span>
        }
        isBare
      >
        {earlier > 0 && (
          <p className="body small">
            <Button is="plain" isBusy={isLoading} busyLabel="Loading…" onClick={onEarlier}>
              Show earlier messages ({earlier})
            </Button>
          </p>
        )}
        <ol className="messages" aria-live={live} aria-relevant="additions">
          {messages.map((signed, index) => (
            <Message
              key={signed.hash}
              signed={signed}
              at={conversation.timeOf(signed)}
              isOwn={isSameAddress(senderOf(signed), own)}
              earlier={offerBefore(messages, index)}
              other={other}
              unusable={transcript.unusable.get(signed.hash)?.detail}
            />
          ))}
        </ol>
        {transcript.waiting.length > 0 && (
          <p className="notice">Some messages have not arrived yet. This page keeps looking for them.</p>
        )}
      </Sheet>
      <AgreementPanel conversation={conversation} />
      <SettlementPanel conversation={conversation} />
      <section className="sheet">
        <div className="body">
          <Composer to={other} root={transcript.root} />
          {listed !== undefined && <Quiet listed={listed} />}
        </div>
      </section>
    </>
  );
}

/** Earlier messages are not read out as they are added, only the newest. */
function useLive(first: string | undefined, last: string | undefined): 'polite' | 'off' {
  const shown = useRef({ first, last, live: 'polite' as 'polite' | 'off' });
  if (first !== shown.current.first) shown.current = { first, last, live: 'off' };
  else if (last !== shown.current.last) shown.current = { first, last, live: 'polite' };
  return shown.current.live;
}

/** Mutes the conversation, or blocks the other party. */
function Quiet({ listed: { root, with: address, isMuted, isBlocked } }: { listed: ListedConversation }) {
  const marking = useMarking();
  const button = (label: string, change: Parameters<typeof marking.start>[0]) => (
    <Button is="plain" disabled={marking.isBusy} onClick={() => void marking.start(change)}>
      {label}
    </Button>
  );
  return (
    <>
      <p className="small">
        {button(isMuted ? 'Unmute this conversation' : 'Mute this conversation', { root, isMuted: !isMuted })}{' '}
        ·{' '}
        {button(isBlocked ? 'Unblock this wallet' : 'Block this wallet', { address, isBlocked: !isBlocked })}
      </p>
      <p className="small faint">
        A muted conversation is not counted and causes no notice. A blocked wallet cannot write to you, except
        in a running task of you both.
      </p>
      <Failure text={marking.failure} />
    </>
  );
}

/** The last offer before this message. */
function offerBefore(messages: readonly SignedEnvelope[], index: number): ReadableOffer | null {
  const earlier = messages.slice(0, index).findLast(({ envelope }) => isOffer(envelope.type));
  return earlier === undefined ? null : readOffer(earlier.envelope);
}

type MessageProps = {
  signed: SignedEnvelope;
  /** Unix seconds. */
  at: number;
  isOwn: boolean;
  earlier: ReadableOffer | null;
  /** The other party. */
  other: Address;
  /** Why it has no effect. */
  unusable: string | undefined;
};

function Message({ signed, at, isOwn, earlier, other, unusable }: MessageProps) {
  const { envelope } = signed;
  return (
    <li data-is={isOwn ? 'own' : 'other'}>
      <article className="stack tight">
        <h3>
          {isOwn ? 'You' : 'They'} {verbs[envelope.type] ?? `sent ${envelope.type.slice(0, 40)}`}
          {envelope.type === 'DisputeEvidence' && isTaskId(envelope.taskId) && (
            <>
              {' '}
              in the dispute about <TaskLink id={envelope.taskId} />
            </>
          )}
        </h3>
        {unusable !== undefined && <p className="notice">This message has no effect. {unusable}</p>}
        <MessageBody signed={signed} earlier={earlier} other={other} />
        <p className="small faint">
          <Ago time={at} /> · signed · <Hex value={signed.hash} name="Message" />
        </p>
      </article>
    </li>
  );
}

const verbs: Readonly<Record<string, string>> = {
  Note: 'wrote',
  TaskProposal: 'made an offer',
  TaskCounterOffer: 'made a counter-offer',
  TaskAcceptance: 'signed the terms',
  DeliveryNotice: 'delivered',
  AcceptDelivery: 'accepted the delivery',
  RevisionRequest: 'asked for a change',
  DisputeEvidence: 'sent evidence',
  MutualCancel: 'offered to end the task by a split',
  PaymentRequest: 'asked for a payment',
  SupervisorVeto: 'reported a veto',
};

function MessageBody({ signed, earlier, other }: Pick<MessageProps, 'signed' | 'earlier' | 'other'>) {
  const { type, payload, taskId } = signed.envelope;
  if (isOffer(type))
    return (
      <>
        <OfferCard offer={readOffer(signed.envelope)} earlier={earlier} />
        <Words label="Why" value={payload.rationale} />
      </>
    );
  const document = readRecord(payload.document);
  return (
    <>
      {typeof payload.milestone === 'number' && (
        <p className="small quiet">
          Milestone {milestoneNumber(payload.milestone)}
          {isTaskId(taskId) && (
            <>
              {' '}
              of <TaskLink id={taskId} />
            </>
          )}
        </p>
      )}
      <Words label="Message" value={payload.text} />
      <Words label="Requested change" value={payload.requestedChanges} />
      <Words label="Statement" value={payload.statement ?? document.description} />
      <Words label="Note" value={document.note} />
      <Words label="Reason" value={payload.reason} />
      {typeof payload.workerBps === 'number' && isTaskId(taskId) && (
        <OfferedSplit taskId={taskId} workerBps={payload.workerBps} />
      )}
      <HandedDocuments value={payload.documents} about={payload.about ?? taskId} />
      <Files value={payload.artifacts ?? document.artifacts} taskId={taskId} other={other} />
      {verbs[type] === undefined && (
        <details>
          <summary>This page does not know messages of this kind. What it holds</summary>
          <Words label="Content" value={JSON.stringify(payload, null, 2)} />
        </details>
      )}
    </>
  );
}

/** In money while escrow holds any; what an ended task paid is on its page. */
function OfferedSplit({ taskId, workerBps }: { taskId: string; workerBps: number }) {
  const { data: task } = useTask(taskId);
  if (task === undefined) return null;
  return (
    <p>
      {BigInt(task.lockedTokWei) > 0n ? (
        <Split wei={task.lockedTokWei} workerBps={workerBps} />
      ) : (
        <>
          Escrow is empty by now: <TaskLink id={taskId} /> shows what was paid.
        </>
      )}
    </p>
  );
}

function Words({ label, value }: { label: string; value: unknown }) {
  return typeof value === 'string' && value.trim() !== '' ? (
    <UntrustedMarkdown label={label} text={value.slice(0, maxShown)} />
  ) : null;
}

/** They are read on the page of the task, beside the hashes on chain. */
function HandedDocuments({ value, about }: { value: unknown; about: unknown }) {
  if (!Array.isArray(value) || typeof about !== 'string') return null;
  return (
    <p className="small">
      With {value.length} {value.length === 1 ? 'document' : 'documents'}:{' '}
      <a href={`/market.html?task=${encodeURIComponent(about)}`}>read them on the page of the task</a>.
    </p>
  );
}

const maxShown = 20_000;

function Files({ value, taskId, other }: { value: unknown; taskId: string | undefined; other: Address }) {
  const { data: files = [] } = artifactSchema.array().safeParse(value);
  if (files.length === 0) return null;
  return <FileList task={{ id: taskId ?? '', poster: other }} artifacts={files} />;
}

function TaskLink({ id }: { id: string }) {
  return <a href={`/market.html?task=${encodeURIComponent(id)}`}>{numberTask(id)}</a>;
}

function readRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
