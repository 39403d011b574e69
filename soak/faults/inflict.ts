// Injects the planned faults, and waits after each until every server is healthy.
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../../test/support/replay/random.ts';
import { openWindow } from '../journal.ts';
import type { PlannedFault } from '../plan.ts';
import type { World } from '../world.ts';
import { faults } from './all.ts';
import { waitUntilHealthy } from './healthy.ts';

export async function inflict(world: World, { kind, seed, ms, sparesWatched }: PlannedFault): Promise<void> {
  const { journal } = world;
  const window = openWindow(journal, kind, { detail: '', servers: null });
  const fault = await faults[kind].inflict(world, { ms, sparesWatched, random: createRandom(seed) });
  window.detail = fault.detail;
  await pause(ms);
  if (fault.startsAtRepair) window.from = journal.now();
  await fault.repair();
  window.repairedAt = journal.now();
  window.recovered = await waitUntilHealthy(world, window.repairedAt);
  Object.assign(window, { to: journal.now(), servers: fault.servers, isExcuse: fault.isExcuse });
}
