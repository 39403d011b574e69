// Messages that a gateway relays, and mailboxes, with their routes.
import * as z from 'zod';
import { addressSchema, blockNumberSchema, hashSchema, hexSchema, named, timeSchema } from './primitives.ts';
import { limitParameter, numberParameter, plainAddressParameter } from './queries.ts';
import { defineRoutes, jsonReply, plainBody, storeErrors } from './route.ts';

export const heldMessageSchema = named('HeldMessage', 'A message that the gateway holds.', {
  position: z.int().positive().describe('Its place in the mailbox of its sender.'),
  receivedAt: timeSchema,
  receipt: z
    .object({
      hash: hashSchema,
      to: addressSchema,
      receivedAt: timeSchema,
      gateway: addressSchema.describe('Whose signature it is.'),
      signature: hexSchema.describe(
        'EIP-712 over Held(bytes32 hash,address to,uint64 receivedAt) in the domain {name: "svc gateway", version: "1", chainId}.',
      ),
    })
    .describe('Proves that the gateway holds the message for the recipient.'),
});

export const mailSchema = named('Mail', 'One message of a mailbox, sent or received.', {
  position: z.int().positive().describe('Grows by one with each message of this mailbox.'),
  hash: hashSchema,
  root: hashSchema.describe('The hash of the first message: the key of the conversation.'),
  sequence: z.int().positive(),
  wire: z.string().nullable().describe('The text as it was sent. Null where the operator has removed it.'),
  receivedAt: timeSchema,
  block: blockNumberSchema.describe('The newest block when it was received.'),
});

export const mailboxPageSchema = z.object({
  messages: z.array(mailSchema),
  nextAfter: z.int().nonnegative().describe('Send it as after to continue.'),
});

export const blockedSchema = z.object({ address: addressSchema, blocked: z.boolean() });

export type HeldMessage = z.infer<typeof heldMessageSchema>;
export type Mail = z.infer<typeof mailSchema>;
export type MailboxPage = z.infer<typeof mailboxPageSchema>;

/** For the contract only: a message is checked as text, by `parseWire`. */
const wireSchema = named('WireText', 'A signed envelope.', {
  envelope: z.record(z.string(), z.unknown()).describe('The envelope; its JSON Schema is svc-xmtp-v1.'),
  hash: hashSchema,
  signature: hexSchema,
});

const afterParameter = numberParameter(/^[0-9]{1,15}$/, 'CURSOR_INVALID')
  .default(0)
  .meta({
    description: 'The position after which to begin.',
    parameter: { type: 'integer', minimum: 0, default: 0 },
    examples: [0],
  });

export const blockParamsSchema = z.object({
  address: plainAddressParameter.describe('The wallet to block.'),
});

const hash = `0x${'3c'.repeat(32)}` as const;
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

export const messageRoutes = defineRoutes('Messages', {
  sendMessage: {
    path: '/v1/messages',
    operationId: 'sendMessage',
    summary: 'Send a message',
    description:
      'The relay keeps the text byte for byte in the mailboxes of both parties. The message itself is signed, so no session is needed, except for messages of smart wallets, which the chain is asked about. The first message of a conversation needs a task shared with the recipient, or entry collateral: for 24 hours without a break, unless the recipient has an open task. A message must continue the newest one of its conversation; otherwise the reply names the head.',
    body: {
      description: 'The wire text: {envelope, hash, signature} in the form of RFC 8785, 256 KiB at most.',
      schema: wireSchema,
      isText: true,
      example: { envelope: {}, hash, signature: '0xab' },
    },
    reply: jsonReply('The relay already holds this message.', heldMessageSchema),
    others: { 202: jsonReply('The relay now holds this message.', heldMessageSchema) },
    mayRepeat: true,
    errors: [
      'NO_STANDING',
      'STANDING_NEW',
      'NOT_A_PARTY',
      'RECIPIENT_REFUSES',
      'PLACE_TAKEN',
      'PLACE_GAP',
      'PLACE_GONE',
      'MESSAGE_TOO_LARGE',
      'ENVELOPE_REFUSED',
      'RATE_LIMITED',
      'MAIL_LIMIT',
      'WITHHELD',
      'CHAIN_UNREACHABLE',
      'NOT_READY',
      ...storeErrors,
    ],
  },
  mailbox: {
    path: '/v1/mailbox',
    operationId: 'getMailbox',
    summary: 'Read the mailbox',
    description:
      'Messages to and from the wallet of the session, oldest first. A page may be shorter than limit; the end is reached when it is empty. The operator of a gateway can read messages.',
    needsSession: true,
    query: z.object({ after: afterParameter, limit: limitParameter }),
    reply: jsonReply('A page.', mailboxPageSchema),
  },
  mailboxEvents: {
    path: '/v1/mailbox/events',
    operationId: 'followMailbox',
    summary: 'Follow the mailbox',
    description:
      'Server-sent events: each message once, in order, with its position as id. Resume with Last-Event-ID or after. The stream ends with the session.',
    needsSession: true,
    query: z.object({ after: afterParameter }),
    reply: plainBody(
      'The stream.',
      'text/event-stream',
      `id: 7\nevent: message\ndata: ${JSON.stringify(mailExample)}\n\n`,
    ),
    errors: ['STREAMS_FULL'],
    samples: [{ label: 'From the beginning', path: '/v1/mailbox/events', isStream: true }],
  },
  blockSender: {
    path: '/v1/mailbox/blocks/:address',
    method: 'put',
    operationId: 'blockSender',
    summary: 'Block a sender',
    description: 'Refuses further messages of this wallet. No effect between parties of a live task.',
    needsSession: true,
    params: blockParamsSchema,
    reply: jsonReply('The wallet is blocked.', blockedSchema),
    errors: ['MAIL_LIMIT'],
    samples: blockSample,
  },
  unblockSender: {
    path: '/v1/mailbox/blocks/:address',
    method: 'delete',
    operationId: 'unblockSender',
    summary: 'Unblock a sender',
    description: 'Accepts messages of this wallet again.',
    needsSession: true,
    params: blockParamsSchema,
    reply: jsonReply('The wallet is not blocked.', blockedSchema),
    samples: blockSample,
  },
});
