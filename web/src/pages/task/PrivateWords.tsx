// The words of a private task: they travel in messages, and are compared here with the hashes on chain.

import {
  type DocumentReference,
  deliveryReference,
  evidenceReference,
  rulingReference,
  viewDocument,
} from '@svc/sdk/documents';
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { addWords } from '@svc/sdk/internal/actions/taskRecord';
import { type Expected, readTaskWords } from '@svc/sdk/internal/documents/viewDocument';
import { toCanonical } from '@svc/sdk/internal/domain/canonical';
import type { DocumentState } from '@svc/sdk/internal/domain/documentNames';
import { buildJudgeDisclosure } from '@svc/sdk/negotiation';
import { type ReactNode, useMemo } from 'react';
import { Button, Failure } from '../../components/Form.tsx';
import { Loading } from '../../components/QueryView.tsx';
import { shorten } from '../../data/format.ts';
import type { TaskDetail } from '../../data/market.ts';
import { type Papers, useMessageSending, usePapers } from '../../wallet/messaging.ts';
import { SignInButton, useSession } from '../../wallet/useSession.tsx';
import { OnChain, useWallet } from '../../wallet/useWallet.tsx';

type PrivateWordsProps = { task: TaskDetail; children: (task: TaskDetail, notice: ReactNode) => ReactNode };

/** Renders the task with all the words that the connected wallet has received or sent. */
export function PrivateWords({ task, children }: PrivateWordsProps) {
  const { papers, isLoading } = usePapers(task);
  const found = useMemo(() => addPapers(task, papers), [task, papers]);
  return children(found, <Notice task={task} isLoading={isLoading} />);
}

/** One place that says how to read the words, for the parties and the judge. */
function Notice({ task, isLoading }: { task: TaskDetail; isLoading: boolean }) {
  const address = useWallet()?.address;
  const session = useSession();
  const isInvolved = [task.poster, task.worker, task.dispute?.judge].some(
    (party) => typeof party === 'string' && address !== undefined && isSameAddress(party, address),
  );
  if (!isInvolved || address === undefined) return null;
  if (session.token === null)
    return (
      <SignInButton session={session}>
        The words of this private task were sent as messages. Sign in to read yours.
      </SignInButton>
    );
  return (
    <OnChain>
      {isLoading ? <Loading what="your messages" /> : <HandToJudge task={task} own={address} />}
    </OnChain>
  );
}

/** Gives the words and the file keys of a private dispute to its judge, also to a new one after an escalation. */
function HandToJudge({ task, own }: { task: TaskDetail; own: Address }) {
  const { transcripts } = usePapers(task);
  const message = useMemo(() => buildJudgeDisclosure(task, own, transcripts ?? []), [task, own, transcripts]);
  const sending = useMessageSending((disclosure: NonNullable<typeof message>) => disclosure);
  const judge = task.state === 'DISPUTED' ? (task.dispute?.judge ?? null) : null;
  if (judge === null || isSameAddress(judge, own) || transcripts === undefined) return null;
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
      <Failure text={sending.failure} className="error" />
      <Button
        isBusy={sending.isBusy}
        busyLabel="Confirm the message in your wallet…"
        onClick={() => void sending.start(message)}
      >
        Send them to the arbitrator
      </Button>
    </div>
  );
}

function addPapers(task: TaskDetail, papers: Papers): TaskDetail {
  const { deliveries, dispute, id, criteriaHash } = task;
  const words = task.title === undefined ? findBytes(criteriaHash, papers) : null;
  const shown = words === null ? task : addWords(task, readTaskWords('', criteriaHash, words));
  return {
    ...(shown as TaskDetail),
    deliveries: deliveries.map((one) => complete(one, deliveryReference(id, one), papers)),
    dispute: dispute && {
      ...dispute,
      evidence: dispute.evidence.map((one) => complete(one, evidenceReference(id, one), papers)),
      ruling: dispute.ruling && complete(dispute.ruling, rulingReference(id, dispute.ruling), papers),
    },
  };
}

/** A document from a message counts as any other: only with the hash on chain. */
function complete<Entry extends { readonly documentState: DocumentState }, Of extends Expected>(
  entry: Entry,
  reference: DocumentReference<Of>,
  papers: Papers,
): Entry {
  const bytes = entry.documentState === 'unavailable' ? findBytes(reference.hash, papers) : null;
  return bytes === null ? entry : { ...entry, ...viewDocument(reference, bytes) };
}

function findBytes(hash: string, { documents }: Papers): Uint8Array | null {
  const document = documents.get(hash.toLowerCase());
  return document === undefined ? null : new TextEncoder().encode(toCanonical(document));
}
