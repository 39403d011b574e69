// Mutual settlement: one party signs a split and sends a link to the other, who submits it with its own wallet.

import { useEffect, useMemo, useState } from 'react';
import { NumberField, TextArea } from '#components/Field.tsx';
import { Split } from '#components/Money.tsx';
import { Failure } from '#components/QueryView.tsx';
import type { Task } from '#data/market.ts';
import type { FormProps } from './DocumentForms.tsx';
import {
  acceptOffer,
  findLinkedOffer,
  linkToOffer,
  offerDays,
  parseOffer,
  parsePercent,
  useSignSettlement,
} from './settlement.ts';
import { useAttempt } from './useAttempt.ts';

export function SettleForm({ action, task, onArgs }: FormProps) {
  const [percent, setPercent] = useState('');
  const [offerText, setOfferText] = useState(() => findLinkedOffer(location.hash));
  const signSettlement = useSignSettlement(task);
  const signing = useAttempt(async () =>
    linkToOffer(await signSettlement(parsePercent(percent)), location.origin),
  );
  const offer = parseOffer(offerText);
  const args = useMemo(() => acceptOffer(task.id, offerText), [task.id, offerText]);
  useEffect(() => onArgs(args), [onArgs, args]);
  const [share] = action.fields ?? [];
  return (
    <>
      <NumberField
        label={share?.label ?? ''}
        note={`${share?.note} Your offer is valid for ${offerDays} days.`}
        value={percent}
        onChange={setPercent}
      />
      <TypedSplit task={task} percent={percent} />
      <button type="button" className="button" disabled={signing.isBusy} onClick={() => void signing.start()}>
        {signing.isBusy ? 'Confirm in your wallet…' : 'Sign this offer'}
      </button>
      <Failure text={signing.failure} />
      {signing.result !== undefined && (
        <TextArea
          label="Your signed offer: send this link to the other party"
          value={signing.result}
          onChange={() => undefined}
        />
      )}
      <TextArea
        label="Or: the signed offer of the other party"
        note={
          offer === null
            ? 'Paste its link here to accept it with your wallet.'
            : `${offer.workerBps / 100} % goes to the worker, the rest to the poster.`
        }
        value={offerText}
        onChange={setOfferText}
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
function TypedSplit({ task, percent }: { readonly task: Task; readonly percent: string }) {
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
