// Routes about the tasks of a market.
import { earlierOpenListSchema, earlierTaskReplySchema } from '../earlier.ts';
import * as examples from '../examples/market.ts';
import { listQuerySchema, openQuerySchema, taskQuerySchema, timelineQuerySchema } from '../requests.ts';
import { earlierErrors, json, pageErrors, type Route, unreadyErrors } from '../route.ts';
import { openListSchema, taskListSchema, taskReplySchema } from '../task.ts';
import { timelineSchema } from '../timeline.ts';

export const marketRoutes = {
  open: {
    path: '/api/market/open',
    operationId: 'listOpenTasks',
    tag: 'Market',
    summary: 'Claimable tasks',
    description:
      'Tasks in state POSTED that anybody may claim, newest first. A task leaves the list when it is claimed or ' +
      'cancelled, and when its deadline passes.',
    query: openQuerySchema,
    reply: {
      description: 'A page of claimable tasks.',
      contentType: json,
      schema: openListSchema,
      earlier: earlierOpenListSchema,
      example: examples.openList,
    },
    isConditional: true,
    errors: [...pageErrors, ...earlierErrors],
    samples: [
      { label: 'The newest two', path: '/api/market/open?limit=2' },
      { label: 'The other market', path: '/api/market/open?market=micro' },
      { label: 'In the earlier shape', path: '/api/market/open?limit=2&protocolVersion=v1' },
    ],
  },
  recent: {
    path: '/api/market/recent',
    operationId: 'listRecentTasks',
    tag: 'Market',
    summary: 'Recent tasks in any state',
    description: 'Open-scope tasks of one market, newest first. Private tasks are not among them.',
    query: listQuerySchema,
    reply: {
      description: 'A page of tasks.',
      contentType: json,
      schema: taskListSchema,
      example: examples.taskList,
    },
    isConditional: true,
    errors: pageErrors,
    samples: [{ label: 'The newest two', path: '/api/market/recent?limit=2' }],
  },
  task: {
    path: '/api/market/task',
    operationId: 'getTask',
    tag: 'Market',
    summary: 'One task',
    description: 'A task in full, private ones included: who knows the id may read it, as on the chain.',
    query: taskQuerySchema,
    reply: {
      description: 'The task.',
      contentType: json,
      schema: taskReplySchema,
      earlier: earlierTaskReplySchema,
      example: examples.taskReply,
    },
    isConditional: true,
    errors: [
      'TASK_ID_MALFORMED',
      'TASK_NUMBER_MALFORMED',
      'MARKET_UNKNOWN',
      'MARKET_MISMATCH',
      'TASK_NOT_FOUND',
      ...unreadyErrors,
      ...earlierErrors,
    ],
    samples: [
      { label: 'By its id', path: '/api/market/task?id=v2:standard:3' },
      { label: 'In the earlier shape', path: '/api/market/task?id=3&protocolVersion=v1' },
    ],
  },
  timeline: {
    path: '/api/market/timeline',
    operationId: 'getTimeline',
    tag: 'Market',
    summary: 'What happened to a task',
    description: 'The logs of all contracts of the market that speak of this task, oldest first.',
    query: timelineQuerySchema,
    reply: {
      description: 'A page of events.',
      contentType: json,
      schema: timelineSchema,
      example: examples.timeline,
    },
    isConditional: true,
    errors: ['TASK_ID_MALFORMED', 'LIMIT_INVALID', 'CURSOR_INVALID', 'TASK_NOT_FOUND', ...unreadyErrors],
    samples: [{ label: 'From the start', path: '/api/market/timeline?id=v2:standard:3' }],
  },
} as const satisfies Record<string, Route>;
