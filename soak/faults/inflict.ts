// Brings the planned faults about, one after the other, and waits after each until everything is well again.
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../../test/support/replay/random.ts';
import type { Window } from '../journal.ts';
import type { World } from '../moves/actor.ts';
import type { FaultKind, PlannedFault } from '../plan.ts';
import { isWell } from '../wellness.ts';
import { clock, reorg, rpc } from './chain.ts';
import { badInput, slowClients } from './clients.ts';
import type { Fault } from './fault.ts';
import { database, disk, freeze, kill } from './processes.ts';

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

/** Nothing that is mended may take longer to be well again. */
const longestRecoveryMs = 45_000;

export async function inflict(world: World, { kind, seed, ms, sparesWatched }: PlannedFault): Promise<void> {
  const { journal } = world;
  const endless = Number.POSITIVE_INFINITY;
  const window: Window = {
    kind,
    detail: '',
    from: journal.now(),
    mendedAt: endless,
    to: endless,
    servers: null,
    isExcuse: true,
    recovered: false,
  };
  journal.windows.push(window);
  const fault = await faults[kind](world, { ms, sparesWatched, random: createRandom(seed) });
  window.detail = fault.detail;
  await pause(ms);
  if (fault.isFeltLater) window.from = journal.now();
  await fault.mend();
  window.mendedAt = journal.now();
  window.recovered = await waitUntilWell(world, window.mendedAt);
  Object.assign(window, { to: journal.now(), servers: fault.servers, isExcuse: fault.isExcuse });
}

export async function waitUntilWell(
  { stage, journal }: Pick<World, 'stage' | 'journal'>,
  since: number,
  servers = stage.servers,
): Promise<boolean> {
  const head = await stage.client.getBlockNumber();
  while (!(await isWell(stage, servers, head))) {
    if (journal.now() - since > longestRecoveryMs) return false;
    await pause(50);
  }
  return true;
}
