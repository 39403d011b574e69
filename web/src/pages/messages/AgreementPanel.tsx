// What this wallet can do next in a negotiation: accept, counter, decline, and create the task.

import { isSameAddress } from '@svc/sdk/domain';
import { numberTask } from '@svc/sdk/internal/domain/taskId';
import { hasNote } from '@svc/sdk/internal/negotiation/proposals';
import { findMarketMistake } from '@svc/sdk/internal/rules/terms';
import type { Offer } from '@svc/sdk/negotiation';
import { useState } from 'react';
import { Countdown, useNow } from '../../components/Clock.tsx';
import { Button, Failure } from '../../components/Form.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { readSavedForm, saveText } from '../../data/savedText.ts';
import { useMarketAccess } from '../../wallet/marketAccess.ts';
import { useNote } from '../../wallet/messaging.ts';
import { MissingOf } from '../listing/MissingOf.tsx';
import { AcceptDialog, CreateDialog, RevokeDialog } from './AgreementDialogs.tsx';
import { type Conversation, endings } from './conversations.ts';
import { OfferForm } from './OfferForm.tsx';
import { parseSavedOffer, startCounter } from './offerDraft.ts';
import { SigningLimit, useBonds } from './SigningLimit.tsx';

type Props = { conversation: Conversation };

export function AgreementPanel({ conversation }: Props) {
  const [creating, setCreating] = useState<Offer | null>(null);
  return (
    <>
      <NextStep conversation={conversation} onCreate={setCreating} />
      {/* Stays open after the task exists, so that the reader sees the result. */}
      {creating !== null && (
        <CreateDialog conversation={conversation} offer={creating} onClose={() => setCreating(null)} />
      )}
    </>
  );
}

type StepProps = Props & { onCreate: (offer: Offer) => void };

function NextStep(props: StepProps) {
  const { negotiation, status, taskId } = props.conversation;
  const { offer } = negotiation;
  if (taskId !== null)
    return (
      <p className="notice" data-is="act">
        This became <a href={`/market.html?task=${taskId}`}>{numberTask(taskId)}</a>. Deliveries, payments and
        disputes are on its page.
      </p>
    );
  if (offer === null) return null;
  if (status === 'forked' || status === 'vetoed')
    return (
      <p className="notice" data-is="risk">
        {endings[status]} {status === 'forked' && 'Begin a new conversation.'}
      </p>
    );
  return <OfferActions {...props} offer={offer} />;
}

/** Terms name their market, and their digest covers the registry alone. */
function useWrongMarket({ terms }: Offer): string | null {
  const access = useMarketAccess();
  return access && findMarketMistake(terms, access);
}

/** The steps that are open to this wallet, the usual one first. */
type Step = 'accept' | 'sign' | 'create' | 'create-self' | 'counter' | 'revoke' | 'decline';

const binding: readonly Step[] = ['accept', 'sign', 'create', 'create-self'];

const labels: Readonly<Record<Step, string>> = {
  accept: 'Accept the offer',
  sign: 'Sign the terms',
  create: 'Create the task',
  'create-self': 'Create the task myself',
  counter: 'Offer other terms',
  revoke: 'Take my signature back',
  decline: 'Decline',
};

function describeNext(
  { transcript, negotiation, status, own, other }: Conversation,
  offer: Offer,
): readonly [sentence: string, ...steps: Step[]] {
  const isPoster = isSameAddress(offer.terms.poster, own);
  const signed = negotiation.acceptances.map(({ by }) => isSameAddress(by, own));
  const [isSignedByOwn, isSignedByOther] = [signed.includes(true), signed.includes(false)];
  if (status === 'expired') return ['The offer has ended. Send a new one to continue.', 'counter'];
  if (isSignedByOther && isPoster)
    return [
      'The worker has signed these terms. Create the task: your transaction is your signature.',
      'create',
      'counter',
    ];
  if (isSignedByOther && isSignedByOwn)
    return [
      'Both have signed. The poster creates the task and puts the money into escrow.',
      'create-self',
      'counter',
      'revoke',
    ];
  if (isSignedByOther)
    return [
      'The poster has signed these terms. Sign them as well, so that the poster can create and fund the task.',
      'sign',
      'create-self',
      'counter',
    ];
  if (isSignedByOwn)
    return ['You have signed. Now the other side signs, or creates the task.', 'counter', 'revoke'];
  const isOwn = isSameAddress(offer.by, own);
  if (hasNote(transcript, isOwn ? other : own, 'declines', offer))
    return isOwn
      ? ['They have declined your offer.', 'counter']
      : ['You have declined this offer.', 'counter', 'accept'];
  if (isOwn && hasNote(transcript, other, 'chooses', offer))
    return [
      'Your offer was chosen. Sign it, so that the poster can create and fund the task.',
      'sign',
      'counter',
    ];
  if (isOwn) return ['Waiting for an answer to your offer.', 'counter'];
  return ['Your turn: accept these terms, or answer with other ones.', 'accept', 'counter', 'decline'];
}

function OfferActions({ conversation, offer, onCreate }: StepProps & { offer: Offer }) {
  const [chosen, setChosen] = useState<Step | null>(null);
  const [sentence, ...steps] = describeNext(conversation, offer);
  const { transcript, other, own } = conversation;
  const signs = (step: Step) => step === 'accept' || step === 'sign';
  const wrongMarket = useWrongMarket(offer);
  const maySign = wrongMarket === null && steps.some(signs);
  const { bonds, isFree } = useBonds(offer, own, maySign);
  const note = useNote(other, transcript.root);
  const close = () => setChosen(null);
  const choose = (step: Step) => {
    if (step === 'decline') void note.start({ text: 'I decline this offer.', declines: offer.hash });
    else if (step === 'create' || step === 'create-self') onCreate(offer);
    else setChosen(step);
  };
  return (
    <Sheet
      className="phase"
      title="Next step"
      aria-label="Next step"
      note={<Countdown to={offer.expiresAt} isRest />}
    >
      <p>{sentence}</p>
      <Failure text={wrongMarket ?? note.failure} />
      {maySign && <SigningLimit offer={offer} own={own} bonds={bonds} />}
      {steps.includes('revoke') && (
        <MissingOf market={offer.terms.market} wallet={own} who="Your wallet" isOwn />
      )}
      {chosen === 'counter' ? (
        <Counter conversation={conversation} offer={offer} onClose={close} />
      ) : (
        <div className="row">
          {steps.map((step, index) => (
            <Button
              key={step}
              is={index === 0 && step !== 'counter' ? 'main' : undefined}
              disabled={
                note.isBusy || (signs(step) && !isFree) || (wrongMarket !== null && binding.includes(step))
              }
              onClick={() => choose(step)}
            >
              {step === 'counter' && isSameAddress(offer.by, own) ? 'Change the offer' : labels[step]}
            </Button>
          ))}
        </div>
      )}
      {(chosen === 'accept' || chosen === 'sign') && (
        <AcceptDialog conversation={conversation} offer={offer} onClose={close} />
      )}
      {chosen === 'revoke' && <RevokeDialog offer={offer} onClose={close} />}
    </Sheet>
  );
}

type CounterProps = Props & { offer: Offer; onClose: () => void };

function Counter({ conversation: { transcript, other, own }, offer, onClose }: CounterProps) {
  const now = useNow();
  const name = `offer:${own.toLowerCase()}:${transcript.root}`;
  const startAgain = () =>
    startCounter(offer, isSameAddress(offer.terms.poster, own) ? 'poster' : 'worker', now);
  const [start, setStart] = useState(startAgain);
  // A draft that this browser has kept may answer an earlier offer.
  const [seen, setSeen] = useState(() => (readSavedForm(name, parseSavedOffer) ?? start).answers);
  const goOn = () => setSeen(offer.hash);
  const restart = () => {
    saveText(name, '');
    setStart(startAgain);
    goOn();
  };
  return (
    <OfferForm
      key={seen}
      name={name}
      own={own}
      other={other}
      start={start}
      newer={seen === offer.hash ? undefined : { goOn, restart }}
      root={transcript.root}
      negotiationId={transcript.negotiationId}
      onSent={onClose}
      onCancel={onClose}
    />
  );
}
