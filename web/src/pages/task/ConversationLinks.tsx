// From a task to its conversations: a question, an application with other terms, a requested change.
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { useState } from 'react';
import { useNow } from '../../components/Clock.tsx';
import { Button } from '../../components/Form.tsx';
import { lazyPart } from '../../components/QueryView.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { usePagesInfo } from '../../data/client.ts';
import type { Task } from '../../data/market.ts';
import { useWallet } from '../../wallet/useWallet.tsx';

/** A separate chunk: it signs messages. */
const RequestChange = lazyPart(
  async () => (await import('../../wallet/RequestChange.tsx')).RequestChange,
  <p className="body quiet">Loading the form…</p>,
);

export function ConversationLinks({ task }: { task: Task }) {
  const address = useWallet()?.address;
  const info = usePagesInfo().data;
  const now = useNow();
  const [isAsking, setAsking] = useState(false);
  if (info?.isGateway !== true) return null;
  const { poster, worker, state, dispute } = task;
  const isMine = (party: string | undefined) =>
    party !== undefined && address !== undefined && isSameAddress(party as Address, address);
  const parties = { poster, worker };
  const isJudge = isMine(dispute?.judge ?? undefined);
  const others: readonly (keyof typeof parties)[] = isMine(poster)
    ? ['worker']
    : isJudge
      ? ['poster', 'worker']
      : ['poster'];
  const canApply = state === 'POSTED' && task.scope === 'open' && !isMine(poster);
  const canAsk = state === 'DELIVERED' && isMine(poster) && now <= task.updatedAt + task.reviewPeriod;
  if (isMine(poster) && worker === undefined) return null;
  const linkTo = (role: keyof typeof parties) => `/messages.html?to=${parties[role]}&about=${task.id}`;
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
          <a className="button" href={`${linkTo('poster')}&propose=1`}>
            Apply with other terms
          </a>
        )}
        {others.map((role) => (
          <a key={role} className="button" href={linkTo(role)}>
            {isMine(poster) || isMine(worker) ? 'Write to' : 'Ask'} the {role}
          </a>
        ))}
        <a className="button" data-is="plain" href="/messages.html">
          All messages
        </a>
      </div>
      {isAsking && <RequestChange task={task} onClose={() => setAsking(false)} />}
    </Sheet>
  );
}
