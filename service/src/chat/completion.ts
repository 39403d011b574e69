// What a chat gateway answers, whole or in pieces; everything else is no answer.

import { SvcError } from '@svc/sdk/domain';
import * as z from 'zod';

const completionSchema = z.object({
  model: z.string().optional(),
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })], z.unknown()),
});

/** Some pieces contain only usage figures and no choice. */
const pieceSchema = z.object({
  model: z.string().optional(),
  choices: z.array(
    z.object({
      delta: z.object({ content: z.string().nullish() }),
      finish_reason: z.string().nullish(),
    }),
  ),
});

export type Completion = { readonly text: string; readonly model: string | undefined };
export type CompletionPiece = Completion & { readonly isLast: boolean };

export function parseCompletion(text: string): Completion {
  const { model, choices } = parse(completionSchema, text);
  return { text: choices[0].message.content, model };
}

export function parseCompletionPiece(text: string): CompletionPiece {
  const { model, choices } = parse(pieceSchema, text);
  const [choice] = choices;
  return { text: choice?.delta.content ?? '', model, isLast: typeof choice?.finish_reason === 'string' };
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw new SvcError('CHAT_FAILED', { reason: 'the answer is no chat completion' });
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SvcError('CHAT_FAILED', { reason: 'the answer is not JSON' });
  }
}
