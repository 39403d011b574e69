// Routes about one wallet’s part in a market.
import { earlierPosterListSchema } from '../earlier.ts';
import { taskList } from '../examples/market.ts';
import * as examples from '../examples/wallets.ts';
import { ledgerSchema } from '../ledger.ts';
import { posterQuerySchema, walletListQuerySchema, walletQuerySchema } from '../requests.ts';
import { earlierErrors, json, pageErrors, type Route, unreadyErrors, walletErrors } from '../route.ts';
import { taskListSchema } from '../task.ts';

const press = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const linguist = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';

export const walletRoutes = {
  poster: {
    path: '/api/poster/tasks',
    operationId: 'listPosterTasks',
    tag: 'Wallets',
    summary: 'Tasks that a wallet posted',
    description:
      'In any state, private ones included, newest first. A wallet nobody knows has an empty list.',
    query: posterQuerySchema,
    reply: {
      description: 'A page of tasks.',
      contentType: json,
      schema: taskListSchema,
      earlier: earlierPosterListSchema,
      example: taskList,
    },
    isConditional: true,
    errors: [...walletErrors, ...pageErrors, ...earlierErrors],
    samples: [{ label: 'A poster', path: `/api/poster/tasks?address=${press}&limit=2` }],
  },
  worker: {
    path: '/api/worker/tasks',
    operationId: 'listWorkerTasks',
    tag: 'Wallets',
    summary: 'Tasks that a wallet works on or has worked on',
    description: 'Tasks whose present or last worker it is, private ones included, newest first.',
    query: walletListQuerySchema,
    reply: { description: 'A page of tasks.', contentType: json, schema: taskListSchema, example: taskList },
    isConditional: true,
    errors: [...walletErrors, ...pageErrors],
    samples: [{ label: 'A worker', path: `/api/worker/tasks?address=${linguist}&limit=2` }],
  },
  ledger: {
    path: '/api/get-market-ledger',
    operationId: 'getLedger',
    tag: 'Wallets',
    summary: 'A wallet’s ledger',
    description:
      'What a wallet has funded, locked, released and disputed as poster and as worker, rebuilt from its tasks on one ' +
      'market. It says nothing about what the wallet can withdraw, nor about receipts off the chain.',
    query: walletQuerySchema,
    reply: { description: 'The ledger.', contentType: json, schema: ledgerSchema, example: examples.ledger },
    isConditional: true,
    errors: [...walletErrors, 'MARKET_UNKNOWN', ...unreadyErrors],
    samples: [{ label: 'A poster', path: `/api/get-market-ledger?address=${press}` }],
  },
} as const satisfies Record<string, Route>;
