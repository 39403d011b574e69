// Mutual settlement: one party signs a split and sends the text to the other, who submits it with its own wallet.

import { mutualSettle } from '@svc/sdk/actions';
import { useState } from 'react';
import { NumberField, TextArea } from '#components/Field.tsx';
import type { Task } from '#data/market.ts';
import type { FormInput } from './ActionFields.tsx';
import { explainError } from './send.ts';
import { parseOffer, parsePercent } from './settlement.ts';
import { offerDays, useSignSettlement } from './useSignSettlement.ts';

export function SettleForm({
  task,
  input,
  onInput,
}: {
  readonly task: Task;
  readonly input: FormInput;
  readonly onInput: (input: FormInput) => void;
}) {
  const signSettlement = useSignSettlement(task);
  const [signed, setSigned] = useState('');
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const offer = parseOffer(input.offer ?? '');
  const sign = async () => {
    setBusy(true);
    try {
      setSigned(JSON.stringify(await signSettlement(parsePercent(input.workerBps))));
      setError('');
    } catch (reason) {
      setError(explainError(reason));
    }
    setBusy(false);
  };
  const [share] = mutualSettle.fields ?? [];
  return (
    <>
      <NumberField
        label={share?.label ?? ''}
        note={`${share?.note} Your offer is valid for ${offerDays} days.`}
        value={input.workerBps ?? ''}
        onChange={(workerBps) => onInput({ ...input, workerBps })}
      />
      <button type="button" className="button" disabled={isBusy} onClick={sign}>
        {isBusy ? 'Confirm in your wallet…' : 'Sign this offer'}
      </button>
      {error !== '' && (
        <p className="notice" data-is="risk" role="alert">
          {error}
        </p>
      )}
      {signed !== '' && (
        <TextArea
          label="Your signed offer: send this text to the other party"
          value={signed}
          onChange={setSigned}
        />
      )}
      <TextArea
        label="Or: the signed offer of the other party"
        note={
          offer === null
            ? 'Paste it here to accept it with your wallet.'
            : `${offer.workerBps / 100} % goes to the worker, the rest to the poster.`
        }
        value={input.offer ?? ''}
        onChange={(text) => onInput({ ...input, offer: text })}
      />
    </>
  );
}
