// The poster asks the worker for a change of a delivery. It is a message only: the review time runs on.
import type { Address } from '@svc/sdk/domain';
import { useRef } from 'react';
import { Countdown } from '#components/Clock.tsx';
import { Button, Dialog, Failure, TextArea } from '#components/Form.tsx';
import { currentMilestone, type Task } from '#data/market.ts';
import { useSavedText } from '#data/savedText.ts';
import { useMessageSending } from './messaging.ts';
import { SignInButton, useSession } from './useSession.tsx';

export function RequestChange({ task, onClose }: { task: Task; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const milestone = currentMilestone(task);
  const [words, setWords] = useSavedText(`change:${task.id}:${milestone}`);
  const session = useSession();
  const request = useMessageSending(
    () => ({
      to: task.worker as Address,
      taskId: task.id,
      type: 'RevisionRequest',
      payload: { milestone, requestedChanges: words.trim() },
    }),
    () => setWords(''),
  );
  return (
    <Dialog ref={dialog} opensAtOnce title="Request a change" onClose={onClose}>
      <p className="notice" data-is="time">
        This does not stop the review time, which ends <Countdown to={task.updatedAt + task.reviewPeriod} />.
        Then the delivery counts as accepted, and the worker is paid. If the change does not come in time,
        open a dispute before that.
      </p>
      {request.result !== undefined ? (
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
          {session.token === null ? (
            <SignInButton session={session}>
              To send it to the worker, this gateway must know who you are.
            </SignInButton>
          ) : (
            <Button is="main" className="wide" disabled={words.trim() === ''} run={request}>
              Send the request
            </Button>
          )}
        </>
      )}
    </Dialog>
  );
}
