// The conversations of a mailbox: a bounded list, one of them whole, and what its reader has marked.
import * as z from 'zod';
import { mailSchema } from './messages.ts';
import { addressSchema, hashSchema, named, refuse, taskIdSchema, timeSchema } from './primitives.ts';
import { addressParameter, cursorParameterOf, limitParameter, numberParameter } from './queries.ts';
import { defineRoutes, jsonReply } from './route.ts';

const linkedTask = taskIdSchema
  .nullable()
  .describe('The task of the two parties that the chain has under one of the offers.');

/** Characters of a text in the list. */
export const maxListedCharacters = 2_000;

const listedConversationSchema = named('ListedConversation', 'A conversation with its newest message.', {
  root: hashSchema.describe('The hash of the first message: the key of the conversation.'),
  negotiationId: z.string(),
  with: addressSchema.describe('The other party.'),
  isUnknown: z
    .boolean()
    .describe('Opened by a wallet that shares no task with the reader and has not been answered.'),
  title: z.string().nullable().describe('Of the newest offer, as its sender wrote it: untrusted.'),
  about: z.string().nullable().describe('The listing or task that was named first, which proves nothing.'),
  settlementDigest: hashSchema.nullable().describe('Of the newest offer.'),
  taskId: linkedTask,
  messages: z.int().positive().describe('How many it has; also the sequence of the newest one.'),
  unread: z.int().nonnegative().describe('Messages after the one that was confirmed or answered last.'),
  isMuted: z.boolean(),
  isBlocked: z.boolean().describe('Whether the reader blocks the other party.'),
  lastAt: timeSchema,
  last: z
    .object({
      hash: hashSchema,
      from: addressSchema,
      type: z.string(),
      taskId: z.string().nullable().describe('The task that it names, which proves nothing.'),
      text: z.string().describe('Its words as the sender wrote them: untrusted.'),
      leftOut: z.int().optional().describe('Characters that were cut; the conversation has the whole.'),
    })
    .nullable()
    .describe('The newest message; null where the operator has removed it.'),
});

export const conversationListSchema = z.object({
  conversations: z.array(listedConversationSchema),
  counts: z
    .object({ unread: z.int().nonnegative(), unknown: z.int().nonnegative() })
    .describe(
      'Conversations with unread messages, without muted ones; of unknown senders apart. 100 at most.',
    ),
  nextCursor: z.string().nullable(),
});

export const conversationPageSchema = z.object({
  messages: z.array(mailSchema).describe('The newest before the given one, oldest first.'),
  earlier: z
    .int()
    .nonnegative()
    .describe('Messages before those; before takes the sequence of the first one.'),
  taskId: linkedTask,
});

const conversationMarksSchema = z.object({
  root: hashSchema,
  read: z.int().nonnegative().describe('Messages up to this sequence are read.'),
  isMuted: z.boolean(),
});

export type ListedConversation = z.infer<typeof listedConversationSchema>;
export type ConversationList = z.infer<typeof conversationListSchema>;
export type ConversationPage = z.infer<typeof conversationPageSchema>;
export type ConversationMarks = z.infer<typeof conversationMarksSchema>;

const conversationsQuerySchema = z.object({
  limit: limitParameter,
  senders: z
    .enum(['all', 'known', 'unknown'], refuse('REQUEST_MALFORMED'))
    .default('all')
    .meta({ description: 'Unknown senders apart.', examples: ['known'] }),
  unread: z
    .enum(['true', 'false'], refuse('REQUEST_MALFORMED'))
    .default('false')
    .meta({ description: 'Only conversations with unread messages.', examples: ['true'] }),
  with: addressParameter.optional().describe('Only with this wallet.'),
  about: z
    .string()
    .min(1, refuse('REQUEST_MALFORMED'))
    .max(100, refuse('REQUEST_MALFORMED'))
    .optional()
    .meta({ description: 'Only those that name this listing or task.', examples: ['v2:standard:1'] }),
  cursor: cursorParameterOf(/^[0-9]{1,15}\.0x[0-9a-f]{64}$/, 'nextCursor of the previous page.'),
});

const conversationParamsSchema = z.object({
  root: z
    .string()
    .transform((root) => root.toLowerCase() as `0x${string}`)
    .meta({ description: 'The key of the conversation.', parameter: { type: 'string' } }),
});

const conversationQuerySchema = z.object({
  limit: limitParameter,
  before: numberParameter(/^[0-9]{1,15}$/, 'CURSOR_INVALID')
    .default(Number.MAX_SAFE_INTEGER)
    .meta({
      description: 'Only messages before this sequence.',
      parameter: { type: 'integer', minimum: 1 },
      examples: [12],
    }),
  maxBytes: numberParameter(/^[0-9]{1,15}$/, 'REQUEST_MALFORMED')
    .optional()
    .meta({
      description: 'As many messages as this holds, at least one.',
      parameter: { type: 'integer', minimum: 0 },
      examples: [65_536],
    }),
  only: z
    .enum(['terms'], refuse('REQUEST_MALFORMED'))
    .optional()
    .describe('Only messages that may change what is offered, declined, signed or vetoed.'),
});

const marksBodySchema = z.object({
  read: z
    .int()
    .nonnegative()
    .optional()
    .describe('The sequence of the last message that was read. Never goes back.'),
  isMuted: z.boolean().optional(),
});

const root = `0x${'3c'.repeat(32)}`;
const path = '/v1/mailbox/conversations';
const errors = ['CONVERSATION_NOT_FOUND'] as const;

export const conversationRoutes = defineRoutes('Messages', {
  conversations: {
    path,
    operationId: 'listConversations',
    summary: 'List conversations',
    description:
      'The conversations of the wallet of the session, newest first, each with its newest message, cut. Reading marks nothing as read.',
    needsSession: true,
    query: conversationsQuerySchema,
    reply: jsonReply('A page.', conversationListSchema),
    samples: [{ label: 'Unread', path: `${path}?unread=true` }],
  },
  conversation: {
    path: `${path}/:root`,
    operationId: 'readConversation',
    summary: 'Read a conversation',
    description: 'Its messages whole, as they were sent. A page may be shorter than limit.',
    needsSession: true,
    params: conversationParamsSchema,
    query: conversationQuerySchema,
    reply: jsonReply('A page.', conversationPageSchema),
    errors,
    samples: [{ label: 'The newest', path: `${path}/${root}` }],
  },
  markConversation: {
    path: `${path}/:root`,
    method: 'put',
    operationId: 'markConversation',
    summary: 'Mark a conversation',
    description:
      'Confirms that messages up to a sequence are read, or mutes the conversation: it is not counted and causes no notice. Marks hold on all devices of the wallet.',
    needsSession: true,
    params: conversationParamsSchema,
    body: { description: 'What changes.', schema: marksBodySchema, example: { read: 4 } },
    reply: jsonReply('The marks as they are now.', conversationMarksSchema),
    errors,
    samples: [{ label: 'Read up to message 4', path: `${path}/${root}`, body: { read: 4 } }],
  },
});
