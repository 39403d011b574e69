// Messages that a gateway relays, and mailboxes, with their routes.
import * as z from 'zod';
import {
  addressPattern,
  addressSchema,
  blockNumberSchema,
  hashSchema,
  hexSchema,
  refuse,
  timeSchema,
} from './primitives.ts';
import { limitParameter, noQuerySchema } from './queries.ts';
import { jsonReply, keyErrors, type Routes } from './route.ts';

export const heldMessageSchema = z
  .object({
    position: z.int().positive().meta({ description: 'Its place in the mailbox of its sender.' }),
    receivedAt: timeSchema,
    receipt: z
      .object({
        hash: hashSchema,
        to: addressSchema,
        receivedAt: timeSchema,
        gateway: addressSchema.meta({ description: 'Whose signature it is.' }),
        signature: hexSchema.meta({
          description:
            'EIP-712 over Held(bytes32 hash,address to,uint64 receivedAt) in the domain {name: "svc gateway", version: "1", chainId}.',
        }),
      })
      .meta({ description: 'Proves that the gateway holds the message for the recipient.' }),
  })
  .meta({ id: 'HeldMessage', description: 'A message that the gateway holds.' });

export const mailSchema = z
  .object({
    position: z.int().positive().meta({ description: 'Grows by one with each message of this mailbox.' }),
    hash: hashSchema,
    root: hashSchema.meta({ description: 'The hash of the first message: the key of the conversation.' }),
    sequence: z.int().positive(),
    wire: z
      .string()
      .nullable()
      .meta({ description: 'The text as it was sent. Null where the operator has removed it.' }),
    receivedAt: timeSchema,
    block: blockNumberSchema.meta({ description: 'The newest block when it was received.' }),
  })
  .meta({ id: 'Mail', description: 'One message of a mailbox, sent or received.' });

export const mailboxPageSchema = z.object({
  messages: z.array(mailSchema),
  nextAfter: z.int().nonnegative().meta({ description: 'Send it as after to continue.' }),
});

export const blockedSchema = z.object({ address: addressSchema, blocked: z.boolean() });

export type HeldMessage = z.infer<typeof heldMessageSchema>;
export type Mail = z.infer<typeof mailSchema>;
export type MailboxPage = z.infer<typeof mailboxPageSchema>;

/** For the contract only: a message is checked as text, by `parseWire`. */
const wireSchema = z
  .object({
    envelope: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The envelope; its JSON Schema is svc-xmtp-v1.' }),
    hash: hashSchema,
    signature: hexSchema,
  })
  .meta({ id: 'WireText', description: 'A signed envelope.' });

export const afterParameter = z
  .string()
  .regex(/^[0-9]{1,15}$/, refuse('CURSOR_INVALID'))
  .transform(Number)
  .default(0)
  .meta({
    description: 'The position after which to begin.',
    parameter: { type: 'integer', minimum: 0, default: 0 },
    examples: [0],
  });

export const mailboxQuerySchema = z.object({ after: afterParameter, limit: limitParameter });
export const mailboxEventsQuerySchema = z.object({ after: afterParameter });

export const blockParamsSchema = z.object({
  address: z
    .string()
    .regex(addressPattern, refuse('ADDRESS_MALFORMED'))
    .meta({ description: 'The wallet to block.' }),
});

const hash = `0x${'3c'.repeat(32)}`;
const alice = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const wire = '{"envelope":{"…":"…"},"hash":"0x…","signature":"0x…"}';
const mailExample: Mail = {
  position: 7,
  hash,
  root: hash,
  sequence: 1,
  wire,
  receivedAt: 1_793_348_694,
  block: 41,
};
const blockSample = [{ label: 'One wallet', path: `/v1/mailbox/blocks/${alice}` }];
const blockErrors = [
  'SESSION_REQUIRED',
  'ADDRESS_MALFORMED',
  'STORE_UNREACHABLE',
  'STORE_NOT_WRITABLE',
] as const;

export const messageRoutes = {
  sendMessage: {
    path: '/v1/messages',
    operationId: 'sendMessage',
    tag: 'Messages',
    summary: 'Send a message',
    description:
      'The relay keeps the text byte for byte in the mailboxes of both parties. The message itself is signed, so no session is needed, except for messages of smart wallets, which the chain is asked about. The first message of a conversation needs entry collateral, or a task shared with the recipient. A message must continue the newest one of its conversation; otherwise the reply names the head.',
    query: noQuerySchema,
    body: {
      description: 'The wire text: {envelope, hash, signature} in the form of RFC 8785, 256 KiB at most.',
      schema: wireSchema,
      example: { envelope: {}, hash, signature: '0xab' },
    },
    reply: jsonReply('The relay already holds this message.', heldMessageSchema),
    others: { 202: jsonReply('The relay now holds this message.', heldMessageSchema) },
    takesKey: true,
    errors: [
      ...keyErrors,
      'CONTENT_TYPE_WRONG',
      'NO_STANDING',
      'NOT_A_PARTY',
      'RECIPIENT_REFUSES',
      'PLACE_TAKEN',
      'PLACE_GAP',
      'MESSAGE_TOO_LARGE',
      'ENVELOPE_REFUSED',
      'RATE_LIMITED',
      'MAIL_LIMIT',
      'WITHHELD',
      'CHAIN_UNREACHABLE',
      'NOT_READY',
      'STORE_UNREACHABLE',
      'STORE_NOT_WRITABLE',
    ],
    samples: [
      { label: 'A wire text', path: '/v1/messages', body: { envelope: {}, hash, signature: '0xab' } },
    ],
  },
  mailbox: {
    path: '/v1/mailbox',
    operationId: 'getMailbox',
    tag: 'Messages',
    summary: 'Read the mailbox',
    description:
      'Messages to and from the wallet of the session, oldest first. A page may be shorter than limit; the end is reached when it is empty. The operator of a gateway can read messages.',
    needsSession: true,
    query: mailboxQuerySchema,
    reply: jsonReply('A page.', mailboxPageSchema),
    errors: [
      'SESSION_REQUIRED',
      'LIMIT_INVALID',
      'CURSOR_INVALID',
      'STORE_UNREACHABLE',
      'STORE_NOT_WRITABLE',
    ],
    samples: [{ label: 'From the beginning', path: '/v1/mailbox' }],
  },
  mailboxEvents: {
    path: '/v1/mailbox/events',
    operationId: 'followMailbox',
    tag: 'Messages',
    summary: 'Follow the mailbox',
    description:
      'Server-sent events: each message once, in order, with its position as id. Resume with Last-Event-ID or after. The stream ends with the session.',
    needsSession: true,
    query: mailboxEventsQuerySchema,
    reply: {
      description: 'The stream.',
      contentType: 'text/event-stream',
      schema: null,
      example: `id: 7\nevent: message\ndata: ${JSON.stringify(mailExample)}\n\n`,
    },
    errors: ['SESSION_REQUIRED', 'CURSOR_INVALID', 'STREAMS_FULL', 'STORE_UNREACHABLE', 'STORE_NOT_WRITABLE'],
    samples: [{ label: 'From the beginning', path: '/v1/mailbox/events', isStream: true }],
  },
  blockSender: {
    path: '/v1/mailbox/blocks/:address',
    method: 'put',
    operationId: 'blockSender',
    tag: 'Messages',
    summary: 'Block a sender',
    description: 'Refuses further messages of this wallet. No effect between parties of a live task.',
    needsSession: true,
    params: blockParamsSchema,
    query: noQuerySchema,
    reply: jsonReply('The wallet is blocked.', blockedSchema),
    errors: [...blockErrors, 'MAIL_LIMIT'],
    samples: blockSample,
  },
  unblockSender: {
    path: '/v1/mailbox/blocks/:address',
    method: 'delete',
    operationId: 'unblockSender',
    tag: 'Messages',
    summary: 'Unblock a sender',
    description: 'Accepts messages of this wallet again.',
    needsSession: true,
    params: blockParamsSchema,
    query: noQuerySchema,
    reply: jsonReply('The wallet is not blocked.', blockedSchema),
    errors: blockErrors,
    samples: blockSample,
  },
} as const satisfies Routes;
