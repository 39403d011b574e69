// What /health answers.
import * as z from 'zod';
import { blockNumberSchema } from './primitives.ts';

export const healthSchema = z
  .object({
    status: z.enum(['ok', 'degraded']).meta({
      description: 'degraded: no new block for half a minute; answers show the last one known.',
    }),
    ready: z.literal(true),
    block: blockNumberSchema,
    blockAgeSeconds: z.int().nonnegative(),
    history: z
      .object({ complete: z.boolean(), fromBlock: blockNumberSchema, startBlock: blockNumberSchema })
      .meta({ description: 'How far back events have been read; they are read newest first.' }),
  })
  .meta({ id: 'Health' });

export const unreadySchema = z
  .object({
    status: z.enum(['starting', 'stopping']).meta({
      description:
        'starting: nothing is known of the chain yet. stopping: what comes is still answered, but send no more.',
    }),
    ready: z.literal(false),
    error: z.string(),
  })
  .meta({ id: 'Unready' });
