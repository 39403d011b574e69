// Waits until every server is healthy again.
import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from '../server.ts';
import type { Setup } from '../setup.ts';
import type { World } from '../world.ts';

/** A recovery that takes longer is a violation. */
const longestRecoveryMs = 45_000;

export async function waitUntilHealthy(
  { setup, journal }: Pick<World, 'setup' | 'journal'>,
  since: number,
  servers = setup.servers,
): Promise<boolean> {
  const head = await setup.client.getBlockNumber();
  while (!(await isHealthy(setup, servers, head))) {
    if (journal.now() - since > longestRecoveryMs) return false;
    await pause(50);
  }
  return true;
}

/** Every server runs, is ready, and shows this block or a later one, with its history. */
export async function isHealthy(
  { keeper }: Setup,
  servers: readonly Server[],
  head: bigint,
): Promise<boolean> {
  if (servers.some(({ isRunning }) => !isRunning())) return false;
  const checks = servers.filter((server) => server !== keeper).map(({ url }) => showsBlock(url(), head));
  return (await Promise.all(checks)).every(Boolean);
}

type Health = { readonly block?: number; readonly history?: { readonly complete: boolean } };

/** Also waits for a fresh price, which the chain publishes after a clock jump. */
async function showsBlock(url: string, head: bigint): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(2_000);
    const { block = -1, history } = (await (await fetch(`${url}/health`, { signal })).json()) as Health;
    if (BigInt(block) < head || history?.complete !== true) return false;
    const preview = await fetch(`${url}/api/posting/tok-preview?tier=basic`, { signal });
    return preview.ok && ((await preview.json()) as { tokAllowed?: boolean }).tokAllowed === true;
  } catch {
    return false;
  }
}
