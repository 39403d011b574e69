// Faults of processes, their storage and the chain: killed, frozen, no database, full disk, bad RPC, forks, clock jumps.
import { parsePriceE8 } from '#sdk/domain/amount.ts';
import { buildPriceTransaction } from '#service/devnet/price.ts';
import { ask } from '../../test/support/devnet.ts';
import type { Fault as RpcFault } from '../../test/support/faultyProxy.ts';
import type { Random } from '../../test/support/replay/random.ts';
import { send } from '../../test/support/replay/randomRun.ts';
import type { Server } from '../server.ts';
import type { Setup } from '../setup.ts';
import type { Fault } from '../world.ts';

export const database: Fault = async ({ setup: { postgres, small, servers } }, { random }) => {
  const isKilled = random.below(2) === 0;
  await (isKilled ? postgres.kill() : postgres.stop());
  return {
    detail: isKilled ? 'PostgreSQL is killed' : 'PostgreSQL is restarted',
    servers: servers.filter((server) => server !== small).map(({ name }) => name),
    isExcuse: true,
    repair: () => postgres.start(),
  };
};

export const kill: Fault = async ({ setup }, { random, sparesWatched }) => {
  const server = pickServer(setup, sparesWatched, random);
  await server.kill();
  return { detail: server.name, servers: [server.name], isExcuse: true, repair: () => server.start() };
};

/** Like a machine that is suspended or swaps. */
export const freeze: Fault = async ({ setup }, { random, sparesWatched }) => {
  if (random.below(4) === 0) {
    process.kill(setup.chainPid, 'SIGSTOP');
    const repair = async () => void process.kill(setup.chainPid, 'SIGCONT');
    return { detail: 'chain', servers: null, isExcuse: true, repair };
  }
  const server = pickServer(setup, sparesWatched, random);
  const pid = server.pid();
  process.kill(pid, 'SIGSTOP');
  const repair = async () => void process.kill(pid, 'SIGCONT');
  return { detail: server.name, servers: [server.name], isExcuse: true, repair };
};

export const disk: Fault = async ({ setup: { disk: small, small: site } }) => {
  small?.fill();
  const repair = async () => small?.free();
  return { detail: 'not a byte left', servers: [site.name], isExcuse: true, repair };
};

/** The first of each kind is watched. */
export function isWatched({ sites, gateways, keeper, small }: Setup, server: Server): boolean {
  return server === sites[0] || server === gateways[0] || server === keeper || server === small;
}

function pickServer(setup: Setup, sparesWatched: boolean, random: Random): Server {
  return random.pick(setup.servers.filter((server) => !sparesWatched || !isWatched(setup, server)));
}

const rpcFaults: readonly RpcFault[] = [
  'down',
  'slow',
  'silent',
  'wrong chain id',
  'null results',
  'truncated logs',
  'no logs',
  'too many requests',
  'server errors',
  'garbage',
  'lagging',
  'flapping',
];

export const rpc: Fault = async ({ setup: { proxy } }, { random }) => {
  const fault = random.pick(rpcFaults);
  proxy.setFault(fault);
  return { detail: fault, servers: null, isExcuse: true, repair: async () => proxy.setFault('none') };
};

/** Reverts everything until the repair. The new branch is longer, as in a real fork. */
export const reorg: Fault = async ({ setup: { client, mine }, journal }) => {
  const point = await ask(client, 'evm_snapshot');
  const before = await client.getBlockNumber();
  return {
    detail: 'blocks are taken back',
    servers: null,
    isExcuse: true,
    startsAtRepair: true,
    repair: async () => {
      const height = await client.getBlockNumber();
      journal.forks++;
      await ask(client, 'evm_revert', point);
      await mine(Number(height - before) + 1);
    },
  };
};

const hour = 3_600;

/** Also publishes the price, as the embedded chain does after a clock jump. */
export const clock: Fault = async ({ setup: { client, deployment } }, { random }) => {
  const hours = random.pick([1, 6, 24, 60]);
  await ask(client, 'evm_increaseTime', hours * hour);
  await send(client, buildPriceTransaction(deployment, parsePriceE8('0.005')));
  return { detail: `${hours} hours ahead`, servers: null, isExcuse: true, repair: async () => undefined };
};
