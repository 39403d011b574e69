// From a task to its conversations: a question, an application with other terms, a requested change.
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { lazy, Suspense, useState } from 'react';
import { usePagesInfo } from '#data/client.ts';
import type { Task } from '#data/market.ts';
import { useWallet } from '#wallet/useWallet.tsx';

/** A separate chunk: it signs messages. */
const RequestChange = lazy(async () => ({
  default: (await import('#wallet/RequestChange.tsx')).RequestChange,
}));

export function ConversationLinks({ task }: { readonly task: Task }) {
  const address = useWallet()?.address;
  const info = usePagesInfo().data;
  const [isAsking, setAsking] = useState(false);
  if (info?.isGateway !== true) return null;
  const { poster, worker, state } = task;
  const isMine = (party: string | undefined) =>
    party !== undefined && address !== undefined && isSameAddress(party as Address, address);
  const other = isMine(poster) ? worker : poster;
  const canApply = state === 'POSTED' && task.scope === 'open' && !isMine(poster);
  const canAsk = state === 'DELIVERED' && isMine(poster);
  if (other === undefined) return null;
  const href = `/messages.html?to=${other}&about=${task.id}`;
  return (
    <section className="sheet" aria-labelledby="conversation">
      <header>
        <h2 id="conversation">Conversation</h2>
        <span className="small faint">the operator of this gateway can read messages</span>
      </header>
      <div className="body row">
        {canAsk && (
          <button type="button" className="button" onClick={() => setAsking(true)}>
            Request a change
          </button>
        )}
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
      {isAsking && (
        <Suspense fallback={<p className="body quiet">Loading the form…</p>}>
          <RequestChange task={task} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </section>
  );
}
