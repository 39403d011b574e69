// Whether everything is as it should be: each server runs, is ready, and shows the chain's newest block.
import type { Server } from './server.ts';
import type { Stage } from './stage.ts';

export async function isWell({ keeper, client }: Stage, servers: readonly Server[]): Promise<boolean> {
  if (servers.some(({ isRunning }) => !isRunning())) return false;
  const head = await client.getBlockNumber().catch(() => null);
  if (head === null) return false;
  const checks = servers.filter((server) => server !== keeper).map(({ url }) => showsBlock(url(), head));
  return (await Promise.all(checks)).every(Boolean);
}

/** The oracle's price is published anew by the chain itself; until then plans cost USDC, and the earlier shape waits. */
async function showsBlock(url: string, head: bigint): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(2_000);
    const health = (await (await fetch(`${url}/health`, { signal })).json()) as { block?: number };
    if (BigInt(health.block ?? -1) < head) return false;
    const preview = await fetch(`${url}/api/posting/tok-preview?tier=basic`, { signal });
    return preview.ok && ((await preview.json()) as { tokAllowed?: boolean }).tokAllowed === true;
  } catch {
    return false;
  }
}
