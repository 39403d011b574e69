// Site config and Union overview (Spec 2; docs/decisions.md#routes).
import * as z from 'zod';
import { addressSchema, marketSchema, timeSchema, weiSchema } from './primitives.ts';

export const contractsSchema = z
  .object({
    tokToken: addressSchema,
    taskRegistry: addressSchema,
    depositVault: addressSchema,
    escrowVault: addressSchema,
    paymentGateway: addressSchema,
    stakingVault: addressSchema,
    usdOracle: addressSchema,
    pricingPolicy: addressSchema,
    taskScopeRegistry: addressSchema.meta({ description: 'Answers scopeOf(taskId).' }),
    disputeCourt: addressSchema,
    reputationRegistry: addressSchema,
    marketLens: addressSchema,
    usdc: addressSchema,
  })
  .meta({ id: 'Contracts', description: 'Read them from here; never write them into a program.' });

export const postingPlanSchema = z
  .object({
    id: z.string().meta({ description: 'free is the default plan.', examples: ['free'] }),
    dailyLimit: z.int().nonnegative().meta({ description: 'Posts a day (UTC), by market and wallet.' }),
    label: z.string(),
    priceUsdc: z.number().nonnegative().meta({ description: 'Whole USDC for one period.' }),
    periodDays: z.int().positive(),
  })
  .meta({ id: 'PostingPlan' });

export const limitsSchema = z
  .object({
    openListMax: z.int().positive(),
    freeDailyPosts: z.int().nonnegative(),
    entryCollateralUsd: z.number().nonnegative(),
    recommendedCollateralUsd: z.number().nonnegative(),
    pauseThresholdUsd: z.number().nonnegative(),
    accessFeeTokWei: weiSchema.meta({ description: 'Paid for each post, claim, dismissal and leave.' }),
  })
  .meta({ id: 'Limits' });

export const siteConfigSchema = z
  .object({
    chainId: z.int().positive(),
    chainName: z.string(),
    rpcUrl: z.string().meta({ description: 'A public RPC of the chain.' }),
    market: marketSchema,
    contracts: contractsSchema,
    postingPlans: z.array(postingPlanSchema),
    limits: limitsSchema,
    protocolVersion: z.literal('v2'),
    startBlock: z.int().nonnegative().meta({ description: 'No log of the market is older.' }),
  })
  .meta({ id: 'SiteConfig', description: 'What a client must know before it starts.' });

export const unionOverviewSchema = z
  .object({
    source: z.literal('chain-rpc'),
    stakingActive: z.boolean().meta({ description: 'Whether the vault has been launched.' }),
    totalStakedTok: weiSchema,
    totalCreditsIssued: weiSchema,
    creditsRemaining: weiSchema,
    creditIssuanceClosed: z.boolean(),
    market: marketSchema,
    rewardReserveTok: weiSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'UnionOverview', description: 'The Union vault of one market; no wallet’s balances.' });
