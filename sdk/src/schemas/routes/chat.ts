// The route that passes a conversation on to a language model.
import { chatAnswerSchema, chatPieceSchema, chatRequestSchema } from '../chat.ts';
import * as examples from '../examples/chat.ts';
import { noQuerySchema } from '../requests.ts';
import { bodyErrors, json, type Route } from '../route.ts';

export const chatRoutes = {
  roleChat: {
    path: '/api/role-chat',
    operationId: 'askRoleChat',
    tag: 'Chat',
    summary: 'Ask a language model in a role',
    description:
      'The conversation goes to the chat gateway of this deployment with the server’s key; the client needs none, and a ' +
      'deployment without a key answers 503. Twenty requests a minute for each client address. The answer is ended when ' +
      'the client leaves.',
    query: noQuerySchema,
    body: {
      description: 'The role and the conversation.',
      schema: chatRequestSchema,
      example: examples.chatRequest,
    },
    reply: {
      description: 'What the model says.',
      contentType: json,
      schema: chatAnswerSchema,
      example: examples.chatAnswer,
    },
    streamed: {
      description:
        'With Accept: text/event-stream it comes as it is said: `text` with each piece, whose schema is shown, then ' +
        '`done` with the whole answer, or `error` with `{error}`.',
      contentType: 'text/event-stream',
      schema: chatPieceSchema,
      example: examples.chatStream,
    },
    isConditional: false,
    isLimited: true,
    errors: [
      'CHAT_NOT_CONFIGURED',
      'RATE_LIMITED',
      ...bodyErrors,
      'CHAT_SYSTEM_INVALID',
      'CHAT_MESSAGES_INVALID',
      'CHAT_TOO_LARGE',
      'CHAT_BUSY',
      'CHAT_FAILED',
      'CHAT_TIMED_OUT',
    ],
    samples: [
      { label: 'The whole answer', path: '/api/role-chat', body: examples.chatRequest },
      { label: 'As it is said', path: '/api/role-chat', body: examples.chatRequest, isStream: true },
    ],
  },
} as const satisfies Record<string, Route>;
