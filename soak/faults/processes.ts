// Faults of processes and of what they keep rows in: killed, frozen, without a database, on a full disk.
import type { Random } from '../../test/support/replay/random.ts';
import type { Server } from '../server.ts';
import type { Stage } from '../stage.ts';
import type { Fault } from './fault.ts';

export const database: Fault = async ({ stage: { postgres, small, servers } }, { random }) => {
  const isKilled = random.below(2) === 0;
  await (isKilled ? postgres.kill() : postgres.stop());
  return {
    detail: isKilled ? 'PostgreSQL is killed' : 'PostgreSQL is restarted',
    servers: servers.filter((server) => server !== small).map(({ name }) => name),
    isExcuse: true,
    mend: () => postgres.start(),
  };
};

export const kill: Fault = async ({ stage }, { random, sparesWatched }) => {
  const server = pickServer(stage, sparesWatched, random);
  await server.kill();
  return { detail: server.name, servers: [server.name], isExcuse: true, mend: () => server.start() };
};

/** As when a machine is suspended, or swaps: it wakes up later and does not know. */
export const freeze: Fault = async ({ stage }, { random, sparesWatched }) => {
  if (random.below(4) === 0) {
    process.kill(stage.chainPid, 'SIGSTOP');
    const mend = async () => void process.kill(stage.chainPid, 'SIGCONT');
    return { detail: 'chain', servers: null, isExcuse: true, mend };
  }
  const server = pickServer(stage, sparesWatched, random);
  const pid = server.pid();
  process.kill(pid, 'SIGSTOP');
  const mend = async () => void process.kill(pid, 'SIGCONT');
  return { detail: server.name, servers: [server.name], isExcuse: true, mend };
};

export const disk: Fault = async ({ stage: { disk: small, small: site } }) => {
  small?.fill();
  const mend = async () => small?.free();
  return { detail: 'not a byte left', servers: [site.name], isExcuse: true, mend };
};

/** The first of each kind is watched. */
export function isWatched({ sites, gateways, keeper, small }: Stage, server: Server): boolean {
  return server === sites[0] || server === gateways[0] || server === keeper || server === small;
}

function pickServer(stage: Stage, sparesWatched: boolean, random: Random): Server {
  return random.pick(stage.servers.filter((server) => !sparesWatched || !isWatched(stage, server)));
}
