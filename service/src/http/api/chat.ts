// POST /api/role-chat: a conversation with the model behind the chat gateway, whole or as it is said; and the two questions
// that pages ask, in which the server writes the role.

import type { Chat, ChatAnswer } from '@svc/sdk';
import { parseTaskId, SvcError } from '@svc/sdk/domain';
import { routes } from '@svc/sdk/internal/schemas/routes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { askForCriteria, askForExplanation } from '../../chat/assist.ts';
import type { ChatService } from '../../chat/chatService.ts';
import type { MarketService } from '../../market/taskLists.ts';
import { formatEvent, startEventStream } from '../eventStream.ts';
import { createRateLimit, type RateLimit } from '../rateLimit.ts';
import { parseBody } from '../requestFields.ts';
import type { AppLog } from '../requestLog.ts';

export type ChatRoutes = {
  /** Undefined where no key is configured. */
  readonly chat: ChatService | undefined;
  readonly market: Pick<MarketService, 'getTask'>;
  readonly log: AppLog;
};

export function registerChatRoutes(app: FastifyInstance, { chat, market, log }: ChatRoutes): void {
  const limit = createRateLimit({ name: 'chat', limit: 20 });
  const assistLimit = createRateLimit({ name: 'assist', limit: 6 });
  register(routes.roleChat.path, limit, async (body) => parseBody(routes.roleChat.body.schema, body));
  register(routes.explainTask.path, assistLimit, async (body) => {
    const { taskId } = parseBody(routes.explainTask.body.schema, body);
    return askForExplanation((await market.getTask(parseTaskId(taskId))).task);
  });
  register(routes.draftCriteria.path, assistLimit, async (body) =>
    askForCriteria(parseBody(routes.draftCriteria.body.schema, body)),
  );

  function register(path: string, limitOf: RateLimit, toChat: (body: unknown) => Promise<Chat>): void {
    app.route({
      method: 'POST',
      url: path,
      // Before the body is read: without a key nothing can work, and over the limit nothing is looked at.
      onRequest: async (request, reply) => {
        if (chat === undefined) throw new SvcError('CHAT_NOT_CONFIGURED', {});
        limitOf.take(request.ip, reply);
      },
      handler: async (request, reply) => {
        const asked = await toChat(request.body);
        const client = watchClient(reply);
        try {
          await answer(chat as ChatService, asked, client, request, reply);
        } catch (error) {
          const { code, details } = error as SvcError;
          // If the client disconnected, the gateway did not fail.
          if (!client.aborted)
            log.error({ requestId: request.id, code, reason: details?.reason }, 'the chat gateway failed');
          throw error;
        }
        return reply;
      },
    });
  }
}

async function answer(
  chat: ChatService,
  asked: Chat,
  client: AbortSignal,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const isStream = request.headers.accept?.includes('text/event-stream') === true;
  if (isStream) return streamAnswer(chat.stream(asked, client), reply);
  reply.send(await chat.answer(asked, client));
}

/** Aborts when the client disconnects, so that the gateway stops too. */
function watchClient({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => controller.abort());
  return controller.signal;
}

/** An error before the first word is an ordinary error response; a later one can only be sent as an event. */
async function streamAnswer(words: AsyncGenerator<string, ChatAnswer>, reply: FastifyReply): Promise<void> {
  let next = await words.next();
  const response = startEventStream(reply);
  const send = (event: string, data: object) => response.write(formatEvent(event, data));
  try {
    for (; !next.done; next = await words.next()) send('text', { text: next.value });
    send('done', next.value);
  } catch (error) {
    const { message, code } = error as SvcError;
    send('error', { error: message, code });
    throw error;
  } finally {
    response.end();
  }
}
