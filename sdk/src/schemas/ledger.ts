// A wallet's ledger on one market (Spec 2, ledger; docs/decisions.md#routes).
import * as z from 'zod';
import { addressSchema, marketSchema, taskIdSchema, timeSchema, weiSchema } from './primitives.ts';
import { stateSchema } from './task.ts';

const amounts = {
  fundedTokWei: weiSchema,
  lockedTokWei: weiSchema.meta({ description: 'Funded and neither released, refunded nor paid as fee.' }),
  releasedTokWei: weiSchema.meta({ description: 'Paid to workers; in a worker’s entry, to this wallet.' }),
  refundedTokWei: weiSchema,
  feesTokWei: weiSchema.meta({ description: 'Paid to arbitrators out of escrow.' }),
};

export const ledgerSumsSchema = z
  .object({
    ...amounts,
    pendingTokWei: weiSchema.meta({ description: 'What is locked in CLAIMED, ACTIVE and DELIVERED tasks.' }),
    disputedTokWei: weiSchema.meta({ description: 'What is locked in DISPUTED tasks.' }),
  })
  .meta({ id: 'LedgerSums', description: 'Sums over entries.' });

export const ledgerEntrySchema = z
  .object({
    id: taskIdSchema,
    role: z.enum(['poster', 'worker']),
    state: stateSchema,
    totalAmountTokWei: weiSchema,
    ...amounts,
    deadline: timeSchema,
  })
  .meta({ id: 'LedgerEntry', description: 'One task of the wallet.' });

const taskCount = (what: string) =>
  z
    .int()
    .nonnegative()
    .meta({ description: `How many entries are ${what}.` });

export const ledgerSchema = z
  .object({
    account: addressSchema,
    market: marketSchema,
    registryAddress: addressSchema,
    asset: z.literal('TOK'),
    protocolVersion: z.literal('v2'),
    taskCount: z.int().nonnegative(),
    asPoster: ledgerSumsSchema,
    asWorker: ledgerSumsSchema,
    ...ledgerSumsSchema.shape,
    completed: taskCount('COMPLETED'),
    disputed: taskCount('DISPUTED'),
    cancelled: taskCount('CANCELLED'),
    complete: z.boolean().meta({
      description:
        'False while older payments are still being read from the chain. Until then those of tasks that were listed ' +
        'again may be missing: a worker’s `releasedTokWei` may be too low, and entries of earlier workers may not be ' +
        'there. Everything else is right at once.',
    }),
    entries: z.array(ledgerEntrySchema).meta({ description: 'Newest task first.' }),
  })
  .meta({
    id: 'Ledger',
    description:
      'What a wallet has funded, locked, released and disputed, rebuilt from its tasks. No balance of the wallet.',
  });
