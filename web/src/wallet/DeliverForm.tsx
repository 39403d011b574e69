// The form of a delivery: a note, links and files become a document whose hash goes on chain.
import { type BuiltDocument, buildDocument } from '@svc/sdk/documents';
import type { Artifact } from '@svc/sdk/schemas';
import { useEffect, useMemo } from 'react';
import { TextArea } from '#components/Field.tsx';
import { showBytes } from '#data/fileContents.ts';
import { currentMilestone, type Task } from '#data/market.ts';
import { useSavedText } from '#data/savedText.ts';
import { AttachFiles } from './AttachFiles.tsx';
import type { ActionArguments } from './marketAccess.ts';
import { explainError } from './send.ts';
import { useAttachments } from './useAttachments.ts';
import { useSession } from './useSession.tsx';
import { StoreStep, useStoredDocument } from './useStoredDocument.tsx';

type Props = { readonly task: Task; readonly onArgs: (args: ActionArguments) => void };

export function DeliverForm({ task, onArgs }: Props) {
  const milestone = currentMilestone(task);
  const name = `delivery:${task.id}:${milestone}`;
  const [note, setNote] = useSavedText(`${name}:note`);
  const [links, setLinks] = useSavedText(`${name}:links`);
  const session = useSession();
  const files = useAttachments(task, session.token);
  const { artifacts } = files;
  const built = useMemo((): BuiltDocument<'svc-delivery-v1'> | Error => {
    if (artifacts === null) return new Error('The files are not uploaded yet.');
    return buildDelivery({ taskId: task.id, milestone, note, links, artifacts });
  }, [task.id, milestone, note, links, artifacts]);
  const stored = useStoredDocument(task, built, {
    session,
    message: (document) => ({
      type: 'DeliveryNotice',
      payload: { milestone, proofHash: document.hash, document: document.document, keys: files.keys },
    }),
  });
  const { uri } = stored;
  const args = useMemo(() => {
    if (built instanceof Error) return built;
    return uri instanceof Error ? uri : { proofHash: built.hash, uri };
  }, [built, uri]);
  useEffect(() => onArgs(args), [onArgs, args]);
  return (
    <>
      <TextArea
        label="Note to the poster"
        note="What you did, and where to look first."
        rows={4}
        value={note}
        onChange={setNote}
      />
      <TextArea label="Links" note="One in each line." rows={2} value={links} onChange={setLinks} />
      <AttachFiles files={files} session={session} isPrivate={task.scope === 'private'} />
      {!(built instanceof Error) && <PublicNote task={task} built={built} />}
      <StoreStep stored={stored} session={session} />
    </>
  );
}

/** What becomes public, before it is signed. */
export function PublicNote({ task, built }: { readonly task: Task; readonly built: BuiltDocument }) {
  if (task.scope === 'private')
    return (
      <p className="notice">
        Only a hash goes on chain. The words and the keys of the files go to the other party as a message,
        which the operator of this gateway can read.
      </p>
    );
  return (
    <p className="notice" data-is="time">
      Public for ever: your words, the links, and the names and hashes of the files,{' '}
      {showBytes(built.bytes.length)}{' '}
      {built.uri === null
        ? 'at this gateway, with their hash on chain.'
        : 'written on chain. Longer texts cost more gas.'}
    </p>
  );
}

function buildDelivery(input: {
  readonly taskId: string;
  readonly milestone: number;
  readonly note: string;
  readonly links: string;
  readonly artifacts: readonly Artifact[];
}): BuiltDocument<'svc-delivery-v1'> | Error {
  const links = input.links.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const wrong = links.find((link) => !/^(https?|ipfs|ar):\/\/\S+$/.test(link));
  if (wrong !== undefined)
    return new Error(`“${wrong.slice(0, 60)}” is not a link. Links begin with https://.`);
  const note = input.note.trim();
  if (note === '' && links.length === 0 && input.artifacts.length === 0)
    return new Error('Write a note, give a link or add a file: an empty delivery proves nothing.');
  try {
    return buildDocument('svc-delivery-v1', {
      taskId: input.taskId,
      milestone: input.milestone,
      note,
      ...(links.length > 0 && { links }),
      artifacts: [...input.artifacts],
    });
  } catch (error) {
    return new Error(explainError(error));
  }
}
