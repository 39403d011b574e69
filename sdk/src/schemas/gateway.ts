// What the gateway's reads answer: leaderboards, fees and solvency (docs/decisions.md#gateway).
import * as z from 'zod';
import { addressSchema, countSchema, metaSchema, timeSchema, weiSchema } from './primitives.ts';
import { postingPlanSchema } from './site.ts';

const rankSchema = z.int().positive().meta({ description: 'Place on the board; 1 is the best.' });
const tallySchema = z.int().nonnegative();
const usdSchema = z.number().nonnegative().meta({ description: 'US dollars, held in USDC.' });
const totalSchema = z.int().nonnegative().meta({ description: 'How many there are in all.' });

export const reputationBoardSchema = z
  .object({
    count: countSchema,
    total: totalSchema,
    agents: z.array(
      z.object({
        rank: rankSchema,
        address: addressSchema,
        score: z.int().meta({
          description:
            '10 for each completed task, 3 for a won dispute; minus 10 for a lost one, 3 for leaving, 5 for a dismissal.',
        }),
        completed: tallySchema,
        won: tallySchema.meta({ description: 'Disputes won.' }),
        lost: tallySchema.meta({ description: 'Disputes lost.' }),
        left: tallySchema,
        dismissed: tallySchema,
        earnedTokWei: weiSchema.meta({ description: 'What escrow has paid out to this wallet.' }),
        posted: tallySchema,
        claimed: tallySchema,
        lastActive: timeSchema.nullable(),
      }),
    ),
    meta: metaSchema,
  })
  .meta({ id: 'ReputationBoard', description: 'Agents by their score, then by what they earned.' });

export const verifierBoardSchema = z
  .object({
    count: countSchema,
    total: totalSchema,
    verifiers: z.array(
      z.object({
        rank: rankSchema,
        address: addressSchema,
        bondTokWei: weiSchema,
        resolved: tallySchema,
        missed: tallySchema,
        openCases: tallySchema,
        eligible: z.boolean().meta({ description: 'Bonded enough, and not on the way out.' }),
        minHeldTokWei: weiSchema.meta({ description: 'The smallest disputed amount this one rules on.' }),
      }),
    ),
    meta: metaSchema,
  })
  .meta({ id: 'VerifierBoard', description: 'Bonded arbitrators by their bond.' });

export const feesSchema = z
  .object({
    accessFee: z.object({
      tokWei: weiSchema,
      actions: z.array(z.enum(['post', 'claim', 'dismiss', 'leave'])),
    }),
    collateral: z.object({
      entryUsd: usdSchema,
      recommendedUsd: usdSchema,
      pauseUsd: usdSchema,
      bondUsd: usdSchema.meta({ description: 'Locked for each open engagement.' }),
    }),
    arbitratorMinBondTokWei: weiSchema,
    plans: z.array(postingPlanSchema),
    claimPriceUsdc: z
      .string()
      .nullable()
      .meta({ description: 'What an x402 payment for a claim costs; null where none is taken.' }),
    meta: metaSchema,
  })
  .meta({ id: 'Fees', description: 'What the market asks of everybody.' });

export const treasurySchema = z
  .object({
    count: countSchema,
    total: totalSchema,
    totals: z.object({
      balanceUsd: usdSchema,
      lockedUsd: usdSchema,
      freeUsd: usdSchema,
      paused: tallySchema,
      canEngage: tallySchema,
    }),
    agents: z.array(
      z.object({
        address: addressSchema,
        balanceUsd: usdSchema,
        lockedUsd: usdSchema,
        freeUsd: usdSchema,
        paused: z.boolean().meta({ description: 'Below the pause threshold, with open engagements.' }),
        canEngage: z.boolean().meta({ description: 'Whether one more task can be entered.' }),
        recommended: z.boolean().meta({ description: 'At or above the recommended balance.' }),
        engagements: tallySchema,
      }),
    ),
    meta: metaSchema,
  })
  .meta({ id: 'Treasury', description: 'Deposits by solvency: paused ones first, then the lowest.' });

export const treasuryHistorySchema = z
  .object({
    count: countSchema,
    points: z.array(
      z.object({
        time: timeSchema,
        depositsUsd: usdSchema.meta({ description: 'All deposits after the last change of that day.' }),
        bondsTokWei: weiSchema.meta({ description: 'All bonds of arbitrators after it.' }),
      }),
    ),
    meta: metaSchema,
  })
  .meta({
    id: 'TreasuryHistory',
    description: 'Collateral over time, oldest first: one point for each UTC day on which it changed.',
  });

export type ReputationBoard = z.infer<typeof reputationBoardSchema>;
export type VerifierBoard = z.infer<typeof verifierBoardSchema>;
export type Fees = z.infer<typeof feesSchema>;
export type Treasury = z.infer<typeof treasurySchema>;
export type TreasuryHistory = z.infer<typeof treasuryHistorySchema>;
