// Injects the planned faults one after the other, and waits after each until every server is healthy.

import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../../test/support/replay/random.ts';
import type { Window } from '../journal.ts';
import type { FaultKind, PlannedFault } from '../plan.ts';
import type { Server } from '../server.ts';
import type { Setup } from '../setup.ts';
import type { Fault, World } from '../world.ts';
import { badInput, slowClients } from './clients.ts';
import { clock, database, disk, freeze, kill, reorg, rpc } from './outages.ts';

const faults: Readonly<Record<FaultKind, Fault>> = {
  rpc,
  reorg,
  database,
  kill,
  freeze,
  clock,
  disk,
  'slow clients': slowClients,
  'bad input': badInput,
};

/** A recovery that takes longer is a violation. */
const longestRecoveryMs = 45_000;

export async function inflict(world: World, { kind, seed, ms, sparesWatched }: PlannedFault): Promise<void> {
  const { journal } = world;
  const endless = Number.POSITIVE_INFINITY;
  const window: Window = {
    kind,
    detail: '',
    from: journal.now(),
    repairedAt: endless,
    to: endless,
    servers: null,
    isExcuse: true,
    recovered: false,
  };
  journal.windows.push(window);
  const fault = await faults[kind](world, { ms, sparesWatched, random: createRandom(seed) });
  window.detail = fault.detail;
  await pause(ms);
  if (fault.startsAtRepair) window.from = journal.now();
  await fault.repair();
  window.repairedAt = journal.now();
  window.recovered = await waitUntilHealthy(world, window.repairedAt);
  Object.assign(window, { to: journal.now(), servers: fault.servers, isExcuse: fault.isExcuse });
}

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
