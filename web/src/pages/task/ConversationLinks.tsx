// From a task to its conversations: a question, an application with other terms, a requested change.
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { useState } from 'react';
import { useNow } from '#components/Clock.tsx';
import { Button } from '#components/Form.tsx';
import { lazyPart } from '#components/QueryView.tsx';
import { Sheet } from '#components/Sheet.tsx';
import { usePagesInfo } from '#data/client.ts';
import type { Task } from '#data/market.ts';
import { useWallet } from '#wallet/useWallet.tsx';

/** A separate chunk: it signs messages. */
const RequestChange = lazyPart(
  async () => (await import('#wallet/RequestChange.tsx')).RequestChange,
  <p className="body quiet">Loading the form…</p>,
);

export function ConversationLinks({ task }: { task: Task }) {
  const address = useWallet()?.address;
  const info = usePagesInfo().data;
  const now = useNow();
  const [isAsking, setAsking] = useState(false);
  if (info?.isGateway !== true) return null;
  const { poster, worker, state } = task;
  const isMine = (party: string | undefined) =>
    party !== undefined && address !== undefined && isSameAddress(party as Address, address);
  const other = isMine(poster) ? worker : poster;
  const canApply = state === 'POSTED' && task.scope === 'open' && !isMine(poster);
  const canAsk = state === 'DELIVERED' && isMine(poster) && now <= task.updatedAt + task.reviewPeriod;
  if (other === undefined) return null;
  const href = `/messages.html?to=${other}&about=${task.id}`;
  return (
    <Sheet
      title="Conversation"
      note="the operator of this gateway can read messages"
      aria-label="Conversation"
      isBare
    >
      <div className="body row">
        {canAsk && <Button onClick={() => setAsking(true)}>Request a change</Button>}
        {canApply && (
          <a className="button" href={`${href}&propose=1`}>
            Apply with other terms
          </a>
        )}
        <a className="button" href={href}>
          {isMine(poster) ? 'Write to the worker' : isMine(worker) ? 'Write to the poster' : 'Ask the poster'}
        </a>
        <a className="button" data-is="plain" href="/messages.html">
          All messages
        </a>
      </div>
      {isAsking && <RequestChange task={task} onClose={() => setAsking(false)} />}
    </Sheet>
  );
}
