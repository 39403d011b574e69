// The earlier shape, v1: one market, plain numbers as ids, amounts in stablecoin (docs/specification.md section 9).
import * as z from 'zod';
import { postingPlanSchema } from './postingPlans.ts';
import { addressSchema, hashSchema, named, timeSchema } from './primitives.ts';
import { stateSchema } from './task.ts';

const numberSchema = z
  .string()
  .regex(/^[1-9][0-9]*$/)
  .meta({ id: 'TaskNumber', description: 'A task of the market standard.', examples: ['3'] });

const head = {
  id: numberSchema,
  state: stateSchema,
  escrowAmount: z
    .string()
    .regex(/^[0-9]+$/)
    .describe('The funded amount in units of USDC (6 decimals), at the oracle’s current price.'),
  budgetUsdc: z.number().nonnegative().describe('The whole amount in USDC.'),
};

const times = { createdAt: timeSchema, updatedAt: timeSchema };
const parties = { worker: addressSchema.optional(), settlementDigest: hashSchema.optional() };

const openTaskSchema = named('EarlierOpenTask', null, { ...head, ...times });
const posterTaskSchema = named('EarlierPosterTask', null, { ...head, ...parties });
const taskSchema = named('EarlierTask', null, { ...head, ...times, poster: addressSchema, ...parties });

const count = z.int().nonnegative();
const priceUpdatedAt = timeSchema
  .optional()
  .describe('Only where the oracle’s price is too old: amounts are at the last price, which is from then.');

export const earlierOpenListSchema = named('EarlierOpenList', 'The open list in the earlier shape.', {
  count,
  tasks: z.array(openTaskSchema),
  priceUpdatedAt,
});

export const earlierPosterListSchema = named('EarlierPosterList', 'A poster’s tasks in the earlier shape.', {
  count,
  tasks: z.array(posterTaskSchema),
  priceUpdatedAt,
});

export const earlierTaskReplySchema = named('EarlierTaskReply', 'A task in the earlier shape.', {
  task: taskSchema,
  priceUpdatedAt,
});

export const earlierSiteConfigSchema = named('EarlierSiteConfig', 'The site config in the earlier shape.', {
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
});
