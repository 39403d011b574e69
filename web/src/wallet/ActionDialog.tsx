// The dialog of an action: what happens, what it costs, what can be lost and undone; then the progress of each step.
import { type ReactNode, useEffect, useRef } from 'react';
import { Dialog } from '#components/Dialog.tsx';
import type { ActionWords } from './actionWords.ts';
import { PlanView } from './PlanView.tsx';
import type { Plan } from './plan.ts';
import { SendButton } from './SendButton.tsx';
import { useSimulation } from './simulation.ts';
import { useSending } from './useSending.ts';
import { useWallet, WrongChain } from './useWallet.tsx';

export function ActionDialog({
  words,
  plan: planned,
  isPlanning = false,
  error,
  onClose,
  children,
}: {
  readonly words: ActionWords;
  readonly plan: Plan | undefined;
  /** The plan does not include the last change of the form yet. */
  readonly isPlanning?: boolean;
  readonly error: string | null;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const wallet = useWallet();
  const sending = useSending();
  const { plan, isSimulating } = useSimulation(planned, sending.progress === null);
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  return (
    <Dialog ref={dialog} title={words.name} onClose={onClose}>
      <p>{words.effect}</p>
      {sending.progress === null && children}
      {error !== null && sending.progress === null && (
        <p className="notice" data-is="time" role="status">
          {error}
        </p>
      )}
      {plan !== undefined && <PlanView plan={plan} sending={sending} />}
      <RiskNotes risk={words.risk} undo={words.undo} />
      {wallet === null ? (
        <p className="notice">The wallet is no longer connected. Close this and connect it again.</p>
      ) : !wallet.isOnChain ? (
        <WrongChain />
      ) : (
        <SendButton
          plan={plan}
          sending={sending}
          isPlanning={isPlanning || (planned === undefined && error === null)}
          isSimulating={isSimulating}
          onDone={() => dialog.current?.close()}
        />
      )}
    </Dialog>
  );
}

export function RiskNotes({ risk, undo }: { readonly risk: string; readonly undo: string }) {
  return (
    <dl className="risks small">
      <dt>What can I lose?</dt>
      <dd>{risk}</dd>
      <dt>Can I undo this?</dt>
      <dd>{undo}</dd>
    </dl>
  );
}
