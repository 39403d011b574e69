// Whether everything is as it should be: each server runs, is ready, and shows what the chain has, its history included.
import type { Server } from './server.ts';
import type { Stage } from './stage.ts';

/** At that block or a later one: the chain goes on meanwhile. */
export async function isWell({ keeper }: Stage, servers: readonly Server[], head: bigint): Promise<boolean> {
  if (servers.some(({ isRunning }) => !isRunning())) return false;
  const checks = servers.filter((server) => server !== keeper).map(({ url }) => showsBlock(url(), head));
  return (await Promise.all(checks)).every(Boolean);
}

type Health = { readonly block?: number; readonly history?: { readonly complete: boolean } };

/** The oracle's price is published anew by the chain itself; until then plans cost USDC, and the earlier shape waits. */
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
