// The poster's table of proposals: price, days, the worker's record and first words; each compared with the listing field
// by field, and accepted with one click only where nothing but price and deadline differs.
import type { Proposal, ProposalState } from '@svc/sdk/negotiation';
import { useState } from 'react';
import { Countdown, useNow } from '../../components/Clock.tsx';
import { Button, Failure, TextField } from '../../components/Form.tsx';
import { Hex, WalletName } from '../../components/Hex.tsx';
import { Identicon } from '../../components/Identicon.tsx';
import { Dollars } from '../../components/Money.tsx';
import { visit } from '../../components/navigation.tsx';
import { Sheet, Status } from '../../components/Sheet.tsx';
import { UntrustedText } from '../../components/UntrustedText.tsx';
import { showWhen, toWords } from '../../data/format.ts';
import type { Listing, ListingWords } from '../../data/listings.ts';
import { useProfile } from '../../data/profiles.ts';
import { useNote } from '../../wallet/messaging.ts';
import { CreateDialog } from '../messages/AgreementDialogs.tsx';
import { OfferCard } from '../messages/OfferCard.tsx';
import type { ShownProposal } from './useProposals.ts';

type Props = { listing: Listing; words: ListingWords; proposals: readonly ShownProposal[] };

export function ProposalTable({ listing, words, proposals }: Props) {
  const [accepting, setAccepting] = useState<Proposal | null>(null);
  // The listing itself says so a little later.
  const isTaken = proposals.some(({ proposal }) => proposal.state === 'tasked');
  const accepted = proposals.find(({ proposal }) => proposal.root === accepting?.root)?.conversation;
  return (
    <Sheet title="Proposals" note={proposals.length} isBare>
      {proposals.length === 0 && (
        <p className="body quiet">
          Nobody has proposed yet. You see proposals here as they come; share the address of this page.
        </p>
      )}
      <ul className="rows proposals">
        {proposals.map((shown) => (
          <ProposalRow
            key={shown.proposal.offer.hash}
            shown={shown}
            words={words}
            isLive={listing.state === 'live' && !isTaken}
            onAccept={() => setAccepting(shown.proposal)}
          />
        ))}
      </ul>
      {accepting !== null && accepted !== undefined && (
        <CreateDialog
          conversation={accepted}
          offer={accepting.offer}
          fundsAll
          onCreated={(taskId) => visit(`/market.html?task=${taskId}`)}
          onClose={() => setAccepting(null)}
        />
      )}
    </Sheet>
  );
}

const stateWords: Readonly<Record<ProposalState, string>> = {
  open: 'not signed',
  binding: 'binding',
  chosen: 'asked to sign',
  other: 'your counter-offer',
  withdrawn: 'withdrawn',
  declined: 'declined',
  ended: 'ended',
  tasked: 'task created',
  invalid: 'not valid for this listing',
};

type RowProps = { shown: ShownProposal; words: ListingWords; isLive: boolean; onAccept: () => void };

function ProposalRow({ shown: { proposal, conversation }, words, isLive, onAccept }: RowProps) {
  const { offer, worker, state, rationale, comparison, root } = proposal;
  const [isOpen, setOpen] = useState(false);
  const [isConfirmed, setConfirmed] = useState(false);
  const now = useNow();
  const canAct = isLive && (state === 'open' || state === 'binding' || state === 'chosen');
  const mayAccept = comparison.isPlain || isConfirmed;
  return (
    <li data-state={state}>
      <div className="proposalhead">
        <div className="who">
          <Identicon address={worker} />
          <div className="grow">
            <WalletName address={worker} />{' '}
            <Hex value={worker} name="Worker" href={`/agent.html?address=${worker}`} />
            <WorkerRecord address={worker} market={offer.terms.market} />
          </div>
        </div>
        <span className="pay">
          <Dollars wei={offer.terms.totalAmountTokWei} isExact />
          {comparison.isAboveBudget && <Status tone="time"> ▲ above your budget</Status>}
        </span>
        <span>
          <span className="mid">{showWhen(offer.terms.deadline, now)}</span>
          {comparison.isAfterDeadline && <Status tone="time"> ▲ after your latest day</Status>}
        </span>
        <Status tone={state === 'binding' || state === 'tasked' ? 'act' : 'done'}>
          {conversation.taskId === null ? (
            stateWords[state]
          ) : (
            <a href={`/market.html?task=${conversation.taskId}`}>{stateWords[state]}</a>
          )}
          {state === 'binding' && (
            <>
              , <Countdown to={offer.expiresAt} isRest />
            </>
          )}
        </Status>
      </div>
      {rationale !== '' && <UntrustedText label="In its own words" text={rationale.slice(0, 600)} />}
      <Differences proposal={proposal} words={words} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      {isOpen && !comparison.isPlain && canAct && (
        <label className="check">
          <input type="checkbox" checked={isConfirmed} onChange={() => setConfirmed(!isConfirmed)} /> I have
          read what differs from my listing and accept it.
        </label>
      )}
      {canAct && (
        <ProposalActions
          proposal={proposal}
          mayAccept={mayAccept}
          onAccept={onAccept}
          onOpen={() => setOpen(true)}
        />
      )}
      <p className="small">
        <a href={`/messages.html?conversation=${root}`}>
          Conversation ({conversation.messages.length}{' '}
          {conversation.messages.length === 1 ? 'message' : 'messages'})
        </a>
      </p>
    </li>
  );
}

function WorkerRecord({ address, market }: { address: string; market: string }) {
  const record = useProfile(address).data?.records.find((one) => one.market === market)?.worker;
  if (record === undefined) return null;
  return (
    <p className="rec">
      <span>{record.ended === 0 ? 'new here' : `${record.paidInFull} of ${record.ended} done`}</span>
      {record.ended > 0 && (
        <>
          <span>{record.disputed} with a dispute</span>
          <span>
            {record.counterparties} {record.counterparties === 1 ? 'poster' : 'posters'}
          </span>
        </>
      )}
    </p>
  );
}

type DifferenceProps = { proposal: Proposal; words: ListingWords; isOpen: boolean; onToggle: () => void };

/** Field by field, beside what the listing has. */
function Differences({ proposal: { offer, comparison }, words, isOpen, onToggle }: DifferenceProps) {
  const fields = comparison.differences.map(({ field }) => toWords(field).toLowerCase());
  const { reviewPeriod, deadline, budget } = words;
  const terms = { reviewPeriod, deadline, totalAmountTokWei: budget.maxTokWei, scope: 'open' as const };
  const listed = { terms: { ...offer.terms, ...terms }, document: words.task };
  return (
    <div className="small">
      {comparison.isPlain ? (
        <span className="quiet">The words, milestones and review time are those of your listing.</span>
      ) : (
        <Status tone="risk">▲ differs from your listing: {fields.join(', ')}</Status>
      )}{' '}
      <Button is="plain" aria-expanded={isOpen} onClick={onToggle}>
        {isOpen ? 'Hide the comparison' : 'Compare with the listing'}
      </Button>
      {isOpen && <OfferCard offer={offer} earlier={listed} />}
    </div>
  );
}

type ActionsProps = { proposal: Proposal; mayAccept: boolean; onAccept: () => void; onOpen: () => void };

function ProposalActions({ proposal, mayAccept, onAccept, onOpen }: ActionsProps) {
  const { state, worker, root, offer } = proposal;
  const [reason, setReason] = useState<string | null>(null);
  const note = useNote(worker, root);
  const choose = () =>
    note.start({
      text: 'I choose your proposal. Please sign it, so that I can create and fund the task.',
      chooses: offer.hash,
    });
  const decline = async () => {
    const text = reason?.trim() || 'I decline this proposal.';
    if ((await note.start({ text, declines: offer.hash })) !== null) setReason(null);
  };
  return (
    <>
      <Failure text={note.failure} />
      <div className="row">
        {!mayAccept && <Button onClick={onOpen}>Look at the differences to accept</Button>}
        {mayAccept && state === 'binding' && (
          <Button is="main" onClick={onAccept}>
            Accept: create and fund
          </Button>
        )}
        {mayAccept && state === 'open' && (
          <Button is="main" isBusy={note.isBusy} onClick={() => void choose()}>
            Choose: ask to sign
          </Button>
        )}
        <a className="button" href={`/messages.html?conversation=${root}`}>
          Offer other terms
        </a>
        {reason === null && state !== 'binding' && <Button onClick={() => setReason('')}>Decline…</Button>}
      </div>
      {reason !== null && (
        <div className="row">
          <TextField label="Why, in a sentence" maxLength={300} value={reason} onChange={setReason} />
          <Button isBusy={note.isBusy} onClick={() => void decline()}>
            Send and decline
          </Button>
        </div>
      )}
    </>
  );
}
