// The embedded chain as a user starts it: `svc start` in a separate process, and plain viem as its client.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicClient } from 'viem';
import { parseDeployment } from '#sdk/chain/deployment.ts';
import type { Account } from '#service/devnet/accounts.ts';
import { createReader } from './baseChain.ts';
import { readLines } from './lines.ts';
import { startSvc } from './svc.ts';

export type StartReport = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly siteUrl: string;
  readonly gatewayUrl: string;
  readonly chainIdentity: string;
  readonly clockOffsetSeconds: number;
  readonly accounts: readonly Account[];
  readonly warning: string;
};

export type RunningChain = Awaited<ReturnType<typeof startChain>>;

/** Ready when this answers. Any port is taken unless the arguments name one. */
export async function startChain(...args: string[]) {
  const port = args.includes('--port') ? [] : ['--port', '0'];
  // Many run at once: each has its own rows and port.
  const folder = mkdtempSync(join(tmpdir(), 'svc-start-'));
  const env = { SVC_DATA_DIR: folder, SVC_SITE_PORT: '0' };
  const { child, ended: exited } = startSvc(['start', '--json', ...port, ...args], { cwd: folder, env });
  const ended = exited.finally(() => rmSync(folder, { recursive: true, force: true }));
  const failed = ended.then(({ err }) => Promise.reject(new Error(err)));
  const line = await Promise.race([readLines(child)(), failed]);
  const { deployment, ...report } = JSON.parse(line) as StartReport & { readonly deployment: unknown };
  return {
    report: report as StartReport,
    deployment: parseDeployment(JSON.stringify(deployment)),
    publicClient: createReader(report.rpcUrl),
    child,
    /** Asks the chain to end and answers how it did. */
    stop: (signal: NodeJS.Signals = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Asks what stock viem has no word for: the methods of development chains. */
export function ask(client: PublicClient, method: string, ...params: unknown[]): Promise<unknown> {
  return client.request({ method: method as 'eth_chainId', params: params as never });
}

/** Seconds now, as block times count. */
export function wallSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
