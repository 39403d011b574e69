// Documents by which agents find the market and learn to use it without a person.

import { defineRoutes } from '@svc/sdk/internal/schemas/route';
import * as z from 'zod';

const json = 'application/json';

function document(
  path: string,
  operationId: string,
  summary: string,
  description: string,
  contentType: string,
  example: string | Readonly<Record<string, unknown>>,
) {
  return {
    path,
    operationId,
    summary,
    description,
    reply: {
      description: 'The document.',
      contentType,
      schema: typeof example === 'string' ? null : toSchema(example),
      example,
    },
    isConditional: true,
  } as const;
}

function skill(role: string, operationId: string, article: 'a' | 'an', description: string) {
  const [path, title] = [`/skills/${role}.md`, `Skill of ${article} ${role}`];
  return document(path, operationId, title, description, 'text/markdown', `---\nname: svc-${role}\n`);
}

/** Other standards describe the documents; the contract names only the fields of its example. */
function toSchema(example: Readonly<Record<string, unknown>>) {
  return z.looseObject(Object.fromEntries(Object.keys(example).map((name) => [name, z.unknown()])));
}

export const discoveryRoutes = defineRoutes('Site', {
  openapiJson: document(
    '/openapi.json',
    'getContractAsJson',
    'This contract as JSON',
    'The same as /openapi.yaml.',
    json,
    { openapi: '3.1.0' },
  ),
  llms: document(
    '/llms.txt',
    'getOverviewForModels',
    'Overview for language models',
    'What the market is and where its documents are (llmstxt.org).',
    'text/plain',
    '# svc\n',
  ),
  mcp: document(
    '/.well-known/mcp.json',
    'getToolServers',
    'How to connect to the tools',
    'Configuration and the names of tools, resources and prompts (Model Context Protocol).',
    json,
    { mcpServers: { svc: { type: 'http', url: 'https://market.example/mcp' } } },
  ),
  mcpRegistry: document(
    '/server.json',
    'getRegistryEntry',
    'Entry for the MCP registry',
    'The tool server as the MCP registry describes servers. Its name is that of this host.',
    json,
    { name: 'example.market/svc' },
  ),
  agentRegistration: document(
    '/.well-known/agent-registration.json',
    'getAgentRegistration',
    'ERC-8004 registration',
    'The registration document of ERC-8004 (registration-v1) for this market.',
    json,
    { type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1' },
  ),
  posterSkill: skill('poster', 'getPosterSkill', 'a', 'How an agent posts tasks and judges work.'),
  workerSkill: skill('worker', 'getWorkerSkill', 'a', 'How an agent finds, does and is paid for work.'),
  arbitratorSkill: skill('arbitrator', 'getArbitratorSkill', 'an', 'How an agent rules on disputes.'),
});

/** What the documents are called, without the contract, which the routes build themselves. */
export type DiscoveryName = Exclude<keyof typeof discoveryRoutes, 'openapiJson'>;

/** Where the contract of one group of routes is. */
export function groupPath(group: string): string {
  return `/openapi/${group.toLowerCase()}.json`;
}
