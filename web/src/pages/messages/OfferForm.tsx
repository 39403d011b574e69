// Proposes terms, or answers an offer with other ones. What is signed here is the message; nobody is bound by it yet.

import { prepareAction } from '@svc/sdk/actions';
import type { Address } from '@svc/sdk/domain';
import { privateMeans } from '@svc/sdk/internal/domain/state';
import type { SignedEnvelope } from '@svc/sdk/negotiation';
import { useMemo } from 'react';
import type { Hex } from 'viem';
import { useMinute } from '../../components/Clock.tsx';
import { Button, Choice, Failure, Form, NumberField, TextArea } from '../../components/Form.tsx';
import { useSavedForm } from '../../data/savedText.ts';
import { notReady, useMarketAccess } from '../../wallet/marketAccess.ts';
import { useMessageSending } from '../../wallet/messaging.ts';
import { type Draft, describeErrors } from '../post/draft.ts';
import { RewardFields, WhatFields } from '../post/PostFields.tsx';
import { type OfferDraft, parseOffer, parseSavedOffer } from './offerDraft.ts';

export function OfferForm({
  name,
  own,
  other,
  start,
  root,
  negotiationId,
  about,
  newer,
  onSent,
  onCancel,
}: {
  /** Under which this browser keeps the draft. */
  name: string;
  own: Address;
  other: Address;
  start: OfferDraft;
  /** The conversation of the offer that this one replaces. */
  root?: Hex;
  negotiationId: string;
  /** The open task that an application is for. */
  about?: string | undefined;
  /** Given while there is a newer offer than the one that this form began with: what its reader can choose. */
  newer?: { readonly goOn: () => void; readonly restart: () => void } | undefined;
  onSent: (signed: SignedEnvelope) => void;
  onCancel?: () => void;
}) {
  const [offer, change, forget] = useSavedForm(name, parseSavedOffer, start);
  const isFirst = root === undefined;
  const minute = useMinute();
  const access = useMarketAccess();
  const { args, errors, bytes, validError } = useMemo(() => parseOffer(offer, minute), [offer, minute]);
  const sending = useMessageSending(
    async () => {
      if (args === null || access === null) throw new Error(notReady);
      const parties =
        offer.role === 'poster' ? { poster: own, worker: other } : { poster: other, worker: own };
      const given = { ...args, ...parties, negotiationId };
      const built = await prepareAction('build-task-terms', given, async () => access);
      const { terms, settlementDigest, document } = built;
      return {
        to: other,
        type: isFirst ? 'TaskProposal' : 'TaskCounterOffer',
        payload: {
          terms,
          settlementDigest,
          expiresAt: (terms as { readonly acceptBy: number }).acceptBy,
          ...(document !== null && { document }),
          ...(offer.rationale.trim() !== '' && { rationale: offer.rationale.trim() }),
          ...(about !== undefined && about !== '' && { about }),
        },
        root,
        ...(isFirst && { negotiationId }),
      };
    },
    (signed) => {
      forget();
      onSent(signed);
    },
  );
  const fields = {
    draft: offer.draft,
    market: offer.market,
    errors,
    bytes,
    now: minute,
    onChange: (draft: Partial<Draft>) => change({ draft: { ...offer.draft, ...draft } }),
  };
  return (
    <div className="stack">
      <Form className="sheet body stack">
        <WhatFields {...fields} />
        <RewardFields {...fields} />
        <OfferFields offer={offer} isFirst={isFirst} validError={validError} onChange={change} />
      </Form>
      <Failure text={sending.failure} />
      {newer !== undefined && (
        <Failure text="There is another offer by now. Read it above: yours would replace it.">
          <div className="row">
            <Button onClick={newer.goOn}>Go on with mine</Button>
            <Button onClick={newer.restart}>Start from the new one</Button>
          </div>
        </Failure>
      )}
      <p className="small quiet">
        Sending an offer costs nothing and binds nobody. A task is created only after both of you have agreed
        to the same terms.
      </p>
      <div className="row">
        <Button is="main" disabled={args === null || newer !== undefined} run={sending}>
          {isFirst ? 'Send the offer' : 'Send the counter-offer'}
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>Back</Button>}
        {args === null && (
          <span className="small quiet">{validError ?? describeErrors(offer.draft, errors)}</span>
        )}
      </div>
    </div>
  );
}

type OfferFieldsProps = {
  offer: OfferDraft;
  isFirst: boolean;
  validError: string | undefined;
  onChange: (changes: Partial<OfferDraft>) => void;
};

function OfferFields({ offer, isFirst, validError, onChange }: OfferFieldsProps) {
  return (
    <>
      {isFirst && (
        <div className="columns">
          <Choice
            label="You are"
            note="The poster pays, the worker does the work."
            labels={{ poster: 'the poster', worker: 'the worker' }}
            value={offer.role}
            onChange={(role) => onChange({ role })}
          />
          <Choice
            label="Market"
            note="Small tasks belong on the micro market."
            labels={{ standard: 'standard', micro: 'micro' }}
            value={offer.market}
            onChange={(market) => onChange({ market })}
          />
        </div>
      )}
      <div className="columns">
        <Choice
          label="Public?"
          note={`The words of an open task are public on chain for ever. ${privateMeans}`}
          labels={{ private: 'private: only hashes go on chain', open: 'open: everyone can read it' }}
          value={offer.scope}
          onChange={(scope) => onChange({ scope })}
        />
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
