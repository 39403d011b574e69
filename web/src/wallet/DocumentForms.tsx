// The forms whose words become a document: a delivery, the evidence of a party, the ruling of an arbitrator.

import type { WriteAction } from '@svc/sdk/actions';
import { type BuiltDocument, buildDocument } from '@svc/sdk/documents';
import { nameEvidence } from '@svc/sdk/internal/documents/buildDocument';
import { useEffect, useMemo, useState } from 'react';
import { useNow } from '../components/Clock.tsx';
import { ChainRoom, NumberField, TextArea } from '../components/Form.tsx';
import { RuledSplit } from '../components/Money.tsx';
import { showBytes } from '../data/fileContents.ts';
import { parsePercent, splitList } from '../data/formValues.ts';
import { currentMilestone, type Task } from '../data/market.ts';
import { useSavedText } from '../data/savedText.ts';
import { ActionFields, type FormInput, readForm } from './ActionFields.tsx';
import { AttachFiles } from './AttachFiles.tsx';
import { explainError } from './explainError.ts';
import type { ActionArguments } from './marketAccess.ts';
import { useAttachments } from './useAttachments.ts';
import { useSession } from './useSession.tsx';
import { type Signing, StoreStep, useStoredDocument } from './useStoredDocument.tsx';

export type FormProps = {
  readonly action: WriteAction;
  readonly task: Task;
  /** Null where there is nothing to sign here. */
  readonly onArgs: (args: ActionArguments | null) => void;
  readonly signing: Signing;
};

const filesMissing = 'The files are not uploaded yet.';

export function DeliverForm({ task, onArgs, signing }: FormProps) {
  const milestone = currentMilestone(task);
  const name = `delivery:${task.id}:${milestone}`;
  const [note, setNote] = useSavedText(`${name}:note`);
  const [links, setLinks] = useSavedText(`${name}:links`);
  const session = useSession();
  const files = useAttachments(task, session.token);
  const { artifacts } = files;
  const built = useBuilt(() => {
    if (artifacts === null) throw new Error(filesMissing);
    const list = readLinks(links);
    if (note.trim() === '' && list.length === 0 && artifacts.length === 0)
      throw new Error('Write a note, give a link or add a file: an empty delivery proves nothing.');
    return buildDocument('svc-delivery-v1', {
      taskId: task.id,
      milestone,
      note: note.trim(),
      ...(list.length > 0 && { links: list }),
      artifacts: [...artifacts],
    });
  }, [task.id, milestone, note, links, artifacts]);
  const stored = useStoredDocument(task, built, session, signing, {
    message: ({ hash, document }) => ({
      type: 'DeliveryNotice',
      payload: { milestone, proofHash: hash, document, keys: files.keys },
    }),
    forget: () => {
      setNote('');
      setLinks('');
    },
  });
  useDocumentArgs('proofHash', built, stored.uri, onArgs);
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
      <PublicNote task={task} built={built} />
      <StoreStep stored={stored} session={session} />
    </>
  );
}

function readLinks(text: string): string[] {
  const links = splitList(text, '\n');
  const wrong = links.find((link) => !/^(https?|ipfs|ar):\/\/\S+$/.test(link));
  if (wrong !== undefined)
    throw new Error(`“${wrong.slice(0, 60)}” is not a link. Links begin with https://.`);
  return links;
}

/** Evidence of a party, with the other fields that the catalog gives the action. */
export function EvidenceForm({ action, task, onArgs, signing }: FormProps) {
  const [input, setInput] = useState<FormInput>({});
  const { field, others } = useMemo(() => splitFields(action), [action]);
  const given = useMemo(() => readForm(others, input), [others, input]);
  const [words, setWords] = useSavedText(`evidence:${task.id}:${action.name}`);
  const session = useSession();
  const files = useAttachments(task, session.token);
  const { artifacts } = files;
  const built = useBuilt(() => {
    if (words.trim() === '') throw new Error(field?.required ?? 'Write your evidence.');
    if (artifacts === null) throw new Error(filesMissing);
    const fields = { taskId: task.id, name: nameEvidence(words), description: words };
    return buildDocument('svc-evidence-v1', { ...fields, artifacts: [...artifacts] });
  }, [task.id, field, words, artifacts]);
  const stored = useStoredDocument(task, built, session, signing, {
    message: ({ hash, document }) => ({
      type: 'DisputeEvidence',
      payload: { claim: 'other', evidenceHashes: [hash], document, keys: files.keys },
    }),
    forget: () => setWords(''),
  });
  useDocumentArgs('evidenceHash', built, stored.uri, onArgs, given);
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
      <PublicNote task={task} built={built} />
      <StoreStep
        stored={stored}
        session={session}
        readers={task.dispute?.judge == null ? 'the other party' : 'the other party and the arbitrator'}
      />
    </>
  );
}

/** The field of the words, and the action with its other fields; to have nothing to add has its own button. */
function splitFields(action: WriteAction) {
  const { fields = [] } = action;
  const field = fields.find(({ name }) => name === 'evidenceText');
  const others = fields.filter((one) => one !== field && one.name !== 'nothingToAdd');
  return { field, others: { ...action, fields: others } };
}

const silence = { nothingToAdd: true } as const;

/** Has no words: the arbitrator need not wait for any. */
export function SilenceForm({ onArgs }: FormProps) {
  useEffect(() => onArgs(silence), [onArgs]);
  return null;
}

export function RulingForm({ task, onArgs, signing }: FormProps) {
  const [share, setShare] = useSavedText(`ruling:${task.id}:share`);
  const [reasons, setReasons] = useSavedText(`ruling:${task.id}`);
  const now = useNow();
  const built = useBuilt(() => {
    if (share.trim() === '') throw new Error('Say which part of the milestone the worker gets.');
    const workerBps = parsePercent(share);
    if (reasons.trim() === '') throw new Error('Give your reasons: both parties will ask for them.');
    return buildDocument('svc-ruling-v1', { taskId: task.id, workerBps, reasons });
  }, [task.id, share, reasons]);
  const session = useSession();
  // The reasons are for two parties: where they are not public, the arbitrator sends the document to both.
  const text = `The ruling on task ${task.id}, with its reasons.`;
  const stored = useStoredDocument(task, built, session, signing, {
    message: ({ document }) => ({
      type: 'Note',
      payload: { text, about: task.id, documents: [document] },
    }),
    forget: () => {
      setShare('');
      setReasons('');
    },
  });
  const given = useMemo(
    () => (built instanceof Error ? built : { workerBps: String(built.document.workerBps) }),
    [built],
  );
  useDocumentArgs('reasonHash', built, stored.uri, onArgs, given);
  return (
    <>
      <NumberField
        label="Share of the worker, %"
        note="Of the disputed milestone."
        value={share}
        onChange={setShare}
      />
      {!(built instanceof Error) && task.dispute !== null && (
        <p>
          <RuledSplit
            task={task}
            workerBps={built.document.workerBps}
            isLate={now > task.dispute.phaseEndsAt}
          />
          .
        </p>
      )}
      <TextArea
        label="Your reasons"
        note="Both parties read exactly these words."
        rows={6}
        value={reasons}
        onChange={setReasons}
      />
      <PublicNote task={task} built={built} />
      <StoreStep stored={stored} session={session} readers="both parties" />
    </>
  );
}

/** A document, or an Error that says what is missing. Another one only when `inputs` change, as with `useMemo`. */
function useBuilt<Value>(build: () => Value, inputs: readonly unknown[]): Value | Error {
  return useMemo(() => {
    try {
      return build();
    } catch (error) {
      return new Error(explainError(error));
    }
    // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names what `build` uses
  }, inputs);
}

const noOthers = {};

/** The hash under its name, the uri, and what else the form gives. */
function useDocumentArgs(
  hashName: 'proofHash' | 'evidenceHash' | 'reasonHash',
  built: BuiltDocument | Error,
  uri: string | Error,
  onArgs: FormProps['onArgs'],
  given: ActionArguments = noOthers,
): void {
  const args = useMemo((): ActionArguments => {
    if (given instanceof Error) return given;
    if (built instanceof Error) return built;
    return uri instanceof Error ? uri : { ...given, [hashName]: built.hash, uri };
  }, [hashName, built, uri, given]);
  useEffect(() => onArgs(args), [onArgs, args]);
}

/** What becomes public, before it is signed. The words of a private task are kept in the messages that carry them. */
function PublicNote({ task, built }: { task: Task; built: BuiltDocument | Error }) {
  if (task.scope === 'private' || built instanceof Error) return null;
  const { links = [], artifacts = [] } = built.document as { links?: unknown[]; artifacts?: unknown[] };
  return (
    <p className="notice" data-is="time">
      Public for ever: your words{links.length > 0 && ', the links'}
      {artifacts.length > 0 && ', the names and hashes of the files'},{' '}
      {built.uri === null
        ? `${showBytes(built.bytes.length)} at this gateway, with their hash on chain.`
        : 'written on chain. Longer texts cost more gas.'}{' '}
      <ChainRoom bytes={built.bytes.length} />
    </p>
  );
}
