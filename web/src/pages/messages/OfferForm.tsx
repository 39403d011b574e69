// Proposes terms, or answers an offer with other ones. What is signed here is the message; nobody is bound by it yet.

import { buildContext, buildTaskTerms, parseArguments } from '@svc/sdk/actions';
import type { Address } from '@svc/sdk/domain';
import type { SignedEnvelope } from '@svc/sdk/negotiation';
import { useMemo, useState } from 'react';
import type { Hex } from 'viem';
import { useNow } from '#components/Clock.tsx';
import { Field, NumberField, TextArea } from '#components/Field.tsx';
import { Failure } from '#components/QueryView.tsx';
import { notReady, useMarketAccess } from '#wallet/marketAccess.ts';
import { describeErrors } from '../post/draft.ts';
import { PostFields } from '../post/PostFields.tsx';
import { type OfferDraft, parseOffer } from './offerDraft.ts';
import type { ReadableOffer } from './offerRows.ts';
import { useMessageSending } from './sending.ts';

export function OfferForm({
  own,
  other,
  token,
  start,
  answers,
  root,
  negotiationId,
  about,
  onSent,
  onCancel,
}: {
  readonly own: Address;
  readonly other: Address;
  readonly token: string;
  readonly start: OfferDraft;
  /** The offer that this one replaces. */
  readonly answers: ReadableOffer | null;
  readonly root?: Hex;
  readonly negotiationId: string;
  /** The open task that an application is for. */
  readonly about?: string | undefined;
  readonly onSent: (signed: SignedEnvelope) => void;
  readonly onCancel?: () => void;
}) {
  const [offer, setOffer] = useState(start);
  const [showsErrors, setShowsErrors] = useState(false);
  const minute = Math.floor(useNow() / 60) * 60;
  const access = useMarketAccess();
  const sending = useMessageSending(token);
  const kept = answers === null ? null : { draft: start.draft, deadline: answers.terms.deadline };
  const { args, errors, validError } = useMemo(() => parseOffer(offer, minute, kept), [offer, minute, kept]);
  const change = (changes: Partial<OfferDraft>) => setOffer({ ...offer, ...changes });
  const send = async () => {
    const signed = await sending.send(async () => {
      if (args === null || access === null) throw new Error(notReady);
      const parties =
        offer.role === 'poster' ? { poster: own, worker: other } : { poster: other, worker: own };
      const parsed = parseArguments(buildTaskTerms, { ...args, ...parties, negotiationId });
      const built = await buildTaskTerms.build(parsed as never, buildContext(parsed, access));
      const { terms, settlementDigest, document } = built;
      return {
        to: other,
        type: answers === null ? 'TaskProposal' : 'TaskCounterOffer',
        payload: {
          terms,
          settlementDigest,
          expiresAt: (terms as { readonly acceptBy: number }).acceptBy,
          ...(document !== null && { document }),
          ...(offer.rationale.trim() !== '' && { rationale: offer.rationale.trim() }),
          ...(about !== undefined && about !== '' && { about }),
        },
        root,
        ...(root === undefined && { negotiationId }),
      };
    });
    if (signed !== null) onSent(signed);
  };
  return (
    <div className="stack">
      <PostFields
        draft={offer.draft}
        market={offer.market}
        errors={showsErrors ? errors : {}}
        now={minute}
        onChange={(draft) => change({ draft: { ...offer.draft, ...draft } })}
        onLeave={() => setShowsErrors(true)}
      >
        <OfferFields offer={offer} isFirst={answers === null} validError={validError} onChange={change} />
      </PostFields>
      <Failure text={sending.failure} />
      <p className="small quiet">
        Sending an offer costs nothing and binds nobody. A task is created only after both of you have agreed
        to the same terms.
      </p>
      <div className="row">
        <button
          type="button"
          className="button"
          data-is="main"
          disabled={args === null || sending.isBusy}
          onClick={() => void send()}
        >
          {sending.isBusy
            ? 'Confirm in your wallet…'
            : answers === null
              ? 'Send the offer'
              : 'Send the counter-offer'}
        </button>
        {onCancel !== undefined && (
          <button type="button" className="button" onClick={onCancel}>
            Back
          </button>
        )}
        {args === null && (
          <span className="small quiet">{validError ?? describeErrors(offer.draft, errors)}</span>
        )}
      </div>
    </div>
  );
}

function OfferFields({
  offer,
  isFirst,
  validError,
  onChange,
}: {
  readonly offer: OfferDraft;
  readonly isFirst: boolean;
  readonly validError: string | undefined;
  readonly onChange: (changes: Partial<OfferDraft>) => void;
}) {
  return (
    <>
      {isFirst && (
        <div className="pairform">
          <Field label="You are" note="The poster pays, the worker does the work.">
            {(props) => (
              <select
                {...props}
                value={offer.role}
                onChange={({ target }) => onChange({ role: target.value === 'poster' ? 'poster' : 'worker' })}
              >
                <option value="poster">the poster</option>
                <option value="worker">the worker</option>
              </select>
            )}
          </Field>
          <Field label="Market" note="Small tasks belong on the micro market.">
            {(props) => (
              <select
                {...props}
                value={offer.market}
                onChange={({ target }) =>
                  onChange({ market: target.value === 'micro' ? 'micro' : 'standard' })
                }
              >
                <option value="standard">standard</option>
                <option value="micro">micro</option>
              </select>
            )}
          </Field>
        </div>
      )}
      <div className="pairform">
        <Field label="Public?" note="The words of an open task are public on chain for ever.">
          {(props) => (
            <select
              {...props}
              value={offer.scope}
              onChange={({ target }) => onChange({ scope: target.value === 'open' ? 'open' : 'private' })}
            >
              <option value="private">private: only hashes go on chain</option>
              <option value="open">open: everyone can read it</option>
            </select>
          )}
        </Field>
        <NumberField
          label="Valid for, days"
          note="After that the offer ends."
          error={validError}
          value={offer.validDays}
          onChange={(validDays) => onChange({ validDays })}
        />
      </div>
      <TextArea
        label="Why (optional)"
        note="A sentence for the other party; it is not part of the terms."
        rows={2}
        value={offer.rationale}
        onChange={(rationale) => onChange({ rationale })}
      />
    </>
  );
}
