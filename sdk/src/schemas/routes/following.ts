// The route for who wants to be told.
import { taskNewsSchema } from '../changes.ts';
import { eventStream } from '../examples/following.ts';
import { eventsQuerySchema } from '../requests.ts';
import type { Route } from '../route.ts';

export const followingRoutes = {
  events: {
    path: '/api/events',
    operationId: 'followChanges',
    tag: 'Following',
    summary: 'Changes as they happen',
    description:
      'Server-sent events. `task` tells that a task was posted or has changed; `reset` tells that what came before is ' +
      'unknown or no longer true, so that lists must be read anew. Every event has an id: a client that comes back ' +
      'with the last one in Last-Event-ID misses nothing and sees nothing twice, also across restarts of the server. ' +
      'Without an id the stream begins with `reset` and tells what happens from then on. Private tasks are told to who ' +
      'asks by their id or by a party’s address. An empty line with an id comes every 15 seconds.',
    query: eventsQuerySchema,
    reply: {
      description: 'An endless stream; the schema is that of `data` in a `task` event.',
      contentType: 'text/event-stream',
      schema: taskNewsSchema,
      example: eventStream,
    },
    isConditional: false,
    errors: ['MARKET_UNKNOWN', 'ADDRESS_MALFORMED', 'TASK_ID_MALFORMED', 'STREAMS_FULL', 'STORE_UNREACHABLE'],
    samples: [{ label: 'Everything on micro', path: '/api/events?market=micro', isStream: true }],
  },
} as const satisfies Record<string, Route>;
