// Notifications: where a wallet is reached, with the routes of its settings.
import * as z from 'zod';
import { savedSearchSchema } from './listQueries.ts';
import { named, timeSchema } from './primitives.ts';
import { codesOf, defineRoutes, jsonReply, storeErrors } from './route.ts';
import { todoRoutes } from './todoList.ts';

const idSchema = z.string().regex(/^[\w-]{16}$/);

const channelSchema = named('NoticeChannel', 'One place where a wallet is reached.', {
  id: idSchema,
  kind: z.enum(['email', 'push', 'webhook']),
  address: z.string().describe('A part of the address, to know it again.'),
  state: z
    .enum(['unconfirmed', 'confirmed', 'failed'])
    .describe('A failed channel gets nothing more until it is added and confirmed again.'),
  failure: z
    .object({ reason: z.string(), attempts: z.int().nonnegative().describe('In a row.') })
    .nullable()
    .describe('Why the last attempt failed; null after a good one.'),
  waiting: z.int().nonnegative().describe('Notices that are due and not sent yet.'),
  sentAt: timeSchema.nullable().describe('When the last notice was sent.'),
  createdAt: timeSchema,
});

export const searchSchema = named('SavedSearch', 'A search whose new tasks the wallet is told of.', {
  id: idSchema,
  query: z
    .string()
    .describe('As a list of open tasks takes it, such as market=standard&tag=audio&minAmountUsd=20.'),
  createdAt: timeSchema,
});

export const newSearchSchema = z.object({
  query: z
    .string()
    .max(1_000)
    .describe(
      'market, q, tag, poster, minAmountUsd, maxAmountUsd, minAmountTokWei, maxAmountTokWei, fullyFunded as in a query of /api/market/open; others are left out.',
    ),
});

export type SavedSearch = z.infer<typeof searchSchema>;

const clockSchema = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a time such as 22:00');
const quietFields = {
  quietHours: z
    .object({ from: clockSchema, to: clockSchema })
    .nullable()
    .describe(
      'No notices between these times, except last calls; null for none. Webhooks have no quiet hours.',
    ),
  timeZone: z.string().min(1).max(64).describe('A name of the IANA database, such as Europe/Berlin.'),
};

export const notificationsSchema = named('Notifications', null, {
  channels: z.array(channelSchema),
  searches: z.array(searchSchema).describe('Saved searches, oldest first.'),
  ...quietFields,
  offers: z
    .object({
      email: z.boolean().describe('False where the operator has no mail server.'),
      isMailCaught: z.boolean().describe('True on an embedded market: /dev/mail shows what would be sent.'),
      pushKey: z.string().describe('The public VAPID key, for PushManager.subscribe.'),
    })
    .describe('What this gateway can send.'),
});

export const quietBodySchema = z.object(quietFields);

const base64Url = z.string().regex(/^[\w-]+={0,2}$/);

export const newChannelSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('email'), email: z.email().max(254) }),
  z.object({
    kind: z.literal('push'),
    endpoint: z.string().max(2_000),
    keys: z.object({ p256dh: base64Url.max(100), auth: base64Url.max(50) }),
  }),
  z.object({ kind: z.literal('webhook'), url: z.string().max(2_000) }),
]);

const addedChannelSchema = z.object({
  channel: channelSchema,
  secret: z
    .string()
    .nullable()
    .describe('Of a new webhook: checks its signatures (Standard Webhooks). It is shown once.'),
});

export const channelParamsSchema = z.object({
  id: z.string().max(64).describe('The id of a channel or of a search.'),
});
export const linkQuerySchema = z.object({
  token: z
    .string()
    .max(200)
    .default('')
    .meta({ description: 'As it was sent.', examples: ['…'] }),
});
export const linkBodySchema = z.object({ token: z.string().max(200).describe('As it was sent.') });

export type Notifications = z.infer<typeof notificationsSchema>;
export type NoticeChannel = z.infer<typeof channelSchema>;
export type NewChannel = z.infer<typeof newChannelSchema>;

const id = 'ZmlyIGNoYW5uZWwx';
const channelPath = `/v1/notifications/channels/${id}`;
const tokenExample = { token: `${id}.b3duZXI.c2lnbmF0dXJl` };
const quietExample = { quietHours: { from: '22:00', to: '07:00' }, timeZone: 'Europe/Berlin' };
const emailExample = { kind: 'email', email: 'ada@example.org' };
const searchExample = { query: 'market=standard&tag=illustration&minAmountUsd=20' };
const errors = ['NOTICES_OFF', ...storeErrors] as const;

export const notificationRoutes = {
  ...todoRoutes,
  ...defineRoutes('Notifications', {
    notifications: {
      path: '/v1/notifications',
      operationId: 'getNotifications',
      summary: 'Read the settings',
      description: 'Where the wallet of the session is reached, what failed, and its quiet hours.',
      needsSession: true,
      reply: jsonReply('The settings.', notificationsSchema),
      errors,
    },
    saveQuietHours: {
      path: '/v1/notifications',
      method: 'put',
      operationId: 'saveQuietHours',
      summary: 'Set quiet hours and time zone',
      description: 'Notices show times in this zone. Quiet hours never delay a last call.',
      needsSession: true,
      body: { description: 'Both.', schema: quietBodySchema, example: quietExample },
      reply: jsonReply('They are saved.', quietBodySchema),
      errors: ['CONTACT_REFUSED', ...errors],
    },
    addChannel: {
      path: '/v1/notifications/channels',
      operationId: 'addChannel',
      summary: 'Add a channel',
      description:
        'An e-mail address, a push subscription of a browser, or a webhook. It gets one message with a token, and nothing else until that token was sent to /v1/notifications/confirmations. The wallet needs a part in the market. Three e-mail addresses a day.',
      needsSession: true,
      body: { description: 'The channel.', schema: newChannelSchema, example: emailExample },
      reply: jsonReply('The channel waits for its confirmation.', addedChannelSchema),
      isCreated: true,
      errors: ['NO_STANDING', 'CONTACT_REFUSED', 'NOT_READY', ...errors],
      samples: [
        { label: 'E-mail', path: '/v1/notifications/channels', body: emailExample },
        {
          label: 'Webhook',
          path: '/v1/notifications/channels',
          body: { kind: 'webhook', url: 'https://agent.example/svc' },
        },
      ],
    },
    removeChannel: {
      path: '/v1/notifications/channels/:id',
      method: 'delete',
      operationId: 'removeChannel',
      summary: 'Remove a channel',
      description: 'Its address is deleted.',
      needsSession: true,
      params: channelParamsSchema,
      reply: jsonReply('It is removed.', z.object({ removed: z.literal(true) })),
      errors: ['CHANNEL_NOT_FOUND', ...errors],
      samples: [{ label: 'Remove', path: channelPath }],
    },
    testChannel: {
      path: '/v1/notifications/channels/:id/test',
      method: 'post',
      operationId: 'testChannel',
      summary: 'Send a test notice',
      description: 'To a confirmed channel, five times a day.',
      needsSession: true,
      params: channelParamsSchema,
      reply: jsonReply('It is sent within seconds.', z.object({ queued: z.literal(true) })),
      errors: ['CHANNEL_NOT_FOUND', 'CONTACT_REFUSED', ...errors],
      samples: [{ label: 'Test', path: `${channelPath}/test` }],
    },
    addSearch: {
      path: '/v1/notifications/searches',
      operationId: 'saveSearch',
      summary: 'Save a search',
      description:
        'The confirmed channels of the wallet are told of new open tasks, or with view=wanted of new listings, that fit: the first time within 15 minutes, then in one summary a day for all of its searches. Ten searches; the wallet needs a part in the market.',
      needsSession: true,
      body: { description: 'The search.', schema: newSearchSchema, example: searchExample },
      reply: jsonReply('It is saved, or was before.', searchSchema),
      isCreated: true,
      errors: ['NO_STANDING', 'CONTACT_REFUSED', ...codesOf(savedSearchSchema), ...errors],
    },
    removeSearch: {
      path: '/v1/notifications/searches/:id',
      method: 'delete',
      operationId: 'removeSearch',
      summary: 'Remove a saved search',
      description: 'Nothing more is told of it.',
      needsSession: true,
      params: channelParamsSchema,
      reply: jsonReply('It is removed, or was before.', z.object({ removed: z.literal(true) })),
      errors,
      samples: [{ label: 'Remove', path: `/v1/notifications/searches/${id}` }],
    },
    confirmChannel: {
      path: '/v1/notifications/confirmations',
      operationId: 'confirmChannel',
      summary: 'Confirm a channel',
      description:
        'With the token of the confirmation: the link of the e-mail opens a page with a button, the service worker of a browser and the receiver of a webhook send it back.',
      body: { description: 'The token.', schema: linkBodySchema, example: tokenExample },
      reply: jsonReply('Notices are sent from now on.', z.object({ confirmed: z.literal(true) })),
      errors: ['LINK_INVALID', 'NOT_READY', 'RATE_LIMITED', ...errors],
    },
    unsubscribe: {
      path: '/v1/notifications/unsubscribe',
      method: 'post',
      operationId: 'unsubscribe',
      summary: 'Unsubscribe by the link of an e-mail',
      description:
        'Also by one click of a mail program (RFC 8058): any body is accepted, and none is needed.',
      query: linkQuerySchema,
      reply: jsonReply('The channel is removed, or was before.', z.object({ removed: z.literal(true) })),
      errors: ['LINK_INVALID', 'RATE_LIMITED', ...errors],
      samples: [{ label: 'Unsubscribe', path: `/v1/notifications/unsubscribe?token=${tokenExample.token}` }],
    },
    refuseContact: {
      path: '/v1/notifications/refusals',
      operationId: 'refuseContact',
      summary: 'Never write to this address again',
      description:
        'Removes every channel with the address of the link. This gateway keeps only a keyed hash of it.',
      body: { description: 'The token of an e-mail.', schema: linkBodySchema, example: tokenExample },
      reply: jsonReply('No wallet can add the address again.', z.object({ refused: z.literal(true) })),
      errors: ['LINK_INVALID', 'RATE_LIMITED', ...errors],
    },
  }),
};
