// What the posting routes are asked and answer.
import type { z } from 'zod';
import type {
  limitReachedSchema,
  planQuoteSchema,
  quotaSchema,
  recordedQuotaSchema,
  tokPreviewSchema,
  upgradedQuotaSchema,
} from '../posting.ts';

const address = '0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199';
const txHash = '0x5f7a1d0c3b9e8d2a6c4f0b1e7d9a3c5e8f2b4d6a0c1e3f5a7b9d8c6e4f2a0b1c';

export const checkRequest = { address, market: 'standard' };

export const recordRequest = {
  address,
  taskId: 'v2:standard:57',
  txHash,
  taskAmountTok: '1000000000000000000000',
  market: 'standard',
};

export const upgradeRequest = { address, tier: 'basic', txHash, payWith: 'tok', market: 'standard' };

export const quota: z.output<typeof quotaSchema> = {
  tier: 'free',
  used: 1,
  limit: 3,
  canPost: true,
  market: 'standard',
  address,
  pending: 1,
  remaining: 2,
  resetsAt: 1_794_787_200,
  tierExpiresAt: null,
};

export const recordedQuota: z.output<typeof recordedQuotaSchema> = {
  ...quota,
  recorded: true,
  status: 'pending',
};

export const upgradedQuota: z.output<typeof upgradedQuotaSchema> = {
  ...quota,
  tier: 'basic',
  limit: 25,
  remaining: 24,
  tierExpiresAt: 1_797_305_094,
  upgraded: true,
};

export const limitReached: z.output<typeof limitReachedSchema> = {
  error: 'Daily posting limit reached',
  quota: { ...quota, used: 3, canPost: false, pending: 0, remaining: 0 },
};

const price = {
  listPriceUsdc: 20,
  discountedUsd: 18,
  tokUsdPrice: 0.005,
  tokAmount: 3_600,
  tokAllowed: true,
  tokAmountWei: '3600000000000000000000',
  reason: null,
};

export const tokPreview: z.output<typeof tokPreviewSchema> = {
  tier: 'basic',
  ...price,
  market: 'standard',
  discountPercent: 10,
};

const payTo = '0x5FC8d32690cc91D4c39d9d3abcBD16989F875707';

export const planQuote: z.output<typeof planQuoteSchema> = {
  quoteId: '0b5f7f0c-6d3e-4d0c-9d57-3f1f5f1f7a10',
  address,
  market: 'standard',
  tier: 'basic',
  payWith: 'tok',
  ...price,
  amountWei: '3600000000000000000000',
  payTo,
  calls: [
    {
      to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      value: '0x0',
      data: '0x095ea7b30000000000000000000000005fc8d32690cc91d4c39d9d3abcbd16989f8757070000000000000000000000000000000000000000000000c328093e61ee400000',
    },
    {
      to: payTo,
      value: '0x0',
      data: '0xf2fc9a6c',
    },
  ],
  expiresAt: 1_794_713_994,
};
