// What a wallet received and paid in TOK: by month, and payment by payment.
import * as z from 'zod';
import { moveKinds } from '../domain/moveKinds.ts';
import {
  addressSchema,
  cursorSchema,
  hashSchema,
  metaSchema,
  named,
  taskIdSchema,
  timeSchema,
  weiSchema,
} from './primitives.ts';
import { limitParameterOf, logCursorParameter, walletQuerySchema } from './queries.ts';
import { defineRoutes, jsonReply, unreadyErrors } from './route.ts';

const usd = z.number().nullable();

const monthSchema = named('EarningsMonth', null, {
  month: z
    .string()
    .regex(/^[0-9]{4}-[0-9]{2}$/)
    .meta({ description: 'In UTC.', examples: ['2026-11'] }),
  earnedTokWei: weiSchema.describe('Paid to the wallet for its work.'),
  refundedTokWei: weiSchema.describe('Returned to the wallet out of escrow.'),
  fromDisputeTokWei: weiSchema.describe('Dispute bonds that came back or were won, and fees for rulings.'),
  fundedTokWei: weiSchema.describe('Paid by the wallet into escrow.'),
  accessFeeTokWei: weiSchema.describe('Access fees paid in TOK.'),
  disputeBondTokWei: weiSchema.describe('Dispute bonds paid.'),
  netTokWei: z
    .string()
    .regex(/^-?[0-9]+$/)
    .meta({ description: 'What came in less what went out; may be negative.', examples: ['-2500'] }),
  netUsd: usd.describe(
    'The same in dollars, each payment at a price of its day; null where a price is not known.',
  ),
});

const paymentSchema = named('EarningsPayment', null, {
  taskId: taskIdSchema,
  kind: z.enum(moveKinds),
  amountTokWei: weiSchema,
  usd: usd.describe('At a price of its day; null where none is known.'),
  time: timeSchema,
  txHash: hashSchema,
});

export const earningsSchema = named('Earnings', 'The TOK that a market moved for a wallet.', {
  account: addressSchema,
  months: z.array(monthSchema).describe('The last twelve months in which TOK moved, newest first.'),
  payments: z.array(paymentSchema).describe('Newest first.'),
  count: z.int().nonnegative(),
  nextCursor: cursorSchema,
  meta: metaSchema,
});

export const earningsRoutes = defineRoutes('Wallets', {
  earnings: {
    path: '/api/market/earnings',
    operationId: 'getEarnings',
    summary: 'What a wallet received and paid',
    description:
      'Every payment in TOK that one market made to the wallet or took from it, newest first, and the sums of the last ' +
      'twelve months. Dollars are at a price of the day. Collateral in USDC, stakes and plans are not part of it.',
    query: walletQuerySchema.extend({ limit: limitParameterOf(50), cursor: logCursorParameter }),
    reply: jsonReply('Sums by month and a page of payments.', earningsSchema),
    isConditional: true,
    errors: unreadyErrors,
    samples: [
      {
        label: 'A wallet',
        path: '/api/market/earnings?address=0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65&limit=2',
      },
    ],
  },
});
