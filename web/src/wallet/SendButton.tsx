// Hands a plan to the wallet, tells when it failed and what to do, and when it is done.
import type { Plan } from './plan.ts';
import type { Sending } from './useSending.ts';

export function SendButton({
  plan,
  sending,
  onDone,
  onSent,
}: {
  readonly plan: Plan | undefined;
  readonly sending: Sending;
  readonly onDone?: () => void;
  readonly onSent?: (receipts: NonNullable<Awaited<ReturnType<Sending['start']>>>) => void;
}) {
  if (sending.isDone) {
    return (
      <div className="notice" data-is="act" role="status">
        <p>Done. The market shows it.</p>
        {onDone !== undefined && (
          <button type="button" className="button" onClick={onDone}>
            Close
          </button>
        )}
      </div>
    );
  }
  const isReady = plan !== undefined && plan.gaps.length === 0 && !sending.isBusy;
  const send = async () => {
    if (plan === undefined) return;
    const receipts = await sending.start(plan.calls);
    if (receipts !== null) onSent?.(receipts);
  };
  return (
    <>
      {sending.failure !== null && (
        <p className="notice" data-is="risk" role="alert">
          {sending.failure}
        </p>
      )}
      <button type="button" className="button wide" data-is="main" disabled={!isReady} onClick={send}>
        {sending.isBusy
          ? 'Follow the wallet…'
          : sending.failure === null
            ? 'Sign in the wallet'
            : 'Try again'}
      </button>
    </>
  );
}
