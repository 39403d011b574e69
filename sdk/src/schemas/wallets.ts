// Routes about one wallet's part in a market: its tasks and its ledger (docs/specification.md section 2, ledger;
// docs/decisions/routes.md).
import * as z from 'zod';
import { earlierPosterListSchema } from './earlier.ts';
import { listParameters } from './listQueries.ts';
import {
  addressSchema,
  cursorSchema,
  marketSchema,
  named,
  taskIdSchema,
  timeSchema,
  weiSchema,
} from './primitives.ts';
import {
  addressParameter,
  cursorParameterOf,
  limitParameter,
  protocolParameter,
  walletQuerySchema,
} from './queries.ts';
import { defineReads, earlierErrors, jsonReply, unreadyErrors } from './route.ts';
import { stateSchema, taskListSchema } from './task.ts';

const amounts = {
  fundedTokWei: weiSchema.describe(
    'In the entry of a worker whose task was listed again for another: what this wallet was paid, as the other amounts.',
  ),
  lockedTokWei: weiSchema.describe('Funded, and not yet released, refunded or paid as a fee.'),
  releasedTokWei: weiSchema.describe('Paid to workers; in a worker’s entry, to this wallet.'),
  refundedTokWei: weiSchema,
  feesTokWei: weiSchema.describe('Taken from what a worker won who answered a dispute without a bond.'),
};

const ledgerSumsSchema = named('LedgerSums', 'Sums over all entries, those of other pages too.', {
  taskCount: z.int().nonnegative(),
  ...amounts,
  pendingTokWei: weiSchema.describe('Locked in CLAIMED, ACTIVE and DELIVERED tasks.'),
  disputedTokWei: weiSchema.describe('Locked in DISPUTED tasks.'),
});

const ledgerEntrySchema = named('LedgerEntry', 'One task of the wallet.', {
  id: taskIdSchema,
  role: z.enum(['poster', 'worker']),
  state: stateSchema,
  totalAmountTokWei: weiSchema,
  ...amounts,
  deadline: timeSchema,
});

const countOf = (state: string) => z.int().nonnegative().describe(`Number of ${state} entries.`);

export const ledgerSchema = named(
  'Ledger',
  'What a wallet has funded, locked, released and disputed, computed from its tasks. It holds no wallet balance.',
  {
    account: addressSchema,
    market: marketSchema,
    registryAddress: addressSchema,
    asset: z.literal('TOK'),
    protocolVersion: z.literal('v2'),
    asPoster: ledgerSumsSchema,
    asWorker: ledgerSumsSchema,
    ...ledgerSumsSchema.shape,
    completed: countOf('COMPLETED'),
    disputed: countOf('DISPUTED'),
    resolved: countOf('RESOLVED'),
    cancelled: countOf('CANCELLED'),
    entries: z.array(ledgerEntrySchema).describe('A page of them, newest task first.'),
    count: z.int().nonnegative(),
    nextCursor: cursorSchema,
  },
);

const press = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const linguist = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';

/** The address comes first, so that a missing one is reported before other mistakes. */
const walletPage = { address: addressParameter, ...listParameters };

export const walletNameSchema = named('WalletName', 'A wallet and its name.', {
  address: addressSchema,
  name: z.string().nullable().describe('For display only: a name never replaces an address.'),
});

export type WalletName = z.infer<typeof walletNameSchema>;

export const walletRoutes = defineReads('Wallets', {
  poster: {
    path: '/api/poster/tasks',
    operationId: 'listPosterTasks',
    summary: 'Tasks that a wallet posted',
    description: 'In any state, private ones included, newest first. The list of an unknown wallet is empty.',
    query: z.object({ ...walletPage, protocolVersion: protocolParameter }),
    reply: {
      ...jsonReply('A page of tasks.', taskListSchema),
      earlier: earlierPosterListSchema,
    },
    errors: [...unreadyErrors, ...earlierErrors],
    samples: [{ label: 'A poster', path: `/api/poster/tasks?address=${press}&limit=2` }],
  },
  worker: {
    path: '/api/worker/tasks',
    operationId: 'listWorkerTasks',
    summary: 'Tasks that a wallet works on or has worked on',
    description: 'Tasks whose current or last worker is this wallet, private ones included, newest first.',
    query: z.object(walletPage),
    reply: jsonReply('A page of tasks.', taskListSchema),
    errors: [...unreadyErrors, 'PRICE_MISSING'],
    samples: [{ label: 'A worker', path: `/api/worker/tasks?address=${linguist}&limit=2` }],
  },
  ledger: {
    path: '/api/get-market-ledger',
    operationId: 'getLedger',
    summary: 'A wallet’s ledger',
    description:
      'What a wallet has funded, locked, released and disputed as poster and as worker, computed from its tasks on one ' +
      'market: sums over all of them, and a page of entries. It does not say what the wallet can withdraw, and it does not include payments outside the contracts.',
    query: walletQuerySchema.extend({
      limit: limitParameter,
      cursor: cursorParameterOf(/^[1-9][0-9]{0,14}$/, 'nextCursor of the previous page.', '40'),
    }),
    reply: jsonReply('The ledger.', ledgerSchema),
    errors: unreadyErrors,
    samples: [{ label: 'A poster', path: `/api/get-market-ledger?address=${press}` }],
  },
  walletName: {
    path: '/api/wallet-name',
    operationId: 'getWalletName',
    summary: 'The name of a wallet',
    description:
      'From the registry of names that the operator has configured, such as ENS. A name is returned only if it leads back ' +
      'to the same wallet; null without one, without a registry, and while it cannot be read. Kept for ten minutes.',
    query: z.object({ address: addressParameter }),
    reply: jsonReply('The name, or null.', walletNameSchema),
    samples: [
      { label: 'A wallet', path: '/api/wallet-name?address=0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' },
    ],
  },
});
