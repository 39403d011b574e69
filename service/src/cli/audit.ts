// `svc audit`: reads every task from the chain and compares it with what the site answers.
import type { Deployment } from '@svc/sdk/chain';
import { createRpc } from '@svc/sdk/chain';
import type { Market } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import { loadDeployment } from '#app/deploymentFile.ts';
import { readEmbeddedDeployment } from '#app/embeddedDeployment.ts';
import { createProgress } from '#app/progress.ts';
import { chooseRpcUrls } from '#app/rpcUrls.ts';
import { type Config, readConfig } from '#config.ts';
import { createChainSource } from '#indexer/source.ts';
import { type AuditResult, auditMarkets, type Difference } from '#market/audit.ts';
import { buildAuditNeeds } from './auditNeeds.ts';
import { auditUsage, parseAuditArguments } from './auditOptions.ts';
import { createAuditedSite } from './auditSite.ts';

export const usage = auditUsage;

export async function run(args: readonly string[]): Promise<number> {
  const given = parseAuditArguments(args);
  const config = readConfig();
  const rpcUrls = given.rpc === undefined ? chooseRpcUrls(config) : [given.rpc];
  const deployment = await findDeployment(config, rpcUrls[0] as string);
  const rpc = createRpc({ urls: rpcUrls, chainId: deployment.chainId, genesisHash: deployment.genesisHash });
  const site = createAuditedSite(given.site ?? config.siteUrl);
  const withHistory = given.withHistory && (await site.hasHistory());
  const source = createChainSource(rpc, deployment);
  const progress = createProgress(process.stderr);
  const needs = {
    ...buildAuditNeeds(site, source, withHistory),
    onProgress: (market: Market, done: number, total: number) =>
      progress.show(`Comparing ${market}`, done, total),
  };
  const result = await auditMarkets(needs).finally(() => {
    progress.end();
    rpc.close();
  });
  console.log(given.asJson ? JSON.stringify({ ...result, withHistory }) : describe(result, withHistory));
  return result.differences.length === 0 ? 0 : 1;
}

/** The embedded chain tells where its contracts are; of any other one a file has to. */
async function findDeployment({ deploymentFile }: Config, rpcUrl: string): Promise<Deployment> {
  if (deploymentFile !== undefined) return loadDeployment(deploymentFile);
  const embedded = await readEmbeddedDeployment(rpcUrl);
  if (embedded === null) throw new SvcError('DEPLOYMENT_NOT_NAMED', {});
  return embedded;
}

function describe({ tasks, fromBlock, toBlock, differences }: AuditResult, withHistory: boolean): string {
  const what = withHistory ? 'state and history' : 'state';
  const summary = `Compared ${tasks} tasks, ${what}, at blocks ${fromBlock} to ${toBlock}: `;
  if (differences.length === 0) return `${summary}no differences.`;
  return [...differences.map(describeDifference), `${summary}${differences.length} differences.`].join('\n');
}

function describeDifference({ id, where, field, api, chain, block }: Difference): string {
  return `${id} ${field} in ${where}: the API says ${show(api)}, the chain ${show(chain)} (block ${block})`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
