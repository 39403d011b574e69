// Mutual settlement: one party signs a split, which goes to the other as a message; the other submits it with its own wallet.

import { type Address, isSameAddress } from '@svc/sdk/domain';
import { useEffect, useMemo, useState } from 'react';
import { Button, Failure, NumberField, TextField } from '#components/Form.tsx';
import { Split } from '#components/Money.tsx';
import type { FormProps } from './DocumentForms.tsx';
import { useMessageSending } from './messaging.ts';
import {
  acceptOffer,
  findLinkedOffer,
  linkToOffer,
  offerDays,
  parseOffer,
  parsePercent,
  readPercent,
  type SettlementOffer,
  useSignSettlement,
} from './settlement.ts';
import { SignInButton, useSession } from './useSession.tsx';
import { useWallet } from './useWallet.tsx';

export function SettleForm({ action, task, onArgs }: FormProps) {
  const [offerText, setOfferText] = useState(() => findLinkedOffer(location.hash));
  const offer = parseOffer(offerText);
  const args = useMemo(() => acceptOffer(task.id, offerText), [task.id, offerText]);
  useEffect(() => onArgs(args), [onArgs, args]);
  if (offer !== null)
    return (
      <>
        <p>
          The other party has signed: <Split wei={task.lockedTokWei} workerBps={offer.workerBps} />.
        </p>
        <p>
          <Button onClick={() => setOfferText('')}>Offer another split instead</Button>
        </p>
      </>
    );
  return (
    <>
      <OwnOffer action={action} task={task} />
      <details>
        <summary>I have the link of a signed offer</summary>
        <TextField
          label="The link"
          note="Its figures are shown before you sign anything."
          value={offerText}
          onChange={setOfferText}
        />
      </details>
    </>
  );
}

function OwnOffer({ action, task }: Pick<FormProps, 'action' | 'task'>) {
  const [percent, setPercent] = useState('');
  const [signed, setSigned] = useState<SettlementOffer | null>(null);
  const session = useSession();
  const own = useWallet()?.address;
  const signSettlement = useSignSettlement(task);
  const bps = readPercent(percent);
  const [share] = action.fields ?? [];
  const isPoster = own !== undefined && isSameAddress(own, task.poster as Address);
  const sending = useMessageSending(async () => {
    const offer = await signSettlement(parsePercent(percent));
    setSigned(offer);
    const { workerBps, validUntil, signature } = offer;
    return {
      to: (isPoster ? task.worker : task.poster) as Address,
      taskId: task.id,
      type: 'MutualCancel',
      payload: { workerBps, validUntil, signature },
    };
  });
  if (session.token === null)
    return (
      <SignInButton session={session}>
        Your offer goes to the other party as a message, so this gateway must know who you are.
      </SignInButton>
    );
  return (
    <>
      <NumberField
        label={share?.label ?? ''}
        note={`${share?.note} Your offer is valid for ${offerDays} days.`}
        value={percent}
        onChange={setPercent}
      />
      {bps !== null && (
        <p>
          <Split wei={task.lockedTokWei} workerBps={bps} />
        </p>
      )}
      <Failure text={sending.failure} />
      <div className="row">
        <Button is={signed === null ? 'main' : undefined} run={sending}>
          Sign this offer and send it
        </Button>
        {signed !== null && (
          <Button onClick={() => void navigator.clipboard.writeText(linkToOffer(signed, location.origin))}>
            Copy its link
          </Button>
        )}
      </div>
      {sending.result != null && (
        <p className="notice" data-is="act" role="status">
          Sent. The other party finds it in its messages, with these figures and a button to agree.
        </p>
      )}
    </>
  );
}
