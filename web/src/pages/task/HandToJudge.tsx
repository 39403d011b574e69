// Gives the words and the file keys of a private dispute to its judge, also to a new one after an escalation.
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { buildJudgeDisclosure } from '@svc/sdk/negotiation';
import { useMemo, useState } from 'react';
import { shorten } from '#data/format.ts';
import type { TaskDetail } from '#data/market.ts';
import { useMailbox, useSendMessage } from '#wallet/messaging.ts';
import { explainError } from '#wallet/send.ts';

type Props = { readonly task: TaskDetail; readonly own: Address; readonly token: string };

export function HandToJudge({ task, own, token }: Props) {
  const { data } = useMailbox(token);
  const send = useSendMessage();
  const [state, setState] = useState<'idle' | 'busy' | Error>('idle');
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
  const hand = async () => {
    setState('busy');
    try {
      await send(token, () => message);
      setState('idle');
    } catch (error) {
      setState(new Error(explainError(error)));
    }
  };
  return (
    <div className="notice" data-is="time">
      <p>
        The arbitrator <span className="mono">{shorten(judge)}</span> sees only hashes of this private task
        until you send the words: {documents} {documents === 1 ? 'document' : 'documents'}
        {keys > 0 && ` and the ${keys === 1 ? 'key of 1 file' : `keys of ${keys} files`}`}. The operator of
        this gateway can read the message.
      </p>
      {state instanceof Error && (
        <p className="error" role="alert">
          {state.message}
        </p>
      )}
      <button type="button" className="button" disabled={state === 'busy'} onClick={() => void hand()}>
        {state === 'busy' ? 'Confirm the message in your wallet…' : 'Send them to the arbitrator'}
      </button>
    </div>
  );
}
