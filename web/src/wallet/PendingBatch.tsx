// A batch that was signed here and is not finished, after a reload or a closed dialog: shown on every page until its end.
import type { Address } from '@svc/sdk/domain';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { Button } from '../components/Form.tsx';
import { TransactionLink } from '../components/Hex.tsx';
import { queries } from '../data/client.ts';
import { subscribeToTexts } from '../data/savedText.ts';
import {
  type BatchNote,
  type BatchState,
  forgetBatch,
  parseBatch,
  readBatch,
  readUnwatched,
} from './batch.ts';
import { useWallet } from './useWallet.tsx';

type Ended = { readonly note: BatchNote; readonly state: Exclude<BatchState, { readonly is: 'pending' }> };

export function PendingBatch({ owner }: { readonly owner: Address }) {
  const client = useWallet()?.client ?? null;
  const text = useSyncExternalStore(subscribeToTexts, () => readUnwatched(owner));
  const note = useMemo(() => parseBatch(text), [text]);
  const [ended, setEnded] = useState<Ended | null>(null);
  const { data: state, isError } = useQuery({
    queryKey: ['batch', note?.id],
    refetchInterval: 2_000,
    retry: false,
    queryFn: client === null || note === null ? skipToken : () => readBatch(client, note),
  });
  useEffect(() => {
    if (note === null || state === undefined || state.is === 'pending') return;
    setEnded({ note, state });
    forgetBatch(owner);
    void queries.invalidateQueries();
  }, [note, state, owner]);
  if (note !== null)
    return (
      <div className="notice" data-is="time" role="status">
        <p>
          Your wallet was asked for {note.steps.length} steps at once, and they are not finished:{' '}
          {isError
            ? 'the wallet does not say how far they are. This page keeps asking.'
            : 'waiting for the chain…'}
        </p>
        <Steps note={note} />
      </div>
    );
  if (ended === null) return null;
  const hash = ended.state.is === 'done' ? ended.state.receipts.at(-1)?.transactionHash : ended.state.hash;
  return (
    <div className="notice" data-is={ended.state.is === 'done' ? 'act' : 'risk'} role="status">
      <p>
        {ended.state.is === 'done'
          ? `Done: all ${ended.note.steps.length} steps took effect.`
          : ended.state.sentence}{' '}
        {hash !== undefined && <TransactionLink hash={hash} />}
      </p>
      <Steps note={ended.note} />
      <Button onClick={() => setEnded(null)}>Close</Button>
    </div>
  );
}

function Steps({ note: { steps } }: { readonly note: BatchNote }) {
  return <p className="small">{steps.map(({ summary }) => summary).join(' → ')}</p>;
}
