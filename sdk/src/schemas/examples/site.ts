// What the routes about the site answer.
import type { z } from 'zod';
import type { healthSchema, unreadySchema } from '../health.ts';
import type { siteConfigSchema, unionOverviewSchema } from '../site.ts';

export const siteConfig: z.output<typeof siteConfigSchema> = {
  chainId: 8453,
  chainName: 'svc embedded chain',
  rpcUrl: 'http://127.0.0.1:8545',
  market: 'standard',
  contracts: {
    tokToken: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    taskRegistry: '0x2279B7A0a67DB372996a5FaB50D91eAA73d2eBe6',
    depositVault: '0x0165878A594ca255338adfa4d48449f69242Eb8F',
    escrowVault: '0xa513E6E4b8f2a923D98304ec87F64353C4D5C853',
    paymentGateway: '0x5FC8d32690cc91D4c39d9d3abcBD16989F875707',
    stakingVault: '0x610178dA211FEF7D417bC0e6FeD39F05609AD788',
    usdOracle: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
    pricingPolicy: '0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9',
    taskScopeRegistry: '0x2279B7A0a67DB372996a5FaB50D91eAA73d2eBe6',
    disputeCourt: '0x8A791620dd6260079BF849Dc5567aDC3F2FdC318',
    reputationRegistry: '0xB7f8BC63BbcaD18155201308C8f3540b07f84F5e',
    marketLens: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9',
    usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  },
  postingPlans: [
    { id: 'free', dailyLimit: 3, label: 'Free', priceUsdc: 0, periodDays: 30 },
    { id: 'basic', dailyLimit: 25, label: 'Basic', priceUsdc: 20, periodDays: 30 },
  ],
  limits: {
    openListMax: 100,
    freeDailyPosts: 3,
    entryCollateralUsd: 25,
    recommendedCollateralUsd: 45,
    pauseThresholdUsd: 8,
    accessFeeTokWei: '1000000000000000000000',
  },
  protocolVersion: 'v2',
  startBlock: 1,
};

export const unionOverview: z.output<typeof unionOverviewSchema> = {
  source: 'chain-rpc',
  stakingActive: true,
  totalStakedTok: '270000000000000000000000',
  totalCreditsIssued: '32868066666694042020000',
  creditsRemaining: '967131933333305957980000',
  creditIssuanceClosed: false,
  market: 'standard',
  rewardReserveTok: '3423900132972145130000',
  updatedAt: 1_794_713_436,
};

export const health: z.output<typeof healthSchema> = {
  status: 'ok',
  ready: true,
  block: 653,
  blockAgeSeconds: 2,
  history: { complete: true, fromBlock: 1, startBlock: 1 },
};

export const starting: z.output<typeof unreadySchema> = {
  status: 'starting',
  ready: false,
  error: 'The chain has not been read yet; try again in a moment.',
};

export const metrics = `# HELP svc_block The block that answers show.
# TYPE svc_block gauge
svc_block 653
`;
