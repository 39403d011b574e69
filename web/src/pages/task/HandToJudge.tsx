// Gives the words and the file keys of a private dispute to its judge, also to a new one after an escalation.
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { buildJudgeDisclosure } from '@svc/sdk/negotiation';
import { useMemo } from 'react';
import { Button } from '#components/Button.tsx';
import { Failure } from '#components/QueryView.tsx';
import { shorten } from '#data/format.ts';
import type { TaskDetail } from '#data/market.ts';
import { useMailbox, useMessageSending } from '#wallet/messaging.ts';

export function HandToJudge({ task, own, token }: { task: TaskDetail; own: Address; token: string }) {
  const { data } = useMailbox(token);
  const { isBusy, failure, start } = useMessageSending();
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
      <Failure text={failure} className="error" />
      <Button
        isBusy={isBusy}
        busyLabel="Confirm the message in your wallet…"
        onClick={() => void start(() => message)}
      >
        Send them to the arbitrator
      </Button>
    </div>
  );
}
