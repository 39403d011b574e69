// The words of a private delivery: they travel as a message, and are compared here with the hash on chain.
import { viewDocument } from '@svc/sdk/documents';
import { type Address, isSameAddress, toCanonical } from '@svc/sdk/domain';
import type { SignedEnvelope } from '@svc/sdk/negotiation';
import { type ReactNode, useMemo } from 'react';
import type { TaskDetail } from '#data/market.ts';
import type { Delivery } from '#data/workDocuments.ts';
import { useMailbox } from '#wallet/messaging.ts';
import { SignInButton, useSession } from '#wallet/useSession.tsx';
import { useWallet } from '#wallet/useWallet.tsx';

export function PrivateDelivery({
  task,
  delivery,
  children,
}: {
  readonly task: TaskDetail;
  readonly delivery: Delivery;
  readonly children: (delivery: Delivery) => ReactNode;
}) {
  const address = useWallet()?.address;
  const session = useSession();
  const { data, isLoading } = useMailbox(session.token);
  const found = useMemo(() => {
    const messages = (data?.transcripts ?? []).flatMap(({ entries, aside }) => [...entries, ...aside]);
    return readDelivery(task, delivery, messages);
  }, [task, delivery, data]);
  const isParty = [task.poster, task.worker, task.dispute?.judge].some(
    (party) => typeof party === 'string' && address !== undefined && isSameAddress(party as Address, address),
  );
  if (isParty && session.token === null)
    return (
      <div className="body">
        <SignInButton session={session}>
          The words of this private task were sent as a message. Sign in to read yours.
        </SignInButton>
      </div>
    );
  if (isLoading) return <p className="body quiet">Loading your messages…</p>;
  return children(found ?? delivery);
}

/** The document of a message counts as any other: only if it has the hash on chain. */
function readDelivery(
  { id }: TaskDetail,
  delivery: Delivery,
  messages: readonly SignedEnvelope[],
): Delivery | null {
  const { proofHash, milestone } = delivery;
  const expected = { schema: 'svc-delivery-v1', taskId: id, milestone } as const;
  for (const { envelope } of messages.toReversed()) {
    const { document } = envelope.payload;
    if (envelope.type !== 'DeliveryNotice' || typeof document !== 'object' || document === null) continue;
    if (String(envelope.payload.proofHash).toLowerCase() !== proofHash.toLowerCase()) continue;
    const bytes = new TextEncoder().encode(toCanonical(document));
    return { ...delivery, ...viewDocument({ hash: proofHash, uri: '', expected }, bytes) };
  }
  return null;
}
