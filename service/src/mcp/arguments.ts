// The arguments that tools share, each with a description for the model.

import { type Address, markets, parseAddress } from '@svc/sdk/domain';
import { addressSchema, taskIdSchema } from '@svc/sdk/schemas';
import * as z from 'zod';

export const marketArgument = z
  .enum(markets)
  .default('standard')
  .describe('The market: standard or micro. They are independent, and their lists are never merged.');

export const limitArgument = z
  .int()
  .min(1)
  .max(100)
  .default(20)
  .describe('How many tasks at most, 1 to 100.');

export const cursorArgument = z
  .string()
  .regex(/^[1-9][0-9]{0,14}$/)
  .optional()
  .describe('nextCursor of the page before, to go on from there.');

export const taskIdArgument = taskIdSchema.describe('The task, such as v2:standard:3 or v2:micro:1.');

export const addressArgument = addressSchema
  .transform((address): Address => parseAddress(address))
  .describe('A wallet: 0x and 40 hexadecimal digits, in any case.');
