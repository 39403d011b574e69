// Injects the planned faults, and waits after each until every server is healthy.
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../../test/support/replay/random.ts';
import { openWindow, type Window } from '../journal.ts';
import type { PlannedFault } from '../plan.ts';
import type { Setup } from '../setup.ts';
import type { World } from '../world.ts';
import { faults } from './all.ts';
import { wasBusy } from './floods.ts';
import { waitUntilHealthy } from './healthy.ts';

export async function inflict(world: World, planned: PlannedFault): Promise<void> {
  const { journal } = world;
  const window = openWindow(journal, planned.kind, { detail: '', servers: null });
  try {
    await inflictFor(world, planned, window);
  } catch (error) {
    const what = `${planned.kind}: ${(error as Error).message}`;
    journal.measured.push({ what, isKept: wasBusy(journal, window.from) });
    await startMissing(world.setup);
  }
  window.repairedAt = journal.now();
  window.trouble = await waitUntilHealthy(world, window.repairedAt);
  window.to = journal.now();
}

/** Starts what does not run, as a service manager does: one server that did not start says nothing about the next faults. */
export async function startMissing({ servers }: Pick<Setup, 'servers'>): Promise<void> {
  const missing = servers.filter(({ isRunning }) => !isRunning());
  await Promise.all(missing.map(({ start }) => start().catch(() => undefined)));
}

async function inflictFor(
  world: World,
  { kind, seed, ms, sparesWatched }: PlannedFault,
  window: Window,
): Promise<void> {
  const fault = await faults[kind].inflict(world, { ms, sparesWatched, random: createRandom(seed) });
  window.detail = fault.detail;
  await pause(Math.max(0, ms));
  if (fault.startsAtRepair) window.from = world.journal.now();
  await fault.repair();
  Object.assign(window, { servers: fault.servers, isExcuse: fault.isExcuse });
}
