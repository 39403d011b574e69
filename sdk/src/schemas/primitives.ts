// The small values that every request and answer is made of.
import * as z from 'zod';
import { markets } from '#domain/market.ts';

export const marketSchema = z
  .enum(markets)
  .meta({ id: 'Market', description: 'One of the two independent markets.', examples: ['standard'] });

export const addressSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .meta({
    id: 'Address',
    description: 'A wallet or contract; accepted in any case, answered checksummed.',
    examples: ['0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'],
  });

export const hashSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .meta({ id: 'Hash', description: '32 bytes in hexadecimal.' });

export const taskIdSchema = z
  .string()
  .regex(/^v2:(standard|micro):[1-9][0-9]{0,19}$/)
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

export const blockNumberSchema = z.int().nonnegative().meta({ description: 'Number of a block.' });

export const metaSchema = z
  .object({
    protocolVersion: z.literal('v2'),
    asset: z.literal('TOK').meta({ description: 'Ticker of the token that all amounts are in.' }),
    market: marketSchema,
    source: z
      .literal('chain-rpc')
      .meta({ description: 'The read path: everything here comes from the chain.' }),
  })
  .meta({ id: 'Meta', description: 'What the answer is about and where it comes from.' });

export const countSchema = z.int().nonnegative().meta({ description: 'How many there are on this page.' });

export const cursorSchema = z
  .string()
  .nullable()
  .meta({ description: 'Give it as cursor to get the next page; null on the last one.' });
