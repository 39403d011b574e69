// Mutual settlement: one party signs a split and sends a link to the other, who submits it with its own wallet.

import { mutualSettle } from '@svc/sdk/actions';
import { useState } from 'react';
import { NumberField, TextArea } from '#components/Field.tsx';
import { Split } from '#components/Money.tsx';
import type { Task } from '#data/market.ts';
import type { FormInput } from './ActionFields.tsx';
import { explainError } from './send.ts';
import { linkToOffer, parseOffer, parsePercent } from './settlement.ts';
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
      setSigned(linkToOffer(await signSettlement(parsePercent(input.workerBps)), location.origin));
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
      <TypedSplit task={task} percent={input.workerBps} />
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
          label="Your signed offer: send this link to the other party"
          value={signed}
          onChange={setSigned}
        />
      )}
      <TextArea
        label="Or: the signed offer of the other party"
        note={
          offer === null
            ? 'Paste its link here to accept it with your wallet.'
            : `${offer.workerBps / 100} % goes to the worker, the rest to the poster.`
        }
        value={input.offer ?? ''}
        onChange={(text) => onInput({ ...input, offer: text })}
      />
      {offer !== null && (
        <p>
          If you sign: <Split wei={task.lockedTokWei} workerBps={offer.workerBps} />.
        </p>
      )}
    </>
  );
}

/** Who gets how much of the escrow, while the share is typed. */
function TypedSplit({ task, percent }: { readonly task: Task; readonly percent: string | undefined }) {
  try {
    return (
      <p className="small">
        <Split wei={task.lockedTokWei} workerBps={parsePercent(percent)} />
      </p>
    );
  } catch {
    return null;
  }
}
