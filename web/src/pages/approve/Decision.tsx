// Approve or reject; and what became of it.
import { useState } from 'react';
import { queries } from '../../data/client.ts';
import { sendResult } from '../../data/gateway.ts';

export function Decision({
  id,
  isBusy,
  isReady,
  failure,
  busyWords,
  approveWords,
  rejectWords = 'Reject',
  onApprove,
}: {
  readonly id: string;
  readonly isBusy: boolean;
  /** Until then it can only be rejected; the page says what is missing. */
  readonly isReady: boolean;
  readonly failure: string | null;
  readonly busyWords: string;
  readonly approveWords: string;
  readonly rejectWords?: string;
  readonly onApprove: () => Promise<void>;
}) {
  const [fault, setFault] = useState<string | null>(null);
  const reject = async () => {
    try {
      queries.setQueryData(['request', id], await sendResult(id, { status: 'rejected' }));
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  const shown = fault ?? failure;
  return (
    <div className="stack">
      {shown !== null && (
        <p className="notice" data-is="risk" role="alert">
          {shown}
        </p>
      )}
      <div className="row">
        <button
          type="button"
          className="button"
          data-is="main"
          disabled={isBusy || !isReady}
          onClick={onApprove}
        >
          {isBusy ? busyWords : approveWords}
        </button>
        <button type="button" className="button" data-is="risk" disabled={isBusy} onClick={reject}>
          {rejectWords}
        </button>
      </div>
    </div>
  );
}
