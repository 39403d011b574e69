// What concerns a wallet: the tasks in which it has a part, with what it should do next first.
import * as z from 'zod';
import { concernRoles, stakeKinds, turns } from '../domain/concernNames.ts';
import { moveKinds } from '../domain/moveKinds.ts';
import { roles } from '../domain/state.ts';
import { cursorSchema, metaSchema, named, refuse, taskIdSchema, timeSchema } from './primitives.ts';
import { cursorParameterOf, limitParameterOf, walletQuerySchema } from './queries.ts';
import { defineReads, jsonReply, unreadyErrors } from './route.ts';
import { stateSchema } from './task.ts';

const concernSchema = named('Concern', 'One task as it concerns one wallet.', {
  taskId: taskIdSchema,
  title: z.string().nullable().describe('Null for a private task, and where no words are known.'),
  isPrivate: z.boolean().describe('Whether its words are left out of public lists.'),
  roles: z.array(z.enum(concernRoles)).describe('What the wallet is, or was, to the task.'),
  state: stateSchema,
  turn: z
    .enum(turns)
    .describe(
      'Whose turn it is. anyone: time is up, and any wallet can end the phase. nobody: over for this wallet.',
    ),
  by: z.array(z.enum(roles)).describe('The roles whose turn it is.'),
  phase: z
    .string()
    .nullable()
    .meta({
      description: 'What those whose turn it is do; null when it is over.',
      examples: ['review the delivery'],
    }),
  sentence: z.string().describe('Where the task stands.'),
  actions: z.array(z.string()).meta({
    description: 'What the wallet may do now, the expected action first; names of the command prepare.',
    examples: [['accept-milestone', 'open-dispute']],
  }),
  until: timeSchema.nullable().describe('The last second in which the expected action comes in time.'),
  afterwards: z.string().nullable().describe('What happens if nobody acts in time.'),
  atStake: z
    .array(
      z.object({
        kind: z.enum(stakeKinds),
        token: z.enum(['TOK', 'USDC']),
        amount: z.string().meta({ description: 'Whole tokens, exact.', examples: ['16000', '5'] }),
      }),
    )
    .describe('What the phase decides about.'),
  moved: z
    .array(
      z.object({
        kind: z.enum(moveKinds),
        amount: z.string().meta({ description: 'Whole TOK, exact.', examples: ['16000'] }),
      }),
    )
    .describe(
      'What the task paid to the wallet and took from it, once it is over for the wallet. fromDispute: fees for rulings, and ' +
        'dispute bonds that came back or were won.',
    ),
  updatedAt: timeSchema,
});

const partCount = z.int().min(0).max(100);

export const concernListSchema = named('ConcernList', null, {
  now: timeSchema.describe('The second of chain time that the list is for.'),
  concerns: z
    .array(concernSchema)
    .describe('The wallet’s turn first, the shortest clock first; finished tasks last, newest first.'),
  count: z.int().nonnegative(),
  counts: z
    .object({ mine: partCount, anyone: partCount, theirs: partCount, nobody: partCount })
    .describe('How many there are in all, by turn. Counting ends at 100.'),
  nextCursor: cursorSchema,
  meta: metaSchema,
});

/** One task as it concerns one wallet. */
export type ConcernFacts = z.output<typeof concernSchema>;

const concernQuerySchema = walletQuerySchema.extend({
  role: z
    .enum(concernRoles, refuse('ROLE_UNKNOWN'))
    .optional()
    .meta({ description: 'Only tasks in which the wallet is this.', examples: ['arbitrator'] }),
  limit: limitParameterOf(50),
  cursor: cursorParameterOf(
    /^[0-9]{1,12}\.[0-3]\.-?[0-9]{1,15}\.[0-9]{1,15}$/,
    'nextCursor of the previous page. It keeps the list at the same second for ten minutes.',
    '1793348694.0.1793607894.3',
  ),
});

export const concernRoutes = defineReads('Wallets', {
  concerns: {
    path: '/api/market/concerns',
    operationId: 'listConcerns',
    summary: 'What concerns a wallet',
    description:
      'Every task of one market in which the wallet has or had a part: as poster, worker, payer of a dispute bond, proposed ' +
      'arbitrator or arbitrator. What it should do next comes first. Private tasks are listed, since the chain shows their ' +
      'wallets; only their words are left out.',
    query: concernQuerySchema,
    reply: jsonReply('A page of tasks as they concern the wallet.', concernListSchema),
    errors: unreadyErrors,
    samples: [
      {
        label: 'A wallet’s turn first',
        path: '/api/market/concerns?address=0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65&limit=2',
      },
      {
        label: 'As an arbitrator',
        path: '/api/market/concerns?address=0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65&role=arbitrator',
      },
    ],
  },
});
