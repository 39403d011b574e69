// Rows equal chain, on every site: what `svc audit` compares.

import { createAuditedSite, createAuditReads } from '#service/cli/audit.ts';
import type { createChainSource } from '#service/indexer/source.ts';
import { auditMarkets, type Difference } from '#service/market/audit.ts';
import type { Server } from '../server.ts';
import type { Check } from './check.ts';

export async function checkRows(
  source: ReturnType<typeof createChainSource>,
  sites: readonly Server[],
): Promise<Check> {
  const results = await Promise.all(
    sites.map(async ({ name, url }) => {
      const site = createAuditedSite(url());
      // Logs are read newest first, behind everything else.
      const withHistory = await site.hasHistory();
      return { name, withHistory, ...(await auditMarkets(createAuditReads(site, source, withHistory))) };
    }),
  );
  return {
    name: 'Rows equal the chain',
    violations: results.flatMap(({ name, differences }) => describeDifferences(name, differences)),
    basis: results
      .map(
        ({ name, tasks, withHistory }) => `${name}: ${tasks} tasks${withHistory ? ' and their history' : ''}`,
      )
      .join(', '),
  };
}

export function describeDifferences(name: string, differences: readonly Difference[]): string[] {
  return differences.map(
    ({ id, where, field, api, chain }) =>
      `${name}: ${id} ${field} in ${where} is ${JSON.stringify(api)}, and on the chain ${JSON.stringify(chain)}`,
  );
}
