// The chat route: its request, its reply as JSON and as a stream (docs/specification.md section 2, role chat;
// docs/decisions/chat.md).
import * as z from 'zod';
import { named, refuse, taskIdSchema } from './primitives.ts';
import { defineRoutes, jsonReply } from './route.ts';

const maxSystemCharacters = 8_000;
const maxChatMessages = 50;
const maxChatBytes = 32 * 1024;

const systemExample = 'You help people to describe tasks so that anyone can do them.';
const messagesError = refuse('CHAT_MESSAGES_INVALID');

const messageSchema = z
  .object(
    {
      role: z.string(messagesError).meta({
        description: 'Any role that the model knows, such as user or assistant.',
        examples: ['user'],
      }),
      content: z.string(messagesError),
    },
    messagesError,
  )
  .meta({ id: 'ChatMessage', description: 'One message of the conversation.' });

export type Chat = {
  readonly system?: string | undefined;
  readonly messages: readonly z.infer<typeof messageSchema>[];
};

const chatRequestSchema = z
  .object({
    system: z
      .string(refuse('CHAT_SYSTEM_INVALID'))
      .refine((text) => [...text].length <= maxSystemCharacters, refuse('CHAT_SYSTEM_INVALID'))
      .optional()
      .meta({
        description: 'The role that the model plays.',
        parameter: { type: 'string', maxLength: maxSystemCharacters },
        examples: [systemExample],
      }),
    messages: z
      .array(messageSchema, messagesError)
      .min(1, refuse('CHAT_MESSAGES_INVALID'))
      .max(maxChatMessages, refuse('CHAT_MESSAGES_INVALID'))
      .describe('The conversation so far, oldest first.'),
  })
  .refine((chat) => countChatBytes(chat) <= maxChatBytes, refuse('CHAT_TOO_LARGE'))
  .meta({
    id: 'ChatRequest',
    description: 'A conversation of up to 32 KiB of text.',
  });

/** The size of the texts in UTF-8. */
function countChatBytes({ system = '', messages }: Chat): number {
  const encoder = new TextEncoder();
  const texts = [system, ...messages.map(({ content }) => content)];
  return texts.reduce((sum, text) => sum + encoder.encode(text).length, 0);
}

export const chatAnswerSchema = named('ChatAnswer', 'The next message of the conversation.', {
  text: z.string().describe('The reply of the model. A machine wrote it: treat it as data.'),
  model: z.string().describe('The model that answered.'),
});

export const chatPieceSchema = named('ChatPiece', 'A part of the answer.', {
  text: z.string().describe('The next part of the text.'),
});

export type ChatAnswer = z.infer<typeof chatAnswerSchema>;

const maxDraftCharacters = 8_000;
const draftText = z.string().max(maxDraftCharacters);

const criteriaDraftSchema = named('CriteriaDraft', 'What a poster has written so far.', {
  title: z.string().min(1).max(200),
  description: draftText.default(''),
  criteria: draftText.default('').describe('What is written already; it is improved then.'),
});

export type CriteriaDraft = z.infer<typeof criteriaDraftSchema>;

const assistNote =
  'The server writes the question; the texts of users are data in it. A deployment without a key answers 503; ' +
  '`chat` in /api/site-config says which it is. Each client address may send six of these requests a minute.';

const chatErrors = [
  'CHAT_NOT_CONFIGURED',
  'CHAT_REFUSED',
  'RATE_LIMITED',
  'CHAT_BUSY',
  'CHAT_FAILED',
  'CHAT_TIMED_OUT',
] as const;

const explainExample = { taskId: 'v2:standard:3' };
const draftExample = { title: 'Translate my menu', description: 'Twenty dishes, from English to French.' };

const requestExample = {
  system: systemExample,
  messages: [{ role: 'user', content: 'I need my menu in French.' }],
};

export const chatRoutes = defineRoutes('Chat', {
  roleChat: {
    path: '/api/role-chat',
    operationId: 'askRoleChat',
    summary: 'Ask a language model in a role',
    description:
      'Sends the conversation to the chat gateway of this deployment with the server’s key; the client needs none. A ' +
      'deployment without a key answers 503. Each client address may send twenty requests a minute. The request to the ' +
      'model is cancelled when the client disconnects.',
    body: {
      description: 'The role and the conversation.',
      schema: chatRequestSchema,
      example: requestExample,
    },
    reply: jsonReply('The reply of the model.', chatAnswerSchema),
    streamed: {
      description:
        'With Accept: text/event-stream the reply is streamed: `text` events with parts, whose schema is shown, then ' +
        '`done` with the whole answer, or `error` with `{error, code}`.',
      contentType: 'text/event-stream',
      schema: chatPieceSchema,
      example:
        'event: text\ndata: {"text":"Say how many "}\n\nevent: text\ndata: {"text":"dishes it has."}\n\n' +
        'event: done\ndata: {"text":"Say how many dishes it has.","model":"gpt-4o-mini"}\n\n',
    },
    isLimited: true,
    errors: chatErrors,
    samples: [
      { label: 'The whole answer', path: '/api/role-chat', body: requestExample },
      { label: 'As a stream', path: '/api/role-chat', body: requestExample, isStream: true },
    ],
  },
  explainTask: {
    path: '/api/role-chat/explain-task',
    operationId: 'explainTask',
    summary: 'Let a language model explain a task or its dispute',
    description: assistNote,
    body: {
      description: 'Which task.',
      schema: named('ExplainRequest', 'The task to explain.', { taskId: taskIdSchema }),
      example: explainExample,
    },
    reply: jsonReply('The explanation.', chatAnswerSchema),
    isLimited: true,
    errors: [...chatErrors, 'TASK_NOT_FOUND', 'NOT_READY'],
  },
  draftCriteria: {
    path: '/api/role-chat/draft-criteria',
    operationId: 'draftCriteria',
    summary: 'Let a language model draft acceptance criteria',
    description: assistNote,
    body: { description: 'Title and description.', schema: criteriaDraftSchema, example: draftExample },
    reply: jsonReply('The draft.', chatAnswerSchema),
    isLimited: true,
    errors: chatErrors,
  },
});
