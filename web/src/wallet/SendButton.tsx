// The button that sends a plan to the wallet, with the error or the result.
import { useEffect, useRef } from 'react';
import { Button } from '#components/Button.tsx';
import type { Plan } from './marketAccess.ts';
import type { SimulatedPlan } from './PlanView.tsx';
import type { Sending } from './useSending.ts';

type SendButtonProps = {
  plan: Plan | undefined;
  simulated: SimulatedPlan;
  sending: Sending;
  /** The plan is not complete yet. */
  isPlanning: boolean;
  onDone?: () => void;
  /** Not called if the reader has left the page. */
  onSent?: (receipts: NonNullable<Awaited<ReturnType<Sending['start']>>>) => void;
};

export function SendButton({ plan, simulated, sending, isPlanning, onDone, onSent }: SendButtonProps) {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  if (sending.isDone) {
    const isIndexed = sending.progress?.stage === 'indexed';
    return (
      <div className="notice" data-is={isIndexed ? 'act' : 'time'} role="status">
        <p>{isIndexed ? 'Done. The market shows it.' : 'Done on the chain. The market will show it soon.'}</p>
        {onDone !== undefined && <Button onClick={onDone}>Close</Button>}
      </div>
    );
  }
  const { problems, isSimulating } = simulated;
  // Calls that are all sent can be awaited even without a plan.
  const next = plan?.calls ?? (sending.isAllSent ? sending.calls : null);
  const isPlanned = plan !== undefined && problems.length === 0 && !isPlanning && !isSimulating;
  const isReady = next !== null && !sending.isBusy && (isPlanned || sending.continues(next));
  const wait = isPlanning ? 'Preparing the calls…' : isSimulating ? 'Simulating the calls…' : null;
  const send = async () => {
    if (next === null) return;
    const receipts = await sending.start(next);
    if (receipts !== null && isMounted.current) onSent?.(receipts);
  };
  return (
    <>
      {sending.failure !== null && (
        <div className="notice" data-is="risk" role="alert">
          <p>{sending.failure}</p>
          {sending.isAllSent && (
            <p>Everything is signed and sent. Trying again does not send anything twice.</p>
          )}
        </div>
      )}
      {sending.isBusy && !sending.isAllSent && (
        <p className="small quiet">
          Stay on this page until the last step. If you leave, you will not be asked for the remaining
          signatures; what you signed stays sent.
        </p>
      )}
      <div className="signbar">
        <Button is="main" className="wide" disabled={!isReady} onClick={send}>
          {isReady || sending.isBusy || wait === null ? labelOf(sending) : wait}
        </Button>
      </div>
    </>
  );
}

function labelOf({ isBusy, isAllSent, failure }: Sending): string {
  if (isBusy) return isAllSent ? 'Waiting for the chain…' : 'Confirm in your wallet…';
  if (isAllSent && failure === null) return 'Continue where you left';
  return failure === null ? 'Sign in your wallet' : 'Try again';
}
