// Mutual settlement: one party signs a split, which goes to the other as a message; the other submits it with its own wallet.

import { type Address, isSameAddress } from '@svc/sdk/domain';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Hex } from 'viem';
import { Button, Failure, NumberField, TextField } from '../components/Form.tsx';
import { useCopying } from '../components/Hex.tsx';
import { Split } from '../components/Money.tsx';
import { parsePercent } from '../data/formValues.ts';
import type { Task } from '../data/market.ts';
import { orNull } from '../data/orNull.ts';
import type { FormProps } from './DocumentForms.tsx';
import { useMessageSending } from './messaging.ts';
import {
  acceptOffer,
  endedOffer,
  findLinkedOffer,
  linkToOffer,
  offerDays,
  parseOffer,
  type SettlementOffer,
  useSignSettlement,
  useStanding,
} from './settlement.ts';
import { SignInButton, useSession } from './useSession.tsx';
import { useWallet } from './useWallet.tsx';

export function SettleForm({ task, onArgs }: FormProps) {
  const [offerText, setOfferText] = useState(() => findLinkedOffer(location.hash));
  const offer = parseOffer(offerText);
  const by = (offer?.by === 'poster' ? task.poster : task.worker) as Address;
  const stands = useStanding(task, offer?.task === task.id ? { ...offer, by } : undefined);
  const args = useMemo(
    () => (stands === false ? new Error(endedOffer) : acceptOffer(task.id, offerText)),
    [task.id, offerText, stands],
  );
  useEffect(() => onArgs(args), [onArgs, args]);
  if (offer !== null)
    return (
      <>
        {stands && (
          <p>
            The other party has signed: <Split wei={task.lockedTokWei} workerBps={offer.workerBps} />.
          </p>
        )}
        <p>
          <Button onClick={() => setOfferText('')}>Offer another split instead</Button>
        </p>
      </>
    );
  return (
    <>
      <OwnOffer task={task} />
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

/** For wallets that have signed in: the offer is a message. */
function OwnOffer({ task }: Pick<FormProps, 'task'>) {
  const [signed, setSigned] = useState<SettlementOffer | null>(null);
  const [isCopied, copy] = useCopying();
  const session = useSession();
  const own = useWallet()?.address;
  if (session.token === null)
    return (
      <SignInButton session={session}>
        Your offer goes to the other party as a message, so this gateway must know who you are.
      </SignInButton>
    );
  const isPoster = own !== undefined && isSameAddress(own, task.poster as Address);
  return (
    <SplitForm task={task} to={(isPoster ? task.worker : task.poster) as Address} onSigned={setSigned}>
      {signed !== null && (
        <Button onClick={() => void copy(linkToOffer(signed, location.origin))}>
          {isCopied === null ? 'Copy its link' : isCopied ? 'Copied' : 'Copying is not allowed here'}
        </Button>
      )}
    </SplitForm>
  );
}

type SplitFormProps = {
  task: Task;
  to: Address;
  /** The conversation with them, where there is one. */
  root?: Hex;
  onSigned?: (offer: SettlementOffer) => void;
  onSent?: () => void;
  /** More buttons. */
  children?: ReactNode;
};

/** Signs a split of what escrow holds, and sends it to the other party, who can agree to it. */
export function SplitForm({ task, to, root, onSigned, onSent, children }: SplitFormProps) {
  const [percent, setPercent] = useState('');
  const bps = orNull(() => parsePercent(percent));
  const sign = useSignSettlement(task);
  const sending = useMessageSending(async () => {
    const offer = await sign(parsePercent(percent));
    onSigned?.(offer);
    const { workerBps, validUntil, signature } = offer;
    return { to, root, taskId: task.id, type: 'MutualCancel', payload: { workerBps, validUntil, signature } };
  }, onSent);
  const isSent = sending.result != null;
  return (
    <>
      <NumberField
        label="Share of the worker, %"
        note={`Of everything escrow holds. The other party can agree for ${offerDays} days. You cannot take it back, but every other step of the task ends it.`}
        value={percent}
        onChange={setPercent}
      />
      {bps !== null && (
        <p>
          <Split wei={task.lockedTokWei} workerBps={bps} />.
        </p>
      )}
      <Failure text={sending.failure} />
      <div className="row">
        <Button is={isSent ? undefined : 'main'} run={sending}>
          Sign and send the split
        </Button>
        {children}
      </div>
      {isSent && (
        <p className="notice" data-is="act" role="status">
          Sent. The other party finds it in its messages, with these figures and a button to agree.
        </p>
      )}
    </>
  );
}
