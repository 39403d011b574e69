// Hands a plan to the wallet, tells when it failed and what to do, and when it is done.
import { useEffect, useRef } from 'react';
import type { Plan } from './plan.ts';
import type { Sending } from './useSending.ts';

export function SendButton({
  plan,
  sending,
  isReading,
  isTrying,
  onDone,
  onSent,
}: {
  readonly plan: Plan | undefined;
  readonly sending: Sending;
  /** What it takes is not known yet. */
  readonly isReading: boolean;
  /** Whether it would succeed is not known yet. */
  readonly isTrying: boolean;
  readonly onDone?: () => void;
  /** Not called where its reader has left meanwhile. */
  readonly onSent?: (receipts: NonNullable<Awaited<ReturnType<Sending['start']>>>) => void;
}) {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  if (sending.isDone) return <Done isSeen={sending.progress?.stage === 'seen'} onDone={onDone} />;
  // What is out already is awaited even where nothing could be planned now.
  const next = plan?.calls ?? (sending.isAllOut ? sending.calls : null);
  const isPlanned = plan !== undefined && plan.gaps.length === 0 && !isReading && !isTrying;
  const isReady = next !== null && !sending.isBusy && (isPlanned || sending.goesOn(next));
  const wait = isReading ? 'Reading what it takes…' : isTrying ? 'Trying it out…' : null;
  const send = async () => {
    if (next === null) return;
    const receipts = await sending.start(next);
    if (receipts !== null && isHere.current) onSent?.(receipts);
  };
  return (
    <>
      {sending.failure !== null && (
        <div className="notice" data-is="risk" role="alert">
          <p>{sending.failure}</p>
          {sending.isAllOut && <p>Everything is signed and sent. Trying again sends nothing twice.</p>}
        </div>
      )}
      {sending.isBusy && !sending.isAllOut && (
        <p className="small quiet">
          Stay here until the last step. If you leave, your wallet is asked for nothing more; what you signed
          stands.
        </p>
      )}
      <button type="button" className="button wide" data-is="main" disabled={!isReady} onClick={send}>
        {isReady || sending.isBusy || wait === null ? labelOf(sending) : wait}
      </button>
    </>
  );
}

function labelOf({ isBusy, isAllOut, failure }: Sending): string {
  if (isBusy) return isAllOut ? 'Waiting for the chain…' : 'Follow the wallet…';
  return failure === null ? 'Sign in the wallet' : 'Try again';
}

function Done({ isSeen, onDone }: { readonly isSeen: boolean; readonly onDone: (() => void) | undefined }) {
  return (
    <div className="notice" data-is={isSeen ? 'act' : 'time'} role="status">
      <p>
        {isSeen ? 'Done. The market shows it.' : 'Mined. The market does not show it yet; it will by itself.'}
      </p>
      {onDone !== undefined && (
        <button type="button" className="button" onClick={onDone}>
          Close
        </button>
      )}
    </div>
  );
}
