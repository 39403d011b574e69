// Between writing a document and signing its hash: long ones are stored at the gateway, which is a separate step, since
// the contract takes where they are. Private ones are sent to those who may read them when the reader signs. Short public ones
// are written on chain and need neither.
import { createFileClient } from '@svc/sdk/client';
import type { BuiltDocument } from '@svc/sdk/documents';
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { useEffect, useRef, useState } from 'react';
import { Button, Failure } from '../components/Form.tsx';
import { GatewayOnly } from '../components/QueryView.tsx';
import { usePagesInfo } from '../data/client.ts';
import type { Task } from '../data/market.ts';
import { explainError } from './explainError.ts';
import { type Outgoing, useSendMessage } from './messaging.ts';
import { useAttempt } from './useAttempt.ts';
import { type SignIn, SignInButton } from './useSession.tsx';
import { useWallet } from './useWallet.tsx';

const notSent =
  'Not everybody has the words yet: until they are sent, only this page has them. Nothing is on chain.';

// One object each: a new one in every render would be another argument each time.
const notStored = new Error('Store the text at this gateway first.');
const notHere = new Error('Only the gateway can send the words of a private task.');

type Step = 'none' | 'store' | 'send';

type StoredDocument = ReturnType<typeof useStoredDocument>;

/** Set by a form: `before` runs before the first signature, and again after a failure; `after` once the market shows it. */
export type Signing = { current: { before: () => Promise<void>; after: () => void } | null };

type Draft<Built> = {
  /** Carries a private document to its readers. */
  readonly message: (built: Built) => Pick<Outgoing, 'type' | 'payload'>;
  /** Empties the form. */
  readonly forget: () => void;
};

export function useStoredDocument<Built extends BuiltDocument>(
  task: Task,
  built: Built | Error,
  session: SignIn,
  signing: Signing,
  { message, forget }: Draft<Built>,
) {
  /** Uris by the hash of the document, since every change makes another one. */
  const [done, setDone] = useState<Readonly<Record<string, string>>>({});
  const sent = useRef(new Set<string>());
  const send = useSendMessage();
  const own = useWallet()?.address;
  const step = stepOf(task, built);
  const signIn = async (): Promise<string> => {
    const token = session.token ?? (await session.start());
    if (token === null) throw new Error('Sign in at this gateway first.');
    return token;
  };
  const run = useAttempt(async () => {
    if (built instanceof Error) return;
    const client = createFileClient({ baseUrl: location.origin, token: await signIn() });
    const { uri } = await client.upload(new Uint8Array(built.bytes), { for: task.id });
    setDone((now) => ({ ...now, [built.hash]: uri }));
  });
  useEffect(() => {
    const before = async () => {
      if (step !== 'send' || built instanceof Error) return;
      if (own === undefined) throw new Error('The wallet is no longer connected. Connect it again.');
      for (const to of listReaders(task, own)) {
        // What one of them has got is not sent again after a failure.
        const key = `${built.hash} ${to}`;
        if (sent.current.has(key)) continue;
        try {
          await send(await signIn(), { to, taskId: task.id, ...message(built) });
        } catch (error) {
          throw new Error(`${explainError(error)} ${notSent}`);
        }
        sent.current.add(key);
      }
    };
    signing.current = { before, after: forget };
  });
  const isAway = usePagesInfo().data?.isGateway === false;
  // What the contract is given; an Error says what to do first.
  const uri = step === 'send' && isAway ? notHere : uriOf(step, built, done);
  return { step, uri, run };
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
  if (step === 'send') return '';
  return done[built.hash] ?? notStored;
}

/** The other party; for evidence also the judge; for a ruling both parties. */
function listReaders({ poster, worker, dispute, state }: Task, own: Address): Address[] {
  const judge = state === 'DISPUTED' ? dispute?.judge : null;
  return [poster, worker, judge].flatMap((reader) =>
    typeof reader === 'string' && !isSameAddress(reader, own) ? [reader] : [],
  );
}

/** `readers` get the words of a private task. */
type StoreStepProps = { stored: StoredDocument; session: SignIn; readers?: string };

export function StoreStep({ stored, session, readers = 'the other party' }: StoreStepProps) {
  const { step, uri, run } = stored;
  if (step === 'none') return null;
  if (step === 'send')
    return (
      <GatewayOnly what="the gateway">
        <p className="small quiet">
          Only a hash goes on chain. When you sign, the words and the keys of the files first go to {readers}{' '}
          as a message, which your wallet signs and the operator of this gateway can read.
        </p>
      </GatewayOnly>
    );
  if (typeof uri === 'string')
    return (
      <p className="notice" data-is="act" role="status">
        Stored at this gateway.
      </p>
    );
  if (session.token === null)
    return (
      <SignInButton session={session}>
        This text is too long for the chain. To store it, this gateway must know that it is yours.
      </SignInButton>
    );
  return (
    <div className="notice">
      <Failure text={run.failure} className="error" />
      <Button is="main" run={run} busyLabel="Storing…">
        Store the text at this gateway
      </Button>
    </div>
  );
}
