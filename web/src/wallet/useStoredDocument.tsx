// Between writing a document and signing its hash: long ones are stored at the gateway, private ones are sent to those
// who may read them. Short public ones are written on chain and need neither.
import { createFileClient } from '@svc/sdk/client';
import type { BuiltDocument } from '@svc/sdk/documents';
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { useRef, useState } from 'react';
import { Button } from '#components/Button.tsx';
import { Failure } from '#components/QueryView.tsx';
import type { Task } from '#data/market.ts';
import { type Outgoing, useSendMessage } from './messaging.ts';
import { useAttempt } from './useAttempt.ts';
import { type SignIn, SignInButton } from './useSession.tsx';
import { useWallet } from './useWallet.tsx';

type Step = 'none' | 'store' | 'send';

type StoredDocument = ReturnType<typeof useStoredDocument>;

const waiting: Readonly<Record<Exclude<Step, 'none'>, string>> = {
  store: 'Store the text at this gateway first.',
  send: 'Send the words first: the chain shows only their hash.',
};

export function useStoredDocument<Built extends BuiltDocument>(
  task: Task,
  built: Built | Error,
  session: SignIn,
  message: (built: Built) => Pick<Outgoing, 'type' | 'payload'>,
) {
  /** Uris by the hash of the document, since every change makes another one. */
  const [done, setDone] = useState<Readonly<Record<string, string>>>({});
  const sent = useRef(new Set<string>());
  const send = useSendMessage();
  const own = useWallet()?.address;
  const step = stepOf(task, built);
  const store = async (document: Built): Promise<string> => {
    const token = session.token ?? (await session.start());
    if (token === null) throw new Error('Sign in at this gateway first.');
    if (step === 'store') {
      const client = createFileClient({ baseUrl: location.origin, token });
      return (await client.upload(new Uint8Array(document.bytes), { for: task.id })).uri;
    }
    if (own === undefined) throw new Error('The wallet is no longer connected. Connect it again.');
    for (const to of listReaders(task, own)) {
      // What one of them has got is not sent again after a failure.
      const key = `${document.hash} ${to}`;
      if (sent.current.has(key)) continue;
      await send(token, { to, taskId: task.id, ...message(document) });
      sent.current.add(key);
    }
    return '';
  };
  const run = useAttempt(async () => {
    if (built instanceof Error) return;
    const uri = await store(built);
    setDone((now) => ({ ...now, [built.hash]: uri }));
  });
  // What the contract is given; an Error says what to do first.
  return { step, uri: uriOf(step, built, done), run };
}

function stepOf({ scope }: Task, built: BuiltDocument | Error): Step {
  if (built instanceof Error) return 'none';
  if (scope === 'private') return 'send';
  return built.uri === null ? 'store' : 'none';
}

function uriOf(
  step: Step,
  built: BuiltDocument | Error,
  done: Readonly<Record<string, string>>,
): string | Error {
  if (built instanceof Error) return built;
  if (step === 'none') return built.uri ?? '';
  return done[built.hash] ?? new Error(waiting[step]);
}

/** The other party; for evidence also the judge; for a ruling both parties. */
function listReaders({ poster, worker, dispute, state }: Task, own: Address): Address[] {
  const judge = state === 'DISPUTED' ? dispute?.judge : null;
  return [poster, worker, judge].flatMap((reader) =>
    typeof reader === 'string' && !isSameAddress(reader as Address, own) ? [reader as Address] : [],
  );
}

/** `readers` get the words of a private task. */
type StoreStepProps = { stored: StoredDocument; session: SignIn; readers?: string };

export function StoreStep({ stored, session, readers = 'the other party' }: StoreStepProps) {
  const { step, uri, run } = stored;
  if (step === 'none') return null;
  if (typeof uri === 'string')
    return (
      <p className="notice" data-is="act" role="status">
        {step === 'send' ? `Sent to ${readers}.` : 'Stored at this gateway.'}
      </p>
    );
  if (session.token === null)
    return (
      <SignInButton session={session}>
        {step === 'send'
          ? `To send the words to ${readers}, this gateway must know who you are.`
          : 'This text is too long for the chain. To store it, this gateway must know that it is yours.'}
      </SignInButton>
    );
  return (
    <div className="notice">
      {step === 'send' && (
        <p>
          Only a hash goes on chain. The words and the keys of the files go to {readers} as a message, which
          the operator of this gateway can read.
        </p>
      )}
      <Failure text={run.failure} className="error" />
      {run.failure !== null && step === 'send' && (
        <p>Not everybody has the words: until they are sent, only this page has them. Send them again.</p>
      )}
      <Button
        is="main"
        isBusy={run.isBusy}
        busyLabel={step === 'send' ? 'Confirm the message in your wallet…' : 'Storing…'}
        onClick={() => void run.start()}
      >
        {step === 'send'
          ? `${run.failure === null ? 'Send it' : 'Send it again'} to ${readers}`
          : 'Store the text at this gateway'}
      </Button>
    </div>
  );
}
