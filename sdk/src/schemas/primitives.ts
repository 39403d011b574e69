// The values that requests and replies are made of, and the body of an error.
import * as z from 'zod';
import type { ErrorCode } from '../domain/errors.ts';
import { markets } from '../domain/market.ts';

/** Makes a schema report this error code, which a server answers with, in place of zod's message. */
export const refuse = (code: ErrorCode) => ({ error: code });

/** An object that the contract publishes under a name. */
export function named<Shape extends z.core.$ZodLooseShape>(
  id: string,
  description: string | null,
  shape: Shape,
) {
  return z.object(shape).meta({ id, ...(description !== null && { description }) });
}

export const marketSchema = z
  .enum(markets)
  .meta({ id: 'Market', description: 'One of the two independent markets.', examples: ['standard'] });

export const addressPattern = /^0x[0-9a-fA-F]{40}$/;

/** Typed as viem types addresses, hashes and bytes, so that what a reply holds fits there without a cast. */
export const asHex = (schema: z.ZodString) => schema as unknown as z.ZodType<`0x${string}`, string>;

export const addressSchema = asHex(
  z
    .string()
    .regex(addressPattern)
    .meta({
      id: 'Address',
      description: 'A wallet or contract; accepted in any case, returned checksummed.',
      examples: ['0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'],
    }),
);

export const hashSchema = asHex(
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .meta({ id: 'Hash', description: '32 bytes in hexadecimal.' }),
);

/** As a string, to which a limit can be added. */
export const hexText = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/)
  .meta({ id: 'Hex', description: 'Bytes in hexadecimal.' });
export const hexSchema = asHex(hexText);

export const taskIdPattern = /^v2:(standard|micro):[1-9][0-9]{0,19}$/;

export const taskIdSchema = z
  .string()
  .regex(taskIdPattern)
  .meta({
    id: 'TaskId',
    description: 'A task of one market, by its number on chain.',
    examples: ['v2:standard:3'],
  });

export const weiSchema = z
  .string()
  .regex(/^(0|[1-9][0-9]*)$/)
  .meta({
    id: 'TokWei',
    description: 'Wei of TOK (18 decimals), as a decimal integer.',
    examples: ['20000000000000000000000'],
  });

export const timeSchema = z
  .int()
  .nonnegative()
  .meta({ id: 'UnixTime', description: 'Unix seconds.', examples: [1_793_348_694] });

export const blockNumberSchema = z.int().nonnegative().describe('Number of a block.');

export const callSchema = named('Call', 'One unsigned call.', {
  to: addressSchema,
  value: asHex(z.string().regex(/^0x[0-9a-f]{1,64}$/)).meta({
    description: 'Wei of the chain’s coin, hexadecimal.',
    examples: ['0x0'],
  }),
  data: hexSchema,
});

export const metaSchema = named('Meta', 'The market that the reply is about and where its data comes from.', {
  protocolVersion: z.literal('v2'),
  asset: z.literal('TOK').describe('Ticker of the token that all amounts are in.'),
  market: marketSchema,
  source: z.literal('chain-rpc').describe('Where the data was read: all of it comes from the chain.'),
});

export const tallySchema = z.int().nonnegative();
export const countSchema = tallySchema.describe('Number of items on this page.');
export const textOrNull = z.string().nullable();

export const cursorSchema = textOrNull.describe(
  'Send it as cursor to get the next page; null on the last page.',
);

const error = z.string().describe('What went wrong, in a sentence for people.');

const code = z.string().meta({
  description: 'The same for the same mistake in every version, for programs; docs/errors.md explains each.',
  examples: ['LIMIT_INVALID'],
});

export const errorSchema = named('Error', 'An error.', { error, code: code.optional() });

export const problemSchema = named(
  'Problem',
  'An error in the form of RFC 9457, for requests with Accept: application/problem+json.',
  {
    type: z.literal('about:blank'),
    title: z.string().describe('The status in words.'),
    status: z.int(),
    detail: z.string().describe('The same as error.'),
    error,
    code,
  },
);
