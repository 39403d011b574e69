// Mutual settlement: one party signs a split and sends a link to the other, who submits it with its own wallet.

import { useEffect, useMemo, useState } from 'react';
import { Button } from '#components/Button.tsx';
import { NumberField, TextArea } from '#components/Field.tsx';
import { Split } from '#components/Money.tsx';
import { Failure } from '#components/QueryView.tsx';
import type { FormProps } from './DocumentForms.tsx';
import {
  acceptOffer,
  findLinkedOffer,
  linkToOffer,
  offerDays,
  parseOffer,
  parsePercent,
  readPercent,
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
  const bps = readPercent(percent);
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
      {bps !== null && (
        <p className="small">
          <Split wei={task.lockedTokWei} workerBps={bps} />
        </p>
      )}
      <Button isBusy={signing.isBusy} onClick={() => void signing.start()}>
        Sign this offer
      </Button>
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
