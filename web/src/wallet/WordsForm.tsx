// The forms in which a party says what is wrong and an arbitrator gives reasons: their words become a document.
import type { WriteAction } from '@svc/sdk/actions';
import { type BuiltDocument, buildDocument, nameEvidence } from '@svc/sdk/documents';
import { useEffect, useMemo, useState } from 'react';
import { NumberField, TextArea } from '#components/Field.tsx';
import { Split } from '#components/Money.tsx';
import type { Task } from '#data/market.ts';
import { useSavedText } from '#data/savedText.ts';
import { saveFile } from '#data/saveFile.ts';
import { ActionFields, type FormInput, readForm } from './ActionFields.tsx';
import { AttachFiles } from './AttachFiles.tsx';
import { PublicNote } from './DeliverForm.tsx';
import type { ActionArguments } from './marketAccess.ts';
import { explainError } from './send.ts';
import { parsePercent } from './settlement.ts';
import { useAttachments } from './useAttachments.ts';
import { useSession } from './useSession.tsx';
import { StoreStep, useStoredDocument } from './useStoredDocument.tsx';

type Props = {
  readonly action: WriteAction;
  readonly task: Task;
  readonly onArgs: (args: ActionArguments) => void;
};

/** Evidence of a party, with the other fields that the catalog gives the action. */
export function EvidenceForm({ action, task, onArgs }: Props) {
  const [input, setInput] = useState<FormInput>({});
  const { field, others } = useMemo(() => splitFields(action), [action]);
  const given = useMemo(() => readForm(others, input), [others, input]);
  const [words, setWords] = useSavedText(`evidence:${task.id}:${action.name}`);
  const session = useSession();
  const files = useAttachments(task, session.token);
  const { artifacts } = files;
  const built = useMemo((): BuiltDocument<'svc-evidence-v1'> | Error => {
    if (words.trim() === '') return new Error(field?.required ?? 'Write your evidence.');
    if (artifacts === null) return new Error('The files are not uploaded yet.');
    return attempt(() => {
      const fields = { taskId: task.id, name: nameEvidence(words), description: words };
      return buildDocument('svc-evidence-v1', { ...fields, artifacts: [...artifacts] });
    });
  }, [task.id, field, words, artifacts]);
  const stored = useStoredDocument(task, built, {
    session,
    message: ({ hash, document }) => ({
      type: 'DisputeEvidence',
      payload: { claim: 'other', evidenceHashes: [hash], document, keys: files.keys },
    }),
  });
  useDocumentArgs(action, built, stored.uri, onArgs, given);
  return (
    <>
      <TextArea
        label={field?.label ?? 'Your evidence'}
        note="Name the criteria that it is about. The arbitrator reads exactly these words."
        rows={6}
        value={words}
        onChange={setWords}
      />
      <AttachFiles files={files} session={session} isPrivate={task.scope === 'private'} />
      <ActionFields action={others} task={task} input={input} onInput={setInput} />
      <WordsNote action={action} task={task} built={built} fileName="evidence.json" />
      <StoreStep
        stored={stored}
        session={session}
        readers={task.dispute?.judge == null ? 'the other party' : 'the other party and the arbitrator'}
      />
    </>
  );
}

/** The field of the words, and the action with its other fields. */
function splitFields(action: WriteAction) {
  const { fields = [] } = action;
  const field = fields.find(({ name }) => name === 'evidenceText');
  return { field, others: { ...action, fields: fields.filter((one) => one !== field) } };
}

/** The ruling of an arbitrator. */
export function RulingForm({ action, task, onArgs }: Props) {
  const [share, setShare] = useSavedText(`ruling:${task.id}:share`);
  const [reasons, setReasons] = useSavedText(`ruling:${task.id}`);
  const built = useMemo((): BuiltDocument<'svc-ruling-v1'> | Error => {
    if (share.trim() === '') return new Error('Say which part of the milestone the worker gets.');
    const workerBps = attempt(() => parsePercent(share));
    if (workerBps instanceof Error) return workerBps;
    if (reasons.trim() === '') return new Error('Give your reasons: both parties will ask for them.');
    return attempt(() => buildDocument('svc-ruling-v1', { taskId: task.id, workerBps, reasons }));
  }, [task.id, share, reasons]);
  const session = useSession();
  // The reasons are for two parties: where they are not public, the arbitrator sends the document to both.
  const stored = useStoredDocument(task, built, {
    session,
    message: ({ document }) => ({
      type: 'Note',
      payload: {
        text: `The ruling on task ${task.id}, with its reasons.`,
        about: task.id,
        documents: [document],
      },
    }),
  });
  useDocumentArgs(action, built, stored.uri, onArgs);
  return (
    <>
      <NumberField
        label="Share of the worker, %"
        note="Of the disputed milestone. Your fee comes from the bonds of both sides."
        value={share}
        onChange={setShare}
      />
      {!(built instanceof Error) && task.dispute !== null && (
        <p>
          <Split wei={task.dispute.amountTokWei} workerBps={built.document.workerBps} />.
        </p>
      )}
      <TextArea
        label="Your reasons"
        note="Both parties read exactly these words."
        rows={6}
        value={reasons}
        onChange={setReasons}
      />
      <WordsNote action={action} task={task} built={built} fileName="ruling.json" />
      <StoreStep stored={stored} session={session} readers="both parties" />
    </>
  );
}

/** The hash, the share of a ruling, and the uri where the contract takes one. */
function useDocumentArgs(
  action: WriteAction,
  built: BuiltDocument | Error,
  uri: string | Error,
  onArgs: Props['onArgs'],
  given: ActionArguments = nothing,
): void {
  const args = useMemo((): ActionArguments => {
    if (built instanceof Error) return built;
    if (given instanceof Error) return given;
    const uriName = uriNameOf(action);
    if (uriName !== undefined && uri instanceof Error) return uri;
    const { document, hash } = built;
    return {
      ...given,
      ...(document.schema === 'svc-ruling-v1'
        ? { reasonHash: hash, workerBps: String(document.workerBps) }
        : { evidenceHash: hash }),
      ...(uriName !== undefined && { [uriName]: uri }),
    };
  }, [action, built, uri, given]);
  useEffect(() => onArgs(args), [onArgs, args]);
}

const nothing = {};

function uriNameOf({ input }: WriteAction): string | undefined {
  return ['uri', 'evidenceUri', 'reasonUri'].find((name) => name in input.shape);
}

/** Where the contract takes only the hash, the words must not be lost. */
function WordsNote({
  action,
  task,
  built,
  fileName,
}: {
  readonly action: WriteAction;
  readonly task: Task;
  readonly built: BuiltDocument | Error;
  readonly fileName: string;
}) {
  if (built instanceof Error) return null;
  if (uriNameOf(action) !== undefined && task.scope === 'open')
    return <PublicNote task={task} built={built} />;
  return (
    <div className="notice" data-is="time">
      <p>Only the hash of these words goes on chain. Keep the document: others need it to read your words.</p>
      <button type="button" className="button" onClick={() => saveFile(built.bytes, fileName)}>
        Save the document
      </button>
    </div>
  );
}

function attempt<Value>(build: () => Value): Value | Error {
  try {
    return build();
  } catch (error) {
    return new Error(explainError(error));
  }
}
