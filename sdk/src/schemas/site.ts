// Routes about the site: site config and Union overview (docs/specification.md section 2; docs/decisions/routes.md),
// contract, health, metrics.
import * as z from 'zod';
import { earlierSiteConfigSchema } from './earlier.ts';
import { postingPlanSchema } from './postingPlans.ts';
import {
  addressSchema,
  blockNumberSchema,
  marketSchema,
  named,
  timeSchema,
  weiSchema,
} from './primitives.ts';
import { marketParameter, protocolParameter } from './queries.ts';
import { defineReads, defineRoutes, jsonReply, plainBody } from './route.ts';

const contractsSchema = named('Contracts', 'Read the addresses from here; do not copy them into a program.', {
  tokToken: addressSchema,
  taskRegistry: addressSchema,
  depositVault: addressSchema,
  escrowVault: addressSchema,
  paymentGateway: addressSchema,
  stakingVault: addressSchema,
  usdOracle: addressSchema,
  pricingPolicy: addressSchema,
  taskScopeRegistry: addressSchema.describe('Answers scopeOf(taskId).'),
  disputeCourt: addressSchema,
  reputationRegistry: addressSchema,
  marketLens: addressSchema,
  usdc: addressSchema,
  tokPool: addressSchema
    .optional()
    .describe('A pool of Uniswap v3 that sells TOK for USDC, if there is one.'),
  swapRouter: addressSchema.optional().describe('The SwapRouter02 of Uniswap v3 that serves the pool.'),
});

const limitsSchema = named('Limits', null, {
  openListMax: z.int().positive(),
  freeDailyPosts: z.int().nonnegative(),
  entryCollateralUsd: z.number().nonnegative(),
  recommendedCollateralUsd: z.number().nonnegative(),
  pauseThresholdUsd: z.number().nonnegative(),
  bondUsd: z
    .number()
    .nonnegative()
    .optional()
    .describe('Locked for each open engagement. Sites of earlier releases leave it out.'),
  accessFeeTokWei: weiSchema.describe('Paid for each post, claim, dismissal and leave.'),
});

export const siteConfigSchema = named('SiteConfig', 'What a client reads before it starts.', {
  chainId: z.int().positive(),
  chainName: z.string(),
  rpcUrl: z.string().describe('A public RPC of the chain.'),
  explorerUrl: z
    .string()
    .nullable()
    .describe('A block explorer: /tx/<hash> and /address/<address> follow. Null where the chain has none.'),
  market: marketSchema,
  contracts: contractsSchema,
  postingPlans: z.array(postingPlanSchema),
  limits: limitsSchema,
  protocolVersion: z.literal('v2'),
  startBlock: z.int().nonnegative().describe('The block of the market’s first log, or an earlier one.'),
  chat: z.boolean().describe('Whether a language model is configured: /api/role-chat works.'),
  names: z.boolean().describe('Whether names of wallets are looked up: /api/wallet-name.'),
});

export const unionOverviewSchema = named(
  'UnionOverview',
  'The Union vault of one market, without balances of wallets.',
  {
    source: z.literal('chain-rpc'),
    stakingActive: z.boolean().describe('Whether the vault has been launched.'),
    totalStakedTok: weiSchema.describe('Wei of TOK, although the name has no Wei.'),
    totalCreditsIssued: weiSchema.describe('In wei: a credit pays one TOK of access fees.'),
    creditsRemaining: weiSchema.describe('In wei: what may still be issued.'),
    creditIssuanceClosed: z.boolean(),
    market: marketSchema,
    rewardReserveTokWei: weiSchema,
    updatedAt: timeSchema,
  },
);

export const healthSchema = named('Health', null, {
  status: z
    .enum(['ok', 'degraded'])
    .describe(
      'degraded: no new block for 30 seconds, or something in `cannot`. Reads show what was known last.',
    ),
  ready: z
    .boolean()
    .describe('Whether reads and writes work. The status stays 200 while only writes fail: reads go on.'),
  writable: z.boolean().describe('Whether the database took a write within the last seconds.'),
  cannot: z
    .array(z.enum(['claims', 'receipts', 'record', 'writes']))
    .describe(
      'What cannot be done now, while reads are answered: claims, receipts and the record of a post without the chain, writes ' +
        'without a database that takes them.',
    ),
  reason: z.string().nullable().describe('Why it is degraded.'),
  block: blockNumberSchema,
  blockAgeSeconds: z.int().nonnegative(),
});

const unreadySchema = named('Unready', null, {
  status: z
    .enum(['starting', 'catching_up', 'stopping', 'unreachable'])
    .describe(
      'starting: nothing has been read from the chain yet. catching_up: the chain is being read for the first time, from its ' +
        'first block to its newest. stopping: open requests are answered; send no new ones. ' +
        'unreachable: the database answers no read; only kept replies work.',
    ),
  ready: z.literal(false),
  error: z.string(),
  block: z.int().optional().describe('catching_up: the block that has been reached.'),
  target: blockNumberSchema.optional().describe('catching_up: the newest block.'),
  percent: z.int().min(0).max(100).optional().describe('catching_up: how much has been read.'),
  seconds: z.int().nonnegative().nullable().optional().describe('catching_up: how long the rest will take.'),
});

export const siteRoutes = defineReads('Site', {
  siteConfig: {
    path: '/api/site-config',
    operationId: 'getSiteConfig',
    summary: 'Chain, addresses, plans and limits',
    description: 'Clients read the addresses of contracts from here instead of storing them.',
    query: z.object({ market: marketParameter, protocolVersion: protocolParameter }),
    reply: {
      ...jsonReply('The site config of one market.', siteConfigSchema),
      earlier: earlierSiteConfigSchema,
    },
    errors: ['MARKET_NOT_IN_V1', 'NOT_READY'],
    samples: [
      { label: 'The standard market', path: '/api/site-config' },
      { label: 'In the earlier shape', path: '/api/site-config?protocolVersion=v1' },
    ],
  },
  union: {
    path: '/api/union/overview',
    operationId: 'getUnionOverview',
    summary: 'The Union vault',
    description:
      'Launch gate, network stake, issued Action Credits and reward reserve of one market’s vault.',
    query: z.object({ market: marketParameter }),
    reply: jsonReply('A snapshot of the vault.', unionOverviewSchema),
    errors: ['NOT_READY'],
    samples: [{ label: 'The micro market', path: '/api/union/overview?market=micro' }],
  },
  openapi: {
    path: '/openapi.yaml',
    operationId: 'getContract',
    summary: 'This contract',
    description: 'OpenAPI 3.1, built from the schemas that validate requests.',
    reply: plainBody('The contract.', 'application/yaml', 'openapi: 3.1.0\n'),
  },
  reference: {
    path: '/docs/api',
    operationId: 'readReference',
    summary: 'This contract as a page',
    description: 'For people. The page loads nothing from other servers and runs no script.',
    reply: plainBody('The page.', 'text/html', '<!doctype html>'),
  },
});

export const operationRoutes = defineRoutes('Operation', {
  health: {
    path: '/health',
    operationId: 'getHealth',
    summary: 'Whether the service is ready',
    description:
      '200 while reads can be answered, proven by a read of tasks within the last second; 503 before that, without it, and during ' +
      'shutdown. What else cannot be done stands in `cannot`.',
    reply: jsonReply('The service is ready.', healthSchema),
    others: {
      503: jsonReply(
        'Nothing has been read from the chain yet, the database does not answer, or the server is stopping.',
        unreadySchema,
      ),
    },
  },
  metrics: {
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics for Prometheus',
    description: 'Block and its age, requests, open streams, RPC errors, and the work of the indexer.',
    reply: plainBody(
      'Counters and gauges.',
      'text/plain',
      '# HELP svc_block The block that answers show.\n# TYPE svc_block gauge\nsvc_block 653\n',
    ),
  },
});
