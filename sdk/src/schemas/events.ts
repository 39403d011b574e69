// The stream of market changes as server-sent events.
import * as z from 'zod';
import { blockNumberSchema, marketSchema, named, taskIdSchema } from './primitives.ts';
import { anyMarketParameter, optionalAddressParameter, taskIdParameter } from './queries.ts';
import { defineRoutes } from './route.ts';
import { stateSchema } from './task.ts';

/** The data of a `task` event. */
export const taskNewsSchema = named(
  'TaskNews',
  'A task was posted or has changed; read the task for the rest.',
  { id: taskIdSchema, market: marketSchema, state: stateSchema, blockNumber: blockNumberSchema },
);

export type TaskNews = z.output<typeof taskNewsSchema>;

const eventsQuerySchema = z.object({
  market: anyMarketParameter,
  address: optionalAddressParameter.describe('Only tasks that concern this wallet, private ones included.'),
  taskId: taskIdParameter('Only this task.', ['v2:standard:3']),
  lastEventId: z
    .string()
    .optional()
    .meta({
      description:
        'Resumes after this event, as the header Last-Event-ID does. After an unknown id the stream begins with reset.',
      examples: ['0'],
    }),
});

export const eventRoutes = defineRoutes('Following', {
  events: {
    path: '/api/events',
    operationId: 'followChanges',
    summary: 'Changes as they happen',
    description:
      'Server-sent events. `task`: a task was posted or has changed. `reset`: earlier events are unknown or no longer ' +
      'true, so read the lists again. Every event has an id. A client that reconnects with the last id in Last-Event-ID ' +
      'receives every later event once, also after a restart of the server. Without an id the stream begins with ' +
      '`reset` and continues from now. Events of private tasks are sent only to clients that filter by their id or by ' +
      'the address of a wallet they concern. An empty event with an id arrives every 15 seconds.',
    query: eventsQuerySchema,
    reply: {
      description: 'An endless stream; the schema is that of `data` in a `task` event.',
      contentType: 'text/event-stream',
      schema: taskNewsSchema,
      example: `retry: 1000

id: 41
event: reset
data: {}

id: 42
event: task
data: {"id":"v2:micro:31","market":"micro","state":"CLAIMED","blockNumber":654}

`,
    },
    errors: ['MARKET_MISMATCH', 'TASK_ID_MALFORMED', 'STREAMS_FULL', 'STORE_UNREACHABLE'],
    samples: [
      { label: 'Everything on micro', path: '/api/events?market=micro', isStream: true },
      { label: 'Both markets', path: '/api/events?market=all', isStream: true },
    ],
  },
});
