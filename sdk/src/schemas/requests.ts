// The queries of the routes, with the sentence that each mistake is answered with.
//
// `parameter` in a schema's meta is what the contract publishes where a query's text becomes something else.
import * as z from 'zod';
import { errorMessages } from '#domain/errors.ts';
import { markets } from '#domain/market.ts';

const addressShape = /^0x[0-9a-fA-F]{40}$/;
export const market = z.enum(markets, { error: errorMessages.MARKET_UNKNOWN });
const taskIdPattern = '^v2:(standard|micro):[1-9][0-9]{0,19}$';

export const marketParameter = market
  .default('standard')
  .meta({ description: 'The market; lists of the two are never merged.', examples: ['standard', 'micro'] });

export function limitParameterOf(count: number) {
  return z
    .string()
    .regex(/^([1-9][0-9]?|100)$/, errorMessages.LIMIT_INVALID)
    .transform(Number)
    .default(count)
    .meta({
      description: 'How many at most.',
      parameter: { type: 'integer', minimum: 1, maximum: 100, default: count },
      examples: [2, 100],
    });
}

const limitParameter = limitParameterOf(100);

export const cursorParameter = z
  .string()
  .regex(/^[1-9][0-9]{0,14}$/, errorMessages.CURSOR_INVALID)
  .transform(BigInt)
  .optional()
  .meta({
    description: 'nextCursor of the page before.',
    parameter: { type: 'string', pattern: '^[1-9][0-9]{0,14}$' },
    examples: ['40'],
  });

export const addressParameter = z
  .string({ error: errorMessages.ADDRESS_REQUIRED })
  .min(1, errorMessages.ADDRESS_REQUIRED)
  .regex(addressShape, errorMessages.ADDRESS_MALFORMED)
  .meta({
    description: 'A wallet, in any case.',
    parameter: { type: 'string', pattern: addressShape.source },
    examples: ['0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'],
  });

export const optionalAddressParameter = z
  .string()
  .regex(addressShape, errorMessages.ADDRESS_MALFORMED)
  .optional()
  .meta({
    parameter: { type: 'string', pattern: addressShape.source },
    examples: ['0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'],
  });

export const protocolVersions = ['v1', 'v2'] as const;
export type ProtocolVersion = (typeof protocolVersions)[number];

/** Undefined leaves it to the deployment. */
export const protocolParameter = z
  .enum(protocolVersions, { error: errorMessages.PROTOCOL_UNKNOWN })
  .optional()
  .meta({
    description:
      'v1 answers in the earlier shape: tasks of the market standard by plain numbers, amounts in USDC at the ' +
      'oracle’s price. v2 unless the deployment says otherwise.',
    examples: ['v2'],
  });

export const noQuerySchema = z.object({});
export const marketQuerySchema = z.object({ market: marketParameter });

export const siteConfigQuerySchema = z.object({
  market: marketParameter,
  protocolVersion: protocolParameter,
});

const page = { market: marketParameter, limit: limitParameter, cursor: cursorParameter };
export const listQuerySchema = z.object(page);
export const openQuerySchema = z.object({ ...page, protocolVersion: protocolParameter });

/** The address comes first: a missing one is reported before other mistakes. */
export const walletQuerySchema = z.object({ address: addressParameter, market: marketParameter });
export const walletListQuerySchema = z.object({ address: addressParameter, ...page });
export const posterQuerySchema = z.object({
  address: addressParameter,
  ...page,
  protocolVersion: protocolParameter,
});

export const taskQuerySchema = z.object({
  id: z
    .string()
    .optional()
    .meta({
      description: 'The task; required unless taskId is given. With protocolVersion=v1 a plain number.',
      parameter: { type: 'string', pattern: `${taskIdPattern}|^[0-9]{1,78}$` },
      examples: ['v2:standard:3', 'v2:micro:1'],
    }),
  taskId: z
    .string()
    .optional()
    .meta({
      description: 'Another name of id, which goes before it.',
      parameter: { type: 'string', pattern: `${taskIdPattern}|^[0-9]{1,78}$` },
      examples: ['v2:standard:3'],
    }),
  market: market
    .optional()
    .meta({ description: 'When given, it must be the market of the id.', examples: ['standard'] }),
  protocolVersion: protocolParameter,
});

export const timelineQuerySchema = z.object({
  id: z
    .string()
    .optional()
    .meta({
      description: 'The task; required unless taskId is given.',
      parameter: { type: 'string', pattern: taskIdPattern },
      examples: ['v2:standard:3'],
    }),
  taskId: z
    .string()
    .optional()
    .meta({
      description: 'Another name of id, which goes before it.',
      parameter: { type: 'string', pattern: taskIdPattern },
      examples: ['v2:micro:1'],
    }),
  limit: limitParameter,
  cursor: z
    .string()
    .regex(/^[0-9]{1,15}\.[0-9]{1,9}$/, errorMessages.CURSOR_INVALID)
    .optional()
    .meta({ description: 'nextCursor of the page before.', examples: ['12.3'] }),
});

export const eventsQuerySchema = z.object({
  market: market.optional().meta({ description: 'Only this market.', examples: ['micro'] }),
  address: optionalAddressParameter.meta({
    description: 'Only tasks that this wallet posted or works on, private ones included.',
  }),
  taskId: z
    .string()
    .optional()
    .meta({
      description: 'Only this task.',
      parameter: { type: 'string', pattern: taskIdPattern },
      examples: ['v2:standard:3'],
    }),
  lastEventId: z
    .string()
    .optional()
    .meta({
      description:
        'Resumes after this event, as the header Last-Event-ID does. An unknown one begins with reset.',
      examples: ['0'],
    }),
});
