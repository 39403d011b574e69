// Query parameters that several routes share, with the error message for each mistake.
//
// `parameter` in a schema's meta is what the contract publishes where the text of a query becomes another type.
import * as z from 'zod';
import type { ErrorCode } from '../domain/errors.ts';
import { markets } from '../domain/market.ts';
import { addressPattern, asHex, refuse, taskIdPattern } from './primitives.ts';

/** Digits of a query, read as a number. */
export function numberParameter(pattern: RegExp, code: ErrorCode) {
  return z.string().regex(pattern, refuse(code)).transform(Number);
}

/** Where a page of a list begins. */
export function cursorParameterOf(pattern: RegExp, description: string, ...examples: string[]) {
  const cursor = z.string().regex(pattern, refuse('CURSOR_INVALID')).optional();
  return examples.length === 0 ? cursor.meta({ description }) : cursor.meta({ description, examples });
}

/** The place of a log. */
export const logCursorParameter = cursorParameterOf(
  /^[0-9]{1,15}\.[0-9]{1,9}$/,
  'nextCursor of the previous page.',
  '12.3',
);

export const market = z.enum(markets, refuse('MARKET_UNKNOWN'));

export const marketParameter = market
  .default('standard')
  .meta({ description: 'The market; a list never mixes the two.', examples: ['standard', 'micro'] });

/** For a stream, which may follow both. */
export const anyMarketParameter = z
  .enum([...markets, 'all'], refuse('MARKET_UNKNOWN'))
  .optional()
  .meta({
    description:
      'standard unless given; all for both markets. With taskId it is the market of the id, and another one is refused.',
    examples: ['micro', 'all'],
  });

/** For routes with a task id, whose market it must be. */
export const sameMarketParameter = market
  .optional()
  .meta({ description: 'When given, it must be the market of the id.', examples: ['standard'] });

export function limitParameterOf(count: number) {
  return numberParameter(/^([1-9][0-9]?|100)$/, 'LIMIT_INVALID')
    .default(count)
    .meta({
      description: 'Maximum number of items.',
      parameter: { type: 'integer', minimum: 1, maximum: 100, default: count },
      examples: [2, 100],
    });
}

export const limitParameter = limitParameterOf(100);

const addressMeta = {
  parameter: { type: 'string', pattern: addressPattern.source },
  examples: ['0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'],
};

/** As it was written: pages load the schemas first, and the library that writes checksums later. */
export const addressParameter = asHex(
  z
    .string(refuse('ADDRESS_REQUIRED'))
    .min(1, refuse('ADDRESS_REQUIRED'))
    .regex(addressPattern, refuse('ADDRESS_MALFORMED')),
).meta({ description: 'A wallet, in any case.', ...addressMeta });

/** In a path, or in a list. */
export const plainAddressParameter = asHex(z.string().regex(addressPattern, refuse('ADDRESS_MALFORMED')));

export const optionalAddressParameter = plainAddressParameter.optional().meta(addressMeta);

/** A task id whose form the use case checks. */
export function taskIdParameter(description: string, examples: string[], pattern = taskIdPattern.source) {
  return z
    .string()
    .optional()
    .meta({ description, parameter: { type: 'string', pattern }, examples });
}

export const protocolVersions = ['v1', 'v2'] as const;
export type ProtocolVersion = (typeof protocolVersions)[number];

/** Undefined stands for the default of the deployment. */
export const protocolParameter = z
  .enum(protocolVersions, refuse('PROTOCOL_UNKNOWN'))
  .optional()
  .meta({
    description:
      'v1 selects the earlier shape: tasks of the market standard by plain numbers, amounts in USDC at the ' +
      'oracle’s price. The default is v2 unless the deployment sets another.',
    examples: ['v2'],
  });

export const noQuerySchema = z.object({});
/** The address comes first, so that a missing one is reported before other mistakes. */
export const walletQuerySchema = z.object({ address: addressParameter, market: marketParameter });
