// Before signing: what happens, what it costs, what can be lost, when it can be undone. After: each step as it goes.
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { ActionWords } from './actionWords.ts';
import { OtherChain } from './OtherChain.tsx';
import { PlanView } from './PlanView.tsx';
import type { Plan } from './plan.ts';
import { SendButton } from './SendButton.tsx';
import { useSending } from './useSending.ts';
import { useTrial } from './useTrial.ts';
import { useWallet } from './useWallet.ts';

export function ActionDialog({
  words,
  plan: planned,
  isPlanning = false,
  fault,
  onClose,
  children,
}: {
  readonly words: ActionWords;
  readonly plan: Plan | undefined;
  /** The plan is of before the last change and is being made anew. */
  readonly isPlanning?: boolean;
  readonly fault: string | null;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  const wallet = useWallet();
  const sending = useSending();
  const { plan, isTrying } = useTrial(planned, sending.progress === null);
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={name} onClose={onClose}>
      <div className="head">
        <h2 id={name}>{words.name}</h2>
        <button type="button" className="close" aria-label="Close" onClick={() => dialog.current?.close()}>
          ×
        </button>
      </div>
      <div className="inside">
        <p>{words.effect}</p>
        {sending.progress === null && children}
        {fault !== null && sending.progress === null && (
          <p className="notice" data-is="time" role="status">
            {fault}
          </p>
        )}
        {plan !== undefined && <PlanView plan={plan} sending={sending} />}
        <dl className="cautions small">
          <dt>What may be lost</dt>
          <dd>{words.risk}</dd>
          <dt>Undoing it</dt>
          <dd>{words.undo}</dd>
        </dl>
        {wallet === null ? (
          <p className="notice">The wallet is not connected any more; close this and connect it again.</p>
        ) : !wallet.isOnChain ? (
          <OtherChain />
        ) : (
          <SendButton
            plan={plan}
            sending={sending}
            isReading={isPlanning || (planned === undefined && fault === null)}
            isTrying={isTrying}
            onDone={() => dialog.current?.close()}
          />
        )}
      </div>
    </dialog>
  );
}
