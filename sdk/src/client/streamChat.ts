// Reads a model's answer as it is said.
import type { z } from 'zod';
import { SvcError } from '#domain/errors.ts';
import { parseEventStream } from '#domain/parseEventStream.ts';
import { routes } from '#schemas/apis.ts';
import type { Chat, ChatAnswer } from '#schemas/chat.ts';
import { chatAnswerSchema, chatPieceSchema } from '#schemas/chat.ts';
import { errorSchema } from '#schemas/primitives.ts';
import { buildPost, type Connection, explainLoss, openResponse, parseJson, unexpected } from './ask.ts';

export async function* streamChat(
  connection: Connection,
  chat: Chat,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, ChatAnswer> {
  const init = buildPost(chat, 'text/event-stream', signal);
  const response = await openResponse(connection, routes.roleChat.path, {}, init);
  if (response.body === null) throw unexpected('there is no stream');
  try {
    for await (const { event, data } of parseEventStream(response.body, () => undefined)) {
      if (event === 'error') throw new SvcError('API_REFUSED', { reason: parse(errorSchema, data).error });
      if (event === 'done') return parse(chatAnswerSchema, data);
      if (event === 'text') yield parse(chatPieceSchema, data).text;
    }
  } catch (error) {
    if (error instanceof SvcError) throw error;
    explainLoss(connection, error, signal);
  }
  throw unexpected('the answer breaks off');
}

function parse<Schema extends z.ZodType>(schema: Schema, data: string): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(data));
  if (!parsed.success) throw unexpected('an event of the chat has another shape');
  return parsed.data;
}
