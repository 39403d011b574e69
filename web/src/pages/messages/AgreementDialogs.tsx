// Signing the terms of an offer, and creating the task on chain with the signature of the other side.

import { isSameAddress } from '@svc/sdk/domain';
import { createTask, revokeTerms } from '@svc/sdk/internal/actions/createTask';
import { normaliseSignature } from '@svc/sdk/internal/domain/verifyDigest';
import type { Offer } from '@svc/sdk/negotiation';
import { useRef, useState } from 'react';
import type { Hex } from 'viem';
import { getCode } from 'viem/actions';
import { Countdown } from '../../components/Clock.tsx';
import { Button, Dialog, Failure } from '../../components/Form.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { ActionDialog } from '../../wallet/ActionDialog.tsx';
import { CostTable } from '../../wallet/CostTable.tsx';
import { toCostLine } from '../../wallet/costLines.ts';
import { useFigures, useSignAction } from '../../wallet/marketAccess.ts';
import { useMessageSending } from '../../wallet/messaging.ts';
import { RiskNotes } from '../../wallet/PlanView.tsx';
import { findPosted } from '../../wallet/postedTask.ts';
import { OnChain } from '../../wallet/useWallet.tsx';
import { MissingOf } from '../listing/MissingOf.tsx';
import { LockField } from '../post/PostFields.tsx';
import { type Conversation, findOfferChange } from './conversations.ts';
import { OfferCard } from './OfferCard.tsx';

type Props = { conversation: Conversation; offer: Offer; onClose: () => void };

/** All of the terms, the fees of both sides and the end of the signature, before anything is signed. */
export function AcceptDialog({ conversation, offer: newest, onClose }: Props) {
  // What is signed is what its reader saw, whatever arrives meanwhile.
  const [offer] = useState(newest);
  const { transcript, other } = conversation;
  const change = findOfferChange(conversation, offer);
  const dialog = useRef<HTMLDialogElement>(null);
  const sign = useSignTerms();
  const fees = useFigures(offer.terms.market);
  const accepting = useMessageSending(
    async () => ({
      to: other,
      root: transcript.root,
      type: 'TaskAcceptance',
      payload: {
        offerHash: offer.hash,
        settlementDigest: offer.settlementDigest,
        signature: await sign(offer),
      },
    }),
    () => dialog.current?.close(),
  );
  return (
    <Dialog ref={dialog} opensAtOnce title="Sign these terms" onClose={onClose}>
      <OfferCard offer={offer} earlier={null} />
      {/* What each side pays when the task is created. */}
      <QueryView query={fees} what="the fees of both sides">
        {(figures) => (
          <CostTable costs={(createTask.costs?.({ figures }) ?? []).map((cost) => toCostLine(cost))} />
        )}
      </QueryView>
      <p>
        With your signature the other side can create the task under exactly these terms. The signature ends{' '}
        <Countdown to={offer.expiresAt} />.
      </p>
      <RiskNotes
        risk={createTask.risk()}
        undo="You can take it back on chain, until the task is created."
        next={createTask.next}
      />
      <Failure text={change ?? accepting.failure} />
      <OnChain connect="The wallet is no longer connected. Connect it again to go on.">
        <p className="small quiet">
          Your wallet asks twice: for the terms, and for the message that carries them.
        </p>
        <div className="signbar">
          <Button
            is="main"
            className="wide large"
            disabled={change !== null || fees.data === undefined}
            run={accepting}
          >
            Sign with your wallet
          </Button>
        </div>
      </OnChain>
    </Dialog>
  );
}

function useSignTerms() {
  const signAction = useSignAction();
  return async ({ terms }: Offer): Promise<Hex> => {
    const { client, signature } = await signAction(createTask, terms.market, { terms });
    const { address } = client.account;
    const code = await getCode(client, { address });
    return normaliseSignature(address, signature, code !== undefined);
  };
}

/** On chain: a message alone would not stop the other side. */
export function RevokeDialog({ offer: newest, onClose }: Omit<Props, 'conversation'>) {
  const [offer] = useState(newest);
  const { terms, settlementDigest } = offer;
  const args = { settlementDigest };
  return (
    <ActionDialog action={revokeTerms} market={terms.market} args={args} onClose={onClose}>
      <OfferCard offer={offer} earlier={null} />
    </ActionDialog>
  );
}

/** The action of the catalog, filled in with what was agreed; `fundsAll` where the whole payment goes into escrow at once. */
export function CreateDialog({
  conversation,
  offer,
  fundsAll = false,
  onCreated,
  onClose,
}: Props & { fundsAll?: boolean; onCreated?: (taskId: string) => void }) {
  const { negotiation, own, other } = conversation;
  const { terms, document } = offer;
  const isPoster = isSameAddress(terms.poster, own);
  const who = isPoster ? 'The worker' : 'The poster';
  const [funding, setFunding] = useState<'now' | 'later'>('now');
  const signature = negotiation.acceptances.find(({ by }) => !isSameAddress(by, own))?.signature;
  const args = {
    terms: { terms, document },
    [isPoster ? 'workerSignature' : 'posterSignature']: signature,
    ...(isPoster && { fundNowTokWei: funding === 'now' ? terms.totalAmountTokWei : '0' }),
  };
  return (
    <ActionDialog
      action={createTask}
      market={terms.market}
      args={args}
      change={findOfferChange(conversation, offer)}
      onSent={(receipts) => {
        const taskId = findPosted(receipts, terms.market);
        if (taskId !== null) onCreated?.(taskId);
      }}
      onClose={onClose}
    >
      {/* In full, without a name: anyone can take any name. */}
      <p>
        {who}: <span className="mono breakable">{other}</span>
      </p>
      <MissingOf market={terms.market} wallet={other} who={who} />
      <OfferCard offer={offer} earlier={null} />
      {isPoster && !fundsAll && <LockField value={funding} onChange={setFunding} />}
    </ActionDialog>
  );
}
