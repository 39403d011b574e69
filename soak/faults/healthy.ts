// Waits until every server is healthy again.
import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from '../server.ts';
import type { Setup } from '../setup.ts';
import type { World } from '../world.ts';

/** A recovery that takes longer is a violation. */
const longestRecoveryMs = 45_000;

/** Resolves to what is still wrong then; null where all is well. */
export async function waitUntilHealthy(
  { setup, journal }: Pick<World, 'setup' | 'journal'>,
  since: number,
  servers = setup.servers,
): Promise<string | null> {
  const head = await setup.client.getBlockNumber();
  for (;;) {
    const trouble = await findTrouble(setup, servers, head);
    if (trouble === null || journal.now() - since > longestRecoveryMs) return trouble;
    await pause(50);
  }
}

/** Every server must run and show this block or a later one, with its history. */
async function findTrouble(
  { keeper }: Setup,
  servers: readonly Server[],
  head: bigint,
): Promise<string | null> {
  const troubles = await Promise.all(
    servers.map(async (server) => {
      if (!server.isRunning()) return `${server.name} does not run`;
      const trouble = server === keeper ? null : await findReadTrouble(server.url(), head);
      return trouble && `${server.name} ${trouble}`;
    }),
  );
  return troubles.find((trouble) => trouble !== null) ?? null;
}

type Health = { readonly block?: number };

/** A fresh price belongs to it, which the chain publishes after a clock jump. */
async function findReadTrouble(url: string, head: bigint): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(2_000);
    const { block = -1 } = (await (await fetch(`${url}/health`, { signal })).json()) as Health;
    if (BigInt(block) < head) return `shows block ${block} of ${head}`;
    const preview = await fetch(`${url}/api/posting/tok-preview?tier=basic`, { signal });
    const priced = (await preview.json()) as { tokAllowed?: boolean };
    return priced.tokAllowed === true ? null : `has no price: ${JSON.stringify(priced)}`;
  } catch (error) {
    return `does not answer: ${(error as Error).message}`;
  }
}
