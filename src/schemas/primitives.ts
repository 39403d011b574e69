// The small values that every request and answer is made of.
import { z } from 'zod';
import { markets } from '#domain/market.ts';

export const marketSchema = z
  .enum(markets)
  .meta({ id: 'Market', description: 'One of the two independent markets.', example: 'standard' });

export const addressSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .meta({
    id: 'Address',
    description: 'A wallet or contract address; accepted in any case, answered checksummed.',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
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
    example: 'v2:standard:7',
  });

export const weiSchema = z
  .string()
  .regex(/^(0|[1-9][0-9]*)$/)
  .meta({
    id: 'TokWei',
    description: 'Decimal wei of TOK (18 decimals).',
    example: '1500000000000000000000',
  });

export const timeSchema = z
  .int()
  .nonnegative()
  .meta({ id: 'UnixTime', description: 'Unix seconds.', example: 1_780_000_000 });

export const errorSchema = z
  .object({ error: z.string() })
  .meta({ id: 'Error', description: 'What is wrong, in words.', example: { error: 'Task not found' } });
