// The queries of the read routes, with the sentence that a mistake is answered with.
import { z } from 'zod';
import { errorMessages } from '#domain/errors.ts';
import { markets } from '#domain/market.ts';

const marketParameter = z
  .enum(markets, { error: errorMessages.MARKET_UNKNOWN })
  .default('standard')
  .meta({ description: 'The market; they are never merged.' });

const limitParameter = z
  .string()
  .regex(/^([1-9][0-9]?|100)$/, errorMessages.LIMIT_INVALID)
  .transform(Number)
  .default(100)
  .meta({ description: 'How many, 1 to 100.', type: 'integer', minimum: 1, maximum: 100, default: 100 });

const cursorParameter = z
  .string()
  .regex(/^[1-9][0-9]{0,15}$/, errorMessages.CURSOR_INVALID)
  .transform(BigInt)
  .optional()
  .meta({ description: 'nextCursor of the page before.' });

const addressParameter = z
  .string({ error: errorMessages.ADDRESS_REQUIRED })
  .min(1, errorMessages.ADDRESS_REQUIRED)
  .regex(/^0x[0-9a-fA-F]{40}$/, errorMessages.ADDRESS_MALFORMED)
  .meta({ description: 'A wallet.' });

export const marketQuerySchema = z.object({ market: marketParameter });
export const listQuerySchema = z.object({
  market: marketParameter,
  limit: limitParameter,
  cursor: cursorParameter,
});
/** The address comes first: a missing one is reported before other mistakes. */
export const walletListQuerySchema = z.object({ address: addressParameter, ...listQuerySchema.shape });
export const walletQuerySchema = z.object({ address: addressParameter, market: marketParameter });

export const taskQuerySchema = z
  .object({
    id: z.string().optional().meta({ description: 'The task’s id.' }),
    taskId: z.string().optional().meta({ description: 'The same.' }),
    market: z.enum(markets, { error: errorMessages.MARKET_UNKNOWN }).optional(),
  })
  .meta({ description: 'One of id and taskId is required.' });

export const eventsQuerySchema = z.object({
  market: z.enum(markets, { error: errorMessages.MARKET_UNKNOWN }).optional(),
  address: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, errorMessages.ADDRESS_MALFORMED)
    .optional(),
  taskId: z.string().optional(),
  lastEventId: z
    .string()
    .optional()
    .meta({ description: 'Resumes after this event, as Last-Event-ID does.' }),
});
