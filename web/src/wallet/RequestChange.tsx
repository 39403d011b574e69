// The poster asks the worker for a change of a delivery. It is a message only: the review time runs on.
import type { Address } from '@svc/sdk/domain';
import { useRef } from 'react';
import { Button } from '#components/Button.tsx';
import { Countdown } from '#components/Clock.tsx';
import { Dialog } from '#components/Dialog.tsx';
import { TextArea } from '#components/Field.tsx';
import { Failure } from '#components/QueryView.tsx';
import { currentMilestone, type Task } from '#data/market.ts';
import { useSavedText } from '#data/savedText.ts';
import { useSendMessage } from './messaging.ts';
import { useAttempt } from './useAttempt.ts';
import { SignInButton, useSession } from './useSession.tsx';

export function RequestChange({ task, onClose }: { readonly task: Task; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const milestone = currentMilestone(task);
  const [words, setWords] = useSavedText(`change:${task.id}:${milestone}`);
  const session = useSession();
  const send = useSendMessage();
  const request = useAttempt(async (token: string) => {
    await send(token, {
      to: task.worker as Address,
      taskId: task.id,
      type: 'RevisionRequest',
      payload: { milestone, requestedChanges: words.trim() },
    });
    setWords('');
    return 'sent';
  });
  const { token } = session;
  return (
    <Dialog ref={dialog} opensAtOnce title="Request a change" onClose={onClose}>
      <p className="notice" data-is="time">
        This does not stop the review time, which ends <Countdown to={task.updatedAt + task.reviewPeriod} />.
        Then the delivery counts as accepted, and the worker is paid. If the change does not come in time,
        open a dispute before that.
      </p>
      {request.result === 'sent' ? (
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
          <Failure text={request.failure} />
          {token === null ? (
            <SignInButton session={session}>
              To send it to the worker, this gateway must know who you are.
            </SignInButton>
          ) : (
            <Button
              is="main"
              className="wide"
              disabled={words.trim() === ''}
              isBusy={request.isBusy}
              onClick={() => void request.start(token)}
            >
              Send the request
            </Button>
          )}
        </>
      )}
    </Dialog>
  );
}
