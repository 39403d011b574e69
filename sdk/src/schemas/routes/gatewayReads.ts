// The gateway's reads: tasks, boards, fees, and the same tasks for a payment.
import { challengeSchema } from '../claim.ts';
import * as examples from '../examples/gateway.ts';
import * as marketExamples from '../examples/market.ts';
import {
  feesSchema,
  reputationBoardSchema,
  treasuryHistorySchema,
  treasurySchema,
  verifierBoardSchema,
} from '../gateway.ts';
import {
  boardQuerySchema,
  gatewayListQuerySchema,
  gatewayTaskQuerySchema,
  historyQuerySchema,
  reputationQuerySchema,
  taskParamsSchema,
} from '../gatewayRequests.ts';
import { type Body, json, pageErrors, type Route, unreadyErrors } from '../route.ts';
import { openListSchema, taskListSchema, taskReplySchema } from '../task.ts';

const openBody: Body = {
  description: 'A page of claimable tasks.',
  contentType: json,
  schema: openListSchema,
  example: marketExamples.openList,
};
const recentBody: Body = {
  description: 'A page of tasks.',
  contentType: json,
  schema: taskListSchema,
  example: marketExamples.taskList,
};
const taskBody: Body = {
  description: 'The task.',
  contentType: json,
  schema: taskReplySchema,
  example: marketExamples.taskReply,
};
const unpaid: Body = {
  description: 'What the read costs, in both versions of x402.',
  contentType: json,
  schema: challengeSchema,
  example: examples.challenge,
};

const taskErrors = [
  'TASK_ID_MALFORMED',
  'MARKET_UNKNOWN',
  'MARKET_MISMATCH',
  'TASK_NOT_FOUND',
  ...unreadyErrors,
] as const;
const boardErrors = ['MARKET_UNKNOWN', 'LIMIT_INVALID', 'NOT_READY'] as const;

const lists = {
  open: { tag: 'Market', query: gatewayListQuerySchema, reply: openBody, errors: pageErrors },
  recent: { tag: 'Market', query: gatewayListQuerySchema, reply: recentBody, errors: pageErrors },
  task: {
    tag: 'Market',
    params: taskParamsSchema,
    query: gatewayTaskQuerySchema,
    reply: taskBody,
    errors: taskErrors,
  },
} as const;

export const gatewayReadRoutes = {
  gatewayOpen: {
    ...lists.open,
    path: '/v1/market/open',
    operationId: 'listOpenTasks',
    summary: 'Claimable tasks',
    description: 'As the site’s /api/market/open, in pages of 25.',
    isConditional: true,
    samples: [{ label: 'The newest two', path: '/v1/market/open?limit=2' }],
  },
  gatewayRecent: {
    ...lists.recent,
    path: '/v1/market/recent',
    operationId: 'listRecentTasks',
    summary: 'Recent tasks in any state',
    description: 'As the site’s /api/market/recent, in pages of 25.',
    isConditional: true,
    samples: [{ label: 'The other market', path: '/v1/market/recent?market=micro' }],
  },
  gatewayTask: {
    ...lists.task,
    path: '/v1/tasks/:id',
    operationId: 'getTask',
    summary: 'One task',
    description: 'A task in full, by its id or by its plain number.',
    isConditional: true,
    samples: [{ label: 'By number', path: '/v1/tasks/3?market=standard' }],
  },
  reputation: {
    path: '/v1/leaderboard/reputation',
    operationId: 'listAgents',
    tag: 'Boards',
    summary: 'Agents by reputation',
    description:
      'Counters of the reputation registry, the score they make, and what escrow has paid out. 503 until the whole history is read.',
    query: reputationQuerySchema,
    reply: {
      description: 'The best first.',
      contentType: json,
      schema: reputationBoardSchema,
      example: examples.reputationBoard,
    },
    isConditional: true,
    errors: [...boardErrors, 'ADDRESS_MALFORMED'],
    samples: [{ label: 'The first ten', path: '/v1/leaderboard/reputation?limit=10' }],
  },
  verifiers: {
    path: '/v1/leaderboard/verifiers',
    operationId: 'listVerifiers',
    tag: 'Boards',
    summary: 'Arbitrators by bond',
    description: 'What the dispute court keeps of each.',
    query: boardQuerySchema,
    reply: {
      description: 'The largest bond first.',
      contentType: json,
      schema: verifierBoardSchema,
      example: examples.verifierBoard,
    },
    isConditional: true,
    errors: boardErrors,
    samples: [{ label: 'All of the standard market', path: '/v1/leaderboard/verifiers' }],
  },
  treasury: {
    path: '/v1/treasury',
    operationId: 'listDeposits',
    tag: 'Boards',
    summary: 'Solvency per agent',
    description:
      'Every deposit against 25, 45 and 8 USD; the paused first, then the lowest. 503 until the whole history is read, which tells who has one.',
    query: boardQuerySchema,
    reply: {
      description: 'Deposits, and their totals.',
      contentType: json,
      schema: treasurySchema,
      example: examples.treasury,
    },
    isConditional: true,
    errors: boardErrors,
    samples: [{ label: 'The micro market', path: '/v1/treasury?market=micro' }],
  },
  treasuryHistory: {
    path: '/v1/treasury/history',
    operationId: 'getTreasuryHistory',
    tag: 'Boards',
    summary: 'Collateral over time',
    description:
      'What deposits and bonds of arbitrators came to, from the events that moved them. 503 until the whole history is read.',
    query: historyQuerySchema,
    reply: {
      description: 'One point for each day with a change.',
      contentType: json,
      schema: treasuryHistorySchema,
      example: examples.treasuryHistory,
    },
    isConditional: true,
    errors: ['MARKET_UNKNOWN', 'NOT_READY'],
    samples: [{ label: 'The standard market', path: '/v1/treasury/history' }],
  },
  fees: {
    path: '/v1/fees',
    operationId: 'getFees',
    tag: 'Boards',
    summary: 'What the market asks of everybody',
    description: 'Access fee, collateral, bonds, plans, and the price of a claim here.',
    query: boardQuerySchema,
    reply: { description: 'The figures.', contentType: json, schema: feesSchema, example: examples.fees },
    isConditional: true,
    errors: boardErrors,
    samples: [{ label: 'The standard market', path: '/v1/fees' }],
  },
} as const satisfies Record<string, Route>;

/** Served where SVC_PAID_DISCOVERY is on. */
export const paidRoutes = {
  paidOpen: {
    ...lists.open,
    path: '/v1/paid/market/open',
    operationId: 'buyOpenTasks',
    summary: 'Claimable tasks, for a payment',
    description: 'Only where the gateway sells its reads. The same answer is free at /v1/market/open.',
    unpaid,
    isConditional: false,
    samples: [{ label: 'The price', path: '/v1/paid/market/open' }],
  },
  paidRecent: {
    ...lists.recent,
    path: '/v1/paid/market/recent',
    operationId: 'buyRecentTasks',
    summary: 'Recent tasks, for a payment',
    description: 'Only where the gateway sells its reads.',
    unpaid,
    isConditional: false,
    samples: [{ label: 'The price', path: '/v1/paid/market/recent' }],
  },
  paidTask: {
    ...lists.task,
    path: '/v1/paid/tasks/:id',
    operationId: 'buyTask',
    summary: 'One task, for a payment',
    description: 'Only where the gateway sells its reads.',
    unpaid,
    isConditional: false,
    samples: [{ label: 'The price', path: '/v1/paid/tasks/3' }],
  },
} as const satisfies Record<string, Route>;
