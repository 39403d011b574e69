// Passes a conversation on to a language model with the server's key, and answers what the model says.

import type { Chat, ChatAnswer } from '@svc/sdk';
import { SvcError } from '@svc/sdk/domain';
import { parseEventStream } from '@svc/sdk/internal/domain/parseEventStream';
import * as z from 'zod';
import { askModel, type ModelApi, readCapped } from './modelApi.ts';

export type ChatOptions = ModelApi & {
  readonly model: string;
  /** For the whole answer, a second attempt included. */
  readonly timeoutMs?: number;
};

export type ChatService = ReturnType<typeof createChatService>;

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

export function createChatService({ model, timeoutMs = 60_000, ...api }: ChatOptions) {
  /** Aborts a request that takes too long, or whose client is gone. */
  async function* ask(chat: Chat, client: AbortSignal, stream: boolean): AsyncGenerator<string, ChatAnswer> {
    const time = AbortSignal.timeout(timeoutMs);
    const ending = new AbortController();
    try {
      const signal = AbortSignal.any([client, time, ending.signal]);
      const body = { ...buildRequest(model, chat), ...(stream && { stream }) };
      const response = await askModel(api, body, signal);
      // A model that cannot stream answers the whole at once.
      const isWhole = !stream || response.headers.get('content-type')?.includes('json') === true;
      return yield* isWhole ? readWhole(response, model) : readPieces(response, model);
    } catch (error) {
      if (error instanceof SvcError) throw error;
      if (time.aborted) throw new SvcError('CHAT_TIMED_OUT', { reason: 'the model is too slow' });
      const { cause, name } = error as Error & { readonly cause?: { readonly code?: unknown } };
      throw new SvcError('CHAT_FAILED', { reason: String(cause?.code ?? name) });
    } finally {
      ending.abort();
    }
  }

  /** Both throw CHAT_REFUSED, CHAT_BUSY, CHAT_FAILED or CHAT_TIMED_OUT and nothing else; `details.reason` is for the log alone. */
  return {
    answer: async (chat: Chat, client: AbortSignal): Promise<ChatAnswer> => {
      const pieces = ask(chat, client, false);
      for (;;) {
        const { done, value } = await pieces.next();
        if (done) return value;
      }
    },
    /** Yields what is said as it is said, and returns the whole. */
    stream: (chat: Chat, client: AbortSignal) => ask(chat, client, true),
  };
}

function buildRequest(model: string, { system, messages }: Chat) {
  return { model, messages: [...(system ? [{ role: 'system', content: system }] : []), ...messages] };
}

async function* readWhole(response: Response, asked: string): AsyncGenerator<string, ChatAnswer> {
  const { model = asked, choices } = parse(completionSchema, await new Response(readCapped(response)).text());
  const text = choices[0].message.content;
  yield text;
  return { text, model };
}

async function* readPieces(response: Response, asked: string): AsyncGenerator<string, ChatAnswer> {
  let text = '';
  let model = asked;
  let isComplete = false;
  for await (const { data } of parseEventStream(readCapped(response), () => undefined)) {
    if (data === '[DONE]') {
      isComplete = true;
      break;
    }
    const piece = parse(pieceSchema, data);
    const [choice] = piece.choices;
    const said = choice?.delta.content ?? '';
    model = piece.model ?? model;
    text += said;
    isComplete ||= typeof choice?.finish_reason === 'string';
    if (said !== '') yield said;
  }
  if (!isComplete) throw new SvcError('CHAT_FAILED', { reason: 'the answer is incomplete' });
  return { text, model };
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new SvcError('CHAT_FAILED', { reason: 'the answer is not JSON' });
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw new SvcError('CHAT_FAILED', { reason: 'the answer is no chat completion' });
  return parsed.data;
}
