// The gateway's task lists and single tasks, free and paid.

import { listParametersOf } from '@svc/sdk/internal/schemas/listQueries';
import { limitParameterOf } from '@svc/sdk/internal/schemas/queries';
import { defineReads, defineRoutes, jsonReply, unreadyErrors } from '@svc/sdk/internal/schemas/route';
import { openListSchema, taskListSchema, taskReplySchema } from '@svc/sdk/internal/schemas/task';
import * as z from 'zod';
import { challengeSchema, gatewayTaskQuerySchema, taskErrors, taskParamsSchema } from './claiming.ts';

const gatewayListQuerySchema = z.object(listParametersOf(limitParameterOf(100)));

const lists = {
  open: {
    query: gatewayListQuerySchema,
    reply: jsonReply('A page of claimable tasks.', openListSchema),
    errors: [...unreadyErrors, 'PRICE_MISSING'],
  },
  recent: {
    query: gatewayListQuerySchema,
    reply: jsonReply('A page of tasks.', taskListSchema),
    errors: [...unreadyErrors, 'PRICE_MISSING'],
  },
  task: {
    params: taskParamsSchema,
    query: gatewayTaskQuerySchema,
    reply: jsonReply('The task.', taskReplySchema),
    errors: [...taskErrors, ...unreadyErrors],
  },
} as const;

export const gatewayTaskRoutes = defineReads('Market', {
  gatewayOpen: {
    ...lists.open,
    path: '/v1/market/open',
    operationId: 'listOpenTasks',
    summary: 'Claimable tasks',
    description: 'The same as /api/market/open of the site.',
    samples: [{ label: 'The newest two', path: '/v1/market/open?limit=2' }],
  },
  gatewayRecent: {
    ...lists.recent,
    path: '/v1/market/recent',
    operationId: 'listRecentTasks',
    summary: 'Recent tasks in any state',
    description: 'The same as /api/market/recent of the site.',
    samples: [{ label: 'The other market', path: '/v1/market/recent?market=micro' }],
  },
  gatewayTask: {
    ...lists.task,
    path: '/v1/tasks/:id',
    operationId: 'getTask',
    summary: 'One task',
    description: 'A task in full, by its id or by its plain number.',
    samples: [{ label: 'By number', path: '/v1/tasks/3?market=standard' }],
  },
});

const paid = {
  description: 'Only where the gateway sells its reads.',
  others: { 402: jsonReply('The price of the read, in both versions of x402.', challengeSchema) },
} as const;

/** Served where SVC_PAID_DISCOVERY is on. */
export const paidRoutes = defineRoutes('Market', {
  paidOpen: {
    ...lists.open,
    ...paid,
    path: '/v1/paid/market/open',
    operationId: 'buyOpenTasks',
    summary: 'Claimable tasks, for a payment',
    description: 'Only where the gateway sells its reads. The same answer is free at /v1/market/open.',
  },
  paidRecent: {
    ...lists.recent,
    ...paid,
    path: '/v1/paid/market/recent',
    operationId: 'buyRecentTasks',
    summary: 'Recent tasks, for a payment',
  },
  paidTask: {
    ...lists.task,
    ...paid,
    path: '/v1/paid/tasks/:id',
    operationId: 'buyTask',
    summary: 'One task, for a payment',
    samples: [{ label: 'The price', path: '/v1/paid/tasks/3' }],
  },
});
