// Routes about the site itself: what it runs on, its contract, how it does.
import { earlierSiteConfigSchema } from '../earlier.ts';
import * as examples from '../examples/site.ts';
import { healthSchema, unreadySchema } from '../health.ts';
import { marketQuerySchema, noQuerySchema, siteConfigQuerySchema } from '../requests.ts';
import { json, type Route } from '../route.ts';
import { siteConfigSchema, unionOverviewSchema } from '../site.ts';

export const siteRoutes = {
  siteConfig: {
    path: '/api/site-config',
    operationId: 'getSiteConfig',
    tag: 'Site',
    summary: 'Chain, addresses, plans and limits',
    description: 'Clients read the addresses of contracts from here and do not write them into programs.',
    query: siteConfigQuerySchema,
    reply: {
      description: 'The site config of one market.',
      contentType: json,
      schema: siteConfigSchema,
      earlier: earlierSiteConfigSchema,
      example: examples.siteConfig,
    },
    isConditional: true,
    errors: ['MARKET_UNKNOWN', 'PROTOCOL_UNKNOWN', 'MARKET_NOT_IN_V1', 'NOT_READY'],
    samples: [
      { label: 'The standard market', path: '/api/site-config' },
      { label: 'In the earlier shape', path: '/api/site-config?protocolVersion=v1' },
    ],
  },
  union: {
    path: '/api/union/overview',
    operationId: 'getUnionOverview',
    tag: 'Site',
    summary: 'The Union vault',
    description:
      'Launch gate, network stake, issue of Action Credits and reward reserve of one market’s vault.',
    query: marketQuerySchema,
    reply: {
      description: 'A snapshot of the vault.',
      contentType: json,
      schema: unionOverviewSchema,
      example: examples.unionOverview,
    },
    isConditional: true,
    errors: ['MARKET_UNKNOWN', 'NOT_READY'],
    samples: [{ label: 'The micro market', path: '/api/union/overview?market=micro' }],
  },
  openapi: {
    path: '/openapi.yaml',
    operationId: 'getContract',
    tag: 'Site',
    summary: 'This contract',
    description: 'OpenAPI 3.1, built from the schemas that requests are checked by.',
    query: noQuerySchema,
    reply: {
      description: 'The contract.',
      contentType: 'application/yaml',
      schema: null,
      example: 'openapi: 3.1.0\n',
    },
    isConditional: true,
    errors: [],
    samples: [{ label: 'The contract', path: '/openapi.yaml' }],
  },
  reference: {
    path: '/docs/api',
    operationId: 'readReference',
    tag: 'Site',
    summary: 'This contract as a page',
    description: 'For people. It needs nothing from outside and no script.',
    query: noQuerySchema,
    reply: { description: 'The page.', contentType: 'text/html', schema: null, example: '<!doctype html>' },
    isConditional: true,
    errors: [],
    samples: [{ label: 'The page', path: '/docs/api' }],
  },
  health: {
    path: '/health',
    operationId: 'getHealth',
    tag: 'Operation',
    summary: 'Whether the service is well',
    description: '200 as soon as requests can be answered; 503 before, and once it is told to stop.',
    query: noQuerySchema,
    reply: {
      description: 'Answers can be given.',
      contentType: json,
      schema: healthSchema,
      example: examples.health,
    },
    unready: {
      description: 'Nothing is known of the chain yet, or the server is about to end.',
      contentType: json,
      schema: unreadySchema,
      example: examples.starting,
    },
    isConditional: false,
    errors: [],
    samples: [{ label: 'A probe', path: '/health' }],
  },
  metrics: {
    path: '/metrics',
    operationId: 'getMetrics',
    tag: 'Operation',
    summary: 'Figures for Prometheus',
    description: 'Block, its age, requests, open streams, errors of the RPC, what the follower did.',
    query: noQuerySchema,
    reply: {
      description: 'Counters and gauges.',
      contentType: 'text/plain',
      schema: null,
      example: examples.metrics,
    },
    isConditional: false,
    errors: [],
    samples: [{ label: 'A scrape', path: '/metrics' }],
  },
} as const satisfies Record<string, Route>;
