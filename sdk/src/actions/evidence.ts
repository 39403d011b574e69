// The texts of a dispute, evidence and reasons: their arguments, and the hash and uri that go on chain.
import type { Hex } from 'viem';
import { buildInlineText } from '#domain/inlineText.ts';
import type { Task } from '#domain/task.ts';
import type { FormField } from './action.ts';
import { hashArgument, refuse, takeHash, textArgument } from './arguments.ts';

/** Of a text that goes on chain; a longer one is put elsewhere and named by its uri. */
const maxInlineBytes = 4_096;

const uriArgument = textArgument
  .max(2_048, 'is too long')
  .optional()
  .describe('where the text is found; without it, a text of an open task goes on chain itself');

export const evidenceArguments = {
  evidenceHash: hashArgument.optional().describe('hash of your evidence'),
  evidenceText: textArgument.optional().describe('the evidence itself'),
  uri: uriArgument,
};

export const reasonArguments = {
  reasonHash: hashArgument.optional().describe('hash of your reasons'),
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

export function evidenceForm(what: string) {
  return { evidenceText: what };
}

type Texts = Readonly<Record<string, unknown>>;

/** A given hash and uri, or those of a given text. A private task publishes no text unless a uri is given. */
export function takeText(
  action: string,
  args: Texts,
  name: 'evidence' | 'reason',
  { scope }: Pick<Task, 'scope'>,
): { readonly hash: Hex; readonly uri: string } {
  const hash = takeHash(action, args, name);
  if (hash === undefined) refuse(action, `${name}Hash: give it, or ${name}Text`);
  const text = args[`${name}Text`] as string | undefined;
  const uri = args.uri as string | undefined;
  if (uri !== undefined || text === undefined || scope === 'private') return { hash, uri: uri ?? '' };
  if (new TextEncoder().encode(text).length > maxInlineBytes)
    refuse(action, `${name}Text: is longer than ${maxInlineBytes} bytes; publish it, and give its uri`);
  return buildInlineText(text);
}
