// The poster asks the worker for a change of a delivery. It is a message only: the review time runs on.
import { catalog, parseTaskRecord } from '@svc/sdk/actions';
import type { Address } from '@svc/sdk/domain';
import { useRef, useState } from 'react';
import { Countdown, useNow } from '../components/Clock.tsx';
import { Button, Dialog, Failure, TextArea } from '../components/Form.tsx';
import { currentMilestone, type Task } from '../data/market.ts';
import { useSavedText } from '../data/savedText.ts';
import { useMessageSending } from './messaging.ts';
import { findTaskChange } from './premise.ts';
import { SignInButton, useSession } from './useSession.tsx';

export function RequestChange({ task: newest, onClose }: { task: Task; onClose: () => void }) {
  // The words are about the delivery that their writer saw.
  const [task] = useState(newest);
  const reader = { wallet: task.poster as Address, now: useNow() };
  // There is time for it as long as the delivery can be disputed.
  const change = findTaskChange(catalog.openDispute, parseTaskRecord(task), parseTaskRecord(newest), reader);
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
    <Dialog ref={dialog} opensAtOnce title="Ask for a change" onClose={onClose}>
      {change === null && (
        <p className="notice" data-is="time">
          This does not stop the review time, which ends <Countdown to={task.updatedAt + task.reviewPeriod} />
          . Then the delivery counts as accepted, and the worker is paid. If the change does not come in time,
          open a dispute before that.
        </p>
      )}
      {request.result !== undefined ? (
        <div className="notice" data-is="act" role="status">
          <p>Sent to the worker.</p>
          <p>
            <a href="/messages.html">Open the conversation</a>
          </p>
        </div>
      ) : change !== null ? (
        <Failure text={change} />
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
