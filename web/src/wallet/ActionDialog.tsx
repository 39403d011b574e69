// Before signing: what happens, what it costs, what can be lost, when it can be undone. After: each step as it goes.
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { ActionWords } from './actionWords.ts';
import { PlanView } from './PlanView.tsx';
import type { Plan } from './plan.ts';
import { SendButton } from './SendButton.tsx';
import { useSending } from './useSending.ts';
import { useTrial } from './useTrial.ts';

export function ActionDialog({
  words,
  plan: planned,
  fault,
  onClose,
  children,
}: {
  readonly words: ActionWords;
  readonly plan: Plan | undefined;
  readonly fault: string | null;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  const sending = useSending();
  const plan = useTrial(planned, sending.progress === null);
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
        <SendButton plan={plan} sending={sending} onDone={() => dialog.current?.close()} />
      </div>
    </dialog>
  );
}
