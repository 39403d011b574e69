// The poster asks the worker for a change of a delivery. It is a message only: the review time runs on.
import type { Address } from '@svc/sdk/domain';
import { useEffect, useRef, useState } from 'react';
import { Countdown } from '#components/Clock.tsx';
import { Dialog } from '#components/Dialog.tsx';
import { TextArea } from '#components/Field.tsx';
import { currentMilestone, type Task } from '#data/market.ts';
import { useSavedText } from '#data/savedText.ts';
import { useSendMessage } from './messaging.ts';
import { explainError } from './send.ts';
import { SignInButton, useSession } from './useSession.tsx';

export function RequestChange({ task, onClose }: { readonly task: Task; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const milestone = currentMilestone(task);
  const [words, setWords] = useSavedText(`change:${task.id}:${milestone}`);
  const [state, setState] = useState<'idle' | 'busy' | 'sent' | Error>('idle');
  const session = useSession();
  const send = useSendMessage();
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  const request = async (token: string) => {
    setState('busy');
    try {
      await send(token, () => ({
        to: task.worker as Address,
        taskId: task.id,
        type: 'RevisionRequest',
        payload: { milestone, requestedChanges: words.trim() },
      }));
      setWords('');
      setState('sent');
    } catch (error) {
      setState(new Error(explainError(error)));
    }
  };
  const { token } = session;
  return (
    <Dialog ref={dialog} title="Request a change" onClose={onClose}>
      <p className="notice" data-is="time">
        This does not stop the review time, which ends <Countdown to={task.updatedAt + task.reviewPeriod} />.
        Then the delivery counts as accepted, and the worker is paid. If the change does not come in time,
        open a dispute before that.
      </p>
      {state === 'sent' ? (
        <div className="notice" data-is="act" role="status">
          <p>Sent to the worker.</p>
          <p>
            <a href="/messages.html">Open the conversation</a>
          </p>
        </div>
      ) : (
        <>
          <TextArea
            label="What should change"
            note="Name the criteria, and what would meet them."
            rows={5}
            value={words}
            onChange={setWords}
          />
          {state instanceof Error && (
            <p className="notice" data-is="risk" role="alert">
              {state.message}
            </p>
          )}
          {token === null ? (
            <SignInButton session={session}>
              To send it to the worker, this gateway must know who you are.
            </SignInButton>
          ) : (
            <button
              type="button"
              className="button wide"
              data-is="main"
              disabled={words.trim() === '' || state === 'busy'}
              onClick={() => void request(token)}
            >
              {state === 'busy' ? 'Confirm in your wallet…' : 'Send the request'}
            </button>
          )}
        </>
      )}
    </Dialog>
  );
}
