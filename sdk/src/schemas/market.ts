// Routes about the tasks of a market, and a task's timeline.
import * as z from 'zod';
import { contractNames } from '../domain/event.ts';
import { documentFields, workDocumentSchema } from './documents.ts';
import { earlierOpenListSchema, earlierTaskReplySchema } from './earlier.ts';
import { feedParameters, listParameters } from './listQueries.ts';
import {
  blockNumberSchema,
  countSchema,
  cursorSchema,
  hashSchema,
  metaSchema,
  named,
  taskIdPattern,
  taskIdSchema,
  timeSchema,
} from './primitives.ts';
import {
  limitParameter,
  logCursorParameter,
  protocolParameter,
  sameMarketParameter,
  taskIdParameter,
} from './queries.ts';
import { defineReads, earlierErrors, jsonReply, plainBody, unreadyErrors } from './route.ts';
import { openListSchema, taskListSchema, taskReplySchema, tasksReplySchema } from './task.ts';
import { taskEventSchema } from './taskEvents.ts';

/** What all events have. */
export const eventPlaceSchema = z.object({
  blockNumber: blockNumberSchema,
  time: timeSchema,
  txHash: hashSchema,
  logIndex: z.int().nonnegative(),
  contract: z.enum(contractNames).describe('The contract of the market that emitted it.'),
  ...z.object(documentFields(workDocumentSchema)).partial().shape,
});

const timelineEventSchema = z.intersection(eventPlaceSchema, taskEventSchema).meta({
  id: 'TimelineEvent',
  description:
    'One log: its name in the contract and its arguments. An event that names a document has it in document and documentState. Unknown senders write the texts in it.',
});

export type TimelineEvent = z.output<typeof timelineEventSchema>;

export const timelineSchema = named('Timeline', null, {
  id: taskIdSchema,
  events: z.array(timelineEventSchema).describe('Oldest first.'),
  count: countSchema,
  nextCursor: cursorSchema,
  meta: metaSchema,
});

const oneTaskId = taskIdPattern.source.slice(1, -1);
const taskIdOfEitherShape = `^${oneTaskId}$|^[0-9]{1,78}$`;
const aliasDescription = 'Another name for id; where both are given they must agree.';

const taskQuerySchema = z.object({
  id: taskIdParameter(
    'The task; required unless taskId is given. With protocolVersion=v1 a plain number.',
    ['v2:standard:3', 'v2:micro:1'],
    taskIdOfEitherShape,
  ),
  taskId: taskIdParameter(aliasDescription, ['v2:standard:3'], taskIdOfEitherShape),
  market: sameMarketParameter,
  protocolVersion: protocolParameter,
});

const tasksQuerySchema = z.object({
  ids: taskIdParameter(
    'Up to 50 ids of one market, separated by commas; required.',
    ['v2:standard:3,v2:standard:4'],
    `^${oneTaskId}(,${oneTaskId}){0,49}$`,
  ),
  market: sameMarketParameter,
});

const timelineQuerySchema = z.object({
  id: taskIdParameter('The task; required unless taskId is given.', ['v2:standard:3']),
  taskId: taskIdParameter(aliasDescription, ['v2:micro:1']),
  limit: limitParameter,
  cursor: logCursorParameter,
});

const taskRoutes = defineReads('Market', {
  open: {
    path: '/api/market/open',
    operationId: 'listOpenTasks',
    summary: 'Claimable tasks',
    description:
      'Tasks in state POSTED that any wallet may claim, newest first. A task leaves the list when it is claimed or ' +
      'cancelled, and when its deadline passes.',
    query: z.object({ ...listParameters, protocolVersion: protocolParameter }),
    reply: {
      ...jsonReply('A page of claimable tasks.', openListSchema),
      earlier: earlierOpenListSchema,
    },
    errors: [...unreadyErrors, ...earlierErrors],
    samples: [
      { label: 'The newest two', path: '/api/market/open?limit=2' },
      { label: 'The other market', path: '/api/market/open?market=micro' },
      { label: 'Funded, best paid first', path: '/api/market/open?fullyFunded=true&sort=highest&limit=2' },
      { label: 'In the earlier shape', path: '/api/market/open?limit=2&protocolVersion=v1' },
    ],
  },
  recent: {
    path: '/api/market/recent',
    operationId: 'listRecentTasks',
    summary: 'Recent tasks in any state',
    description: 'Open-scope tasks of one market, newest first. The list has no private tasks.',
    query: z.object(listParameters),
    reply: jsonReply('A page of tasks.', taskListSchema),
    errors: [...unreadyErrors, 'PRICE_MISSING'],
    samples: [
      { label: 'The newest two', path: '/api/market/recent?limit=2' },
      { label: 'A search', path: '/api/market/recent?q=lighthouse&state=COMPLETED&limit=2' },
    ],
  },
  feed: {
    path: '/api/market/feed',
    operationId: 'getBoardFeed',
    tag: 'Market',
    summary: 'Claimable tasks as a feed',
    description:
      'The newest 50 claimable tasks as an Atom feed (RFC 4287), for feed readers. Each entry has the amount, the funding, ' +
      'the deadline and the beginning of the description as plain text. Its id does not change.',
    query: z.object(feedParameters),
    reply: plainBody(
      'The feed.',
      'application/atom+xml',
      '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">',
    ),
    errors: unreadyErrors,
    samples: [
      { label: 'The standard market', path: '/api/market/feed' },
      { label: 'One tag', path: '/api/market/feed?market=standard&tag=illustration' },
    ],
  },
  task: {
    path: '/api/market/task',
    operationId: 'getTask',
    summary: 'One task',
    description: 'A task in full. Private tasks are public to anyone who knows the id, as on the chain.',
    query: taskQuerySchema,
    reply: {
      ...jsonReply('The task.', taskReplySchema),
      earlier: earlierTaskReplySchema,
    },
    errors: [
      'TASK_ID_MALFORMED',
      'TASK_NUMBER_MALFORMED',
      'TASK_IDS_DIFFER',
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
  tasks: {
    path: '/api/market/tasks',
    operationId: 'getTasks',
    summary: 'Several tasks by their ids',
    description:
      'Up to 50 tasks of one market in full, in the order of the ids. Ids without a task are listed in missing.',
    query: tasksQuerySchema,
    reply: jsonReply('The tasks.', tasksReplySchema),
    errors: [
      'TASK_ID_MALFORMED',
      'TOO_MANY_IDS',
      'TASK_MARKETS_DIFFER',
      'TASK_ID_REPEATED',
      'MARKET_MISMATCH',
      ...unreadyErrors,
    ],
    samples: [{ label: 'Two tasks', path: '/api/market/tasks?ids=v2:standard:3,v2:standard:4' }],
  },
});

/** A group of its own: each event has its arguments described. */
const timelineRoutes = defineReads('Timeline', {
  timeline: {
    path: '/api/market/timeline',
    operationId: 'getTimeline',
    summary: 'What happened to a task',
    description: 'The logs about this task from all contracts of the market, oldest first.',
    query: timelineQuerySchema,
    reply: jsonReply('A page of events.', timelineSchema),
    errors: ['TASK_ID_MALFORMED', 'TASK_IDS_DIFFER', 'TASK_NOT_FOUND', ...unreadyErrors],
    samples: [{ label: 'From the start', path: '/api/market/timeline?id=v2:standard:3' }],
  },
});

export const marketRoutes = { ...taskRoutes, ...timelineRoutes };
