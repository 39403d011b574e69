// The worker's side of a listing: a form with price, days and a sentence; then what became of the proposal.

import { type Address, formatTok } from '@svc/sdk/domain';
import { buildOffer, type Proposal, startFromListing } from '@svc/sdk/negotiation';
import { useState } from 'react';
import * as z from 'zod';
import { AmountField } from '../../components/AmountField.tsx';
import { Countdown, useNow } from '../../components/Clock.tsx';
import { Button, Failure, NumberField, TextArea } from '../../components/Form.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { queries } from '../../data/client.ts';
import { showMoment } from '../../data/format.ts';
import { parseAmount } from '../../data/formValues.ts';
import { type Listing, type ListingWords, listingKey } from '../../data/listings.ts';
import { useSiteConfig } from '../../data/market.ts';
import { useSavedForm } from '../../data/savedText.ts';
import { useStanding } from '../../wallet/marketAccess.ts';
import { useMessageSending, useNote } from '../../wallet/messaging.ts';
import { chainId } from '../../wallet/useWallet.tsx';
import { AcceptDialog, RevokeDialog } from '../messages/AgreementDialogs.tsx';
import { OfferCard } from '../messages/OfferCard.tsx';
import { endOffer } from '../messages/offerDraft.ts';
import { SigningLimit, useBonds } from '../messages/SigningLimit.tsx';
import { EntryNote, MissingOf } from './MissingOf.tsx';
import type { ShownProposal } from './useProposals.ts';

type Props = {
  listing: Listing;
  words: ListingWords;
  own: Address;
  /** Those of this wallet. */
  proposals: readonly ShownProposal[];
};

export function OwnProposal({ listing, words, own, proposals }: Props) {
  const [isReplacing, setReplacing] = useState(false);
  const latest = proposals.toSorted((one, other) => other.conversation.lastAt - one.conversation.lastAt)[0];
  const isDone = latest !== undefined && !isReplacing;
  if (!isDone && listing.state !== 'live')
    return <p className="notice">This listing takes no more proposals.</p>;
  return isDone ? (
    <Sent shown={latest} listing={listing} own={own} onReplace={() => setReplacing(true)} />
  ) : (
    <ProposeForm
      listing={listing}
      words={words}
      own={own}
      replaced={latest?.proposal ?? null}
      onSent={() => setReplacing(false)}
    />
  );
}

const day = 86_400;

const text = z.string().max(2_000);
/** As typed. */
const formSchema = z.object({ price: text, days: text, sentence: text, validDays: text });

type FormProps = {
  listing: Listing;
  words: ListingWords;
  own: Address;
  /** The proposal that this one replaces, in the same conversation. */
  replaced: Proposal | null;
  onSent: () => void;
};

function ProposeForm({ listing, words, own, replaced, onSent }: FormProps) {
  const now = useNow();
  const site = useSiteConfig(listing.market).data;
  const [form, change, forget] = useSavedForm(
    `offer:${own.toLowerCase()}:${listing.id}`,
    (kept) => formSchema.parse(kept),
    { price: formatTok(BigInt(words.budget.maxTokWei)), days: '', sentence: '', validDays: '3' },
  );
  const { price, days, sentence, validDays } = form;
  const setPrice = (typed: string) => change({ price: typed });
  const total = parseAmount(price);
  const workDays = Number(days);
  const { acceptBy, error } = endOffer(validDays, now);
  const errors = {
    price: total !== null && total > 0n ? undefined : 'Enter an amount, such as 12.50.',
    days: workDays >= 0.1 && workDays <= 300 ? undefined : 'Enter a number of days from 0.1 to 300.',
    validDays: error,
  };
  const isTimely = errors.days === undefined && errors.validDays === undefined;
  const deadline = acceptBy + Math.round(workDays * day);
  const hasStanding = useStanding();
  const isGood = total !== null && errors.price === undefined && isTimely && site !== undefined;
  const sending = useMessageSending(
    () => {
      if (!isGood || site === undefined) throw new Error('Fill in price and days first.');
      const negotiationId = replaced?.negotiation.negotiationId ?? crypto.randomUUID();
      const given = {
        ...startFromListing(words, {
          totalAmountTokWei: String(total),
          deadline: String(deadline),
          acceptBy: String(acceptBy),
        }),
        ...{ poster: listing.poster, worker: own, negotiationId },
      };
      return {
        to: listing.poster as Address,
        type: replaced === null ? 'TaskProposal' : 'TaskCounterOffer',
        payload: {
          ...buildOffer(given, { chainId, registry: site.contracts.taskRegistry as Address }, { now }),
          about: listing.id,
          ...(sentence.trim() !== '' && { rationale: sentence.trim() }),
        },
        ...(replaced === null ? { negotiationId } : { root: replaced.root }),
      };
    },
    async () => {
      forget();
      await queries.invalidateQueries({ queryKey: listingKey(listing.id) });
      onSent();
    },
  );
  return (
    <Sheet title={replaced === null ? 'Propose' : 'Another proposal'} className="phase">
      <p className="quiet">
        Your proposal has the words, milestones and review time of the listing. It binds nobody until you sign
        it.
      </p>
      <div className="columns">
        <AmountField label="Your price" error={errors.price} value={price} onChange={setPrice} />
        <NumberField
          label="Days you need"
          note={isTimely ? `Due ${showMoment(deadline)}.` : 'Counted from the end of the proposal.'}
          error={errors.days}
          value={days}
          onChange={(typed) => change({ days: typed })}
        />
      </div>
      <TextArea
        label="Why you, in a sentence or two"
        rows={3}
        maxLength={2_000}
        value={sentence}
        onChange={(typed) => change({ sentence: typed })}
      />
      <NumberField
        label="The proposal stands for, days"
        note="After that the poster can no longer accept it."
        error={errors.validDays}
        value={validDays}
        onChange={(typed) => change({ validDays: typed })}
      />
      {isTimely && deadline > words.deadline && (
        <p className="notice" data-is="time">
          This is later than the poster wants: {showMoment(words.deadline)}.
        </p>
      )}
      <EntryNote market={listing.market} what="A proposal" />
      <MissingOf market={listing.market} wallet={own} who="Your wallet" isOwn />
      <Failure text={sending.failure} />
      <Button is="main" disabled={!isGood || hasStanding !== true} run={sending}>
        {replaced === null ? 'Send the proposal' : 'Replace my proposal'}
      </Button>
      {days === '' && <p className="small quiet">Still to fill in: Days you need.</p>}
    </Sheet>
  );
}

type SentProps = { shown: ShownProposal; listing: Listing; own: Address; onReplace: () => void };

const sentences: Readonly<Record<Proposal['state'], string>> = {
  open: 'You have proposed. The poster can choose it, counter it or decline it.',
  chosen: 'The poster wants your proposal. Sign it, so that the poster can create and fund the task.',
  binding: 'You have signed. The poster can create the task with one confirmation.',
  other: 'The poster has made a counter-offer. Answer it in the conversation.',
  withdrawn: 'You have withdrawn this proposal.',
  declined: 'The poster has declined this proposal.',
  ended: 'Your proposal has ended.',
  tasked: 'Your proposal became a task.',
  invalid: 'This proposal is not valid for the listing.',
};

function Sent({ shown: { proposal, conversation }, listing, own, onReplace }: SentProps) {
  const { state, offer, root } = proposal;
  const [isSigning, setSigning] = useState(false);
  const [isRevoking, setRevoking] = useState(false);
  const isLive = listing.state === 'live';
  const canSign = isLive && (state === 'open' || state === 'chosen');
  const { bonds, isFree } = useBonds(offer, own, canSign);
  // A message alone would not stop the poster from using a signature.
  const note = useNote(listing.poster as Address, root, () => setRevoking(state === 'binding'));
  const withdraw = () => note.start({ text: 'I withdraw this proposal.', withdraws: offer.hash });
  return (
    <Sheet title="Your proposal" className="phase" note={<Countdown to={offer.expiresAt} isCalm isRest />}>
      <p>
        {sentences[state]}
        {listing.state === 'taken' && state !== 'tasked' && ' The poster chose another proposal.'}
      </p>
      <OfferCard offer={offer} earlier={null} />
      <Failure text={note.failure} />
      {canSign && <SigningLimit offer={offer} own={own} bonds={bonds} />}
      <div className="row">
        {canSign && (
          <Button
            is={state === 'chosen' ? 'main' : undefined}
            disabled={!isFree}
            onClick={() => setSigning(true)}
          >
            Sign it: binding until {showMoment(offer.expiresAt)}
          </Button>
        )}
        {isLive && ['open', 'chosen', 'binding', 'declined', 'ended', 'withdrawn'].includes(state) && (
          <Button onClick={onReplace}>Replace it</Button>
        )}
        {isLive && ['open', 'chosen', 'binding'].includes(state) && (
          <Button run={{ ...note, start: withdraw }}>
            {state === 'binding' ? 'Take back and withdraw…' : 'Withdraw'}
          </Button>
        )}
        {conversation.taskId !== null ? (
          <a className="button" data-is="main" href={`/market.html?task=${conversation.taskId}`}>
            Open the task
          </a>
        ) : (
          <a className="button" href={`/messages.html?conversation=${root}`}>
            Conversation
          </a>
        )}
      </div>
      {state === 'withdrawn' && proposal.signature !== null && (
        <p className="small quiet">
          You had signed it. Unless you took the signature back on chain, the contracts accept it until{' '}
          {showMoment(offer.expiresAt)}.{' '}
          <Button is="plain" onClick={() => setRevoking(true)}>
            Take it back
          </Button>
        </p>
      )}
      {isRevoking && <RevokeDialog offer={offer} onClose={() => setRevoking(false)} />}
      {isSigning && (
        <AcceptDialog conversation={conversation} offer={offer} onClose={() => setSigning(false)} />
      )}
    </Sheet>
  );
}
