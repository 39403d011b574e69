// Passes a conversation on to the chat gateway with the server's key, and answers what the model says.
import { parseEventStream, SvcError } from '@svc/sdk/domain';
import type { Chat, ChatAnswer } from '@svc/sdk/schemas';
import * as z from 'zod';
import { askGateway, type ChatGateway, readCapped } from './modelApi.ts';

export type ChatOptions = ChatGateway & {
  readonly model: string;
  /** For the whole answer, a second attempt included. */
  readonly timeoutMs?: number;
};

/** Both throw CHAT_BUSY, CHAT_FAILED or CHAT_TIMED_OUT and nothing else; `details.reason` is for the log alone. */
export type ChatService = {
  readonly answer: (chat: Chat, client: AbortSignal) => Promise<ChatAnswer>;
  /** Yields what is said as it is said, and returns the whole. */
  readonly stream: (chat: Chat, client: AbortSignal) => AsyncGenerator<string, ChatAnswer>;
};

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

type Completion = { readonly text: string; readonly model: string | undefined };
type CompletionPiece = Completion & { readonly isLast: boolean };

export function createChatService({ model, timeoutMs = 60_000, ...gateway }: ChatOptions): ChatService {
  return {
    answer: async (chat, client) => {
      const deadline = createDeadline(client, timeoutMs);
      try {
        const response = await askGateway(gateway, buildRequest(model, chat), deadline.signal);
        return await readAnswer(response, model);
      } catch (error) {
        throw toChatError(error, deadline);
      } finally {
        deadline.end();
      }
    },

    stream: async function* (chat, client) {
      const deadline = createDeadline(client, timeoutMs);
      try {
        const request = { ...buildRequest(model, chat), stream: true };
        const response = await askGateway(gateway, request, deadline.signal);
        return yield* readPieces(response, model);
      } catch (error) {
        throw toChatError(error, deadline);
      } finally {
        deadline.end();
      }
    },
  };
}

function buildRequest(model: string, { system, messages }: Chat) {
  const role = system === undefined || system === '' ? [] : [{ role: 'system', content: system }];
  return { model, messages: [...role, ...messages] };
}

async function readAnswer(response: Response, model: string): Promise<ChatAnswer> {
  const completion = parseCompletion(await new Response(readCapped(response)).text());
  return { text: completion.text, model: completion.model ?? model };
}

async function* readPieces(response: Response, asked: string): AsyncGenerator<string, ChatAnswer> {
  // A gateway that cannot stream answers the whole at once.
  if (response.headers.get('content-type')?.includes('json')) {
    const answer = await readAnswer(response, asked);
    yield answer.text;
    return answer;
  }
  let text = '';
  let model = asked;
  let isComplete = false;
  for await (const { data } of parseEventStream(readCapped(response), () => undefined)) {
    if (data === '[DONE]') {
      isComplete = true;
      break;
    }
    const piece = parseCompletionPiece(data);
    model = piece.model ?? model;
    text += piece.text;
    isComplete ||= piece.isLast;
    if (piece.text !== '') yield piece.text;
  }
  if (!isComplete) throw new SvcError('CHAT_FAILED', { reason: 'the answer is incomplete' });
  return { text, model };
}

function parseCompletion(text: string): Completion {
  const { model, choices } = parse(completionSchema, text);
  return { text: choices[0].message.content, model };
}

function parseCompletionPiece(text: string): CompletionPiece {
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

type Deadline = {
  readonly signal: AbortSignal;
  readonly isLate: () => boolean;
  /** Whatever is still under way is ended. */
  readonly end: () => void;
};

/** Ends what takes too long, and what nobody waits for any more. */
function createDeadline(client: AbortSignal, milliseconds: number): Deadline {
  const time = AbortSignal.timeout(milliseconds);
  const ending = new AbortController();
  return {
    signal: AbortSignal.any([client, time, ending.signal]),
    isLate: () => time.aborted,
    end: () => ending.abort(),
  };
}

function toChatError(error: unknown, deadline: Deadline): SvcError {
  if (error instanceof SvcError) return error;
  if (deadline.isLate()) return new SvcError('CHAT_TIMED_OUT', { reason: 'the gateway is too slow' });
  const { cause, name } = error as { readonly cause?: { readonly code?: unknown }; readonly name?: string };
  return new SvcError('CHAT_FAILED', { reason: String(cause?.code ?? name) });
}
