// The documents of a dispute, evidence and reasons: their arguments, and the hash and uri that go on chain.
import type { Hex } from 'viem';
import type { z } from 'zod';
import { type BuiltDocument, buildDocument, nameEvidence } from '../documents/buildDocument.ts';
import { maxDocumentUriBytes } from '../domain/document.ts';
import type { Task } from '../domain/task.ts';
import { formatTaskId } from '../domain/taskId.ts';
import { artifactsArgument, hashArgument, refuse, textArgument } from '../rules/values.ts';
import type { FormField } from './action.ts';

const uriArgument = textArgument
  .max(maxDocumentUriBytes, 'is too long')
  .optional()
  .describe('where the document is found; without it, that of an open task goes on chain itself');

export const evidenceArguments = {
  evidenceHash: hashArgument.optional().describe('hash of your evidence document, if you built it yourself'),
  evidenceText: textArgument.optional().describe('the evidence itself'),
  artifacts: artifactsArgument,
  uri: uriArgument,
};

export const reasonArguments = {
  reasonHash: hashArgument.optional().describe('hash of your ruling document, if you built it yourself'),
  reasonText: textArgument.optional().describe('the reasons themselves'),
  uri: uriArgument,
};

export function evidenceField(label: string, required: string): FormField {
  return {
    name: 'evidenceText',
    kind: 'text',
    label,
    note: 'It is public and stays on chain forever; of a private task only the hash goes on chain, so keep the text.',
    required,
  };
}

type Given = { readonly hash?: Hex | undefined; readonly uri?: string | undefined };

/** The evidence document of a text and files, or a given hash. */
export function takeEvidence(
  action: string,
  args: Partial<z.output<z.ZodObject<typeof evidenceArguments>>>,
  task: Task,
) {
  const { evidenceHash: hash, evidenceText, artifacts = [], uri } = args;
  if (evidenceText === undefined) return takeHashAlone(action, 'evidence', { hash, uri });
  const built = buildDocument('svc-evidence-v1', {
    taskId: formatTaskId(task),
    name: nameEvidence(evidenceText),
    description: evidenceText,
    artifacts,
  });
  return place(action, 'evidence', built, { hash, uri }, task);
}

/** The ruling document of the reasons, or a given hash. */
export function takeReasons(
  action: string,
  args: Partial<z.output<z.ZodObject<typeof reasonArguments>>>,
  workerBps: number,
  task: Task,
) {
  const { reasonHash: hash, reasonText: reasons, uri } = args;
  if (reasons === undefined) return takeHashAlone(action, 'reason', { hash, uri });
  const built = buildDocument('svc-ruling-v1', { taskId: formatTaskId(task), workerBps, reasons });
  return place(action, 'reason', built, { hash, uri }, task);
}

function takeHashAlone(action: string, name: string, { hash, uri = '' }: Given) {
  if (hash === undefined) refuse(action, `${name}Text: give it, or ${name}Hash`);
  return { hash, uri, document: null, warnings: [] };
}

/** Begins each warning that the words of a private task stay with their writer. */
export const hashAlone = 'Only the hash goes on chain.';

const unsentWarnings = {
  evidence:
    `${hashAlone} Send the document to the other party as a message (DisputeEvidence), and to the judge once ` +
    'there is one: without it nobody can read your evidence.',
  reason:
    `${hashAlone} Send the document to both parties as a message (Note, with documents): without it they ` +
    'cannot read your reasons.',
} as const;

/** A private task publishes no document unless a uri is given. */
function place(
  action: string,
  name: keyof typeof unsentWarnings,
  { document, hash, uri: inline }: BuiltDocument,
  given: Given,
  { scope }: Pick<Task, 'scope'>,
) {
  if (given.hash !== undefined && given.hash !== hash)
    refuse(action, `${name}Hash: is not the hash of the document that ${name}Text makes`);
  const uri = given.uri ?? (scope === 'private' ? '' : inline);
  if (uri === null)
    refuse(action, `${name}Text: is too long for the chain; publish the document, and give its uri`);
  return { hash, uri, document, warnings: uri === '' ? [unsentWarnings[name]] : [] };
}
