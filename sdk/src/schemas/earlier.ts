// The earlier shape, v1: one market, plain numbers as ids, amounts in stablecoin (docs/specification.md section 9).
import * as z from 'zod';
import { postingPlanSchema } from './postingPlans.ts';
import { addressSchema, hashSchema, timeSchema } from './primitives.ts';
import { stateSchema } from './task.ts';

const numberSchema = z
  .string()
  .regex(/^[1-9][0-9]*$/)
  .meta({ id: 'TaskNumber', description: 'A task of the market standard.', examples: ['3'] });

const amounts = {
  escrowAmount: z
    .string()
    .regex(/^[0-9]+$/)
    .describe('The funded amount in units of USDC (6 decimals), at the oracle’s current price.'),
  budgetUsdc: z.number().nonnegative().describe('The whole amount in USDC.'),
};

const times = { createdAt: timeSchema, updatedAt: timeSchema };
const parties = { worker: addressSchema.optional(), settlementDigest: hashSchema.optional() };

export const earlierOpenTaskSchema = z
  .object({ id: numberSchema, state: stateSchema, ...amounts, ...times })
  .meta({ id: 'EarlierOpenTask' });

export const earlierPosterTaskSchema = z
  .object({ id: numberSchema, state: stateSchema, ...amounts, ...parties })
  .meta({ id: 'EarlierPosterTask' });

export const earlierTaskSchema = z
  .object({ id: numberSchema, state: stateSchema, ...amounts, ...times, poster: addressSchema, ...parties })
  .meta({ id: 'EarlierTask' });

const count = z.int().nonnegative();
const priceUpdatedAt = timeSchema
  .optional()
  .describe('Only where the oracle’s price is too old: amounts are at the last price, which is from then.');

export const earlierOpenListSchema = z
  .object({ count, tasks: z.array(earlierOpenTaskSchema), priceUpdatedAt })
  .meta({ id: 'EarlierOpenList', description: 'The open list in the earlier shape.' });

export const earlierPosterListSchema = z
  .object({ count, tasks: z.array(earlierPosterTaskSchema), priceUpdatedAt })
  .meta({ id: 'EarlierPosterList', description: 'A poster’s tasks in the earlier shape.' });

export const earlierTaskReplySchema = z
  .object({ task: earlierTaskSchema, priceUpdatedAt })
  .meta({ id: 'EarlierTaskReply', description: 'A task in the earlier shape.' });

export const earlierSiteConfigSchema = z
  .object({
    chainId: z.int().positive(),
    chainName: z.string(),
    rpcUrl: z.string(),
    contracts: z.object({
      usdc: addressSchema,
      tokToken: addressSchema,
      TaskRegistry: addressSchema,
      AgentDepositVault: addressSchema,
    }),
    postingPlans: z.array(postingPlanSchema),
    protocolVersion: z.literal('v1'),
  })
  .meta({ id: 'EarlierSiteConfig', description: 'The site config in the earlier shape.' });
