// Gives the words and the file keys of a private dispute to its judge, also to a new one after an escalation.
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { buildJudgeDisclosure } from '@svc/sdk/negotiation';
import { useMemo } from 'react';
import { Button } from '#components/Button.tsx';
import { shorten } from '#data/format.ts';
import type { TaskDetail } from '#data/market.ts';
import { useMailbox } from '#wallet/messaging.ts';
import { useMessageSending } from '../messages/sending.ts';

export function HandToJudge({ task, own, token }: { task: TaskDetail; own: Address; token: string }) {
  const { data } = useMailbox(token);
  const { isBusy, failure, send } = useMessageSending(token);
  const message = useMemo(() => buildJudgeDisclosure(task, own, data?.transcripts ?? []), [task, own, data]);
  const judge = task.state === 'DISPUTED' ? (task.dispute?.judge ?? null) : null;
  if (judge === null || isSameAddress(judge as Address, own) || data === undefined) return null;
  if (message === null)
    return (
      <p className="notice" data-is="act" role="status">
        The arbitrator has the words and the file keys that you have.
      </p>
    );
  const documents = message.payload.documents?.length ?? 0;
  const keys = Object.keys(message.payload.keys ?? {}).length;
  return (
    <div className="notice" data-is="time">
      <p>
        The arbitrator <span className="mono">{shorten(judge)}</span> sees only hashes of this private task
        until you send the words: {documents} {documents === 1 ? 'document' : 'documents'}
        {keys > 0 && ` and the ${keys === 1 ? 'key of 1 file' : `keys of ${keys} files`}`}. The operator of
        this gateway can read the message.
      </p>
      {failure !== null && (
        <p className="error" role="alert">
          {failure}
        </p>
      )}
      <Button disabled={isBusy} onClick={() => void send(() => message)}>
        {isBusy ? 'Confirm the message in your wallet…' : 'Send them to the arbitrator'}
      </Button>
    </div>
  );
}
