// Faults of processes, their disk and the chain: killed, frozen, upgraded, full disk, bad RPC, forks, wrong clocks.
import { parsePriceE8 } from '#sdk/domain/amount.ts';
import { buildPriceTransaction } from '#service/devnet/price.ts';
import { ask } from '../../test/support/devnet.ts';
import type { Fault as RpcFault } from '../../test/support/faultyProxy.ts';
import type { Random } from '../../test/support/replay/random.ts';
import { send } from '../../test/support/replay/randomRun.ts';
import { openWindow } from '../journal.ts';
import type { Server } from '../server.ts';
import { type Setup, startAll } from '../setup.ts';
import type { Fault } from '../world.ts';
import { waitUntilHealthy } from './healthy.ts';

export const kill: Fault = async ({ setup }, { random, sparesWatched }) => {
  const server = pickServer(setup, sparesWatched, random);
  await server.kill();
  return { detail: server.name, servers: [server.name], isExcuse: true, repair: () => server.start() };
};

/** As when the power goes. */
export const killAll: Fault = async ({ setup }) => {
  await Promise.all(setup.servers.map((server) => server.kill()));
  return { detail: 'all processes', servers: null, isExcuse: true, repair: () => startAll(setup) };
};

/** One after the other ends as a service manager ends it, and starts as the other build; nobody else may fail. */
export const upgrade: Fault = async ({ setup, journal }) => {
  const repair = async () => {
    for (const server of setup.servers) {
      const window = openWindow(journal, 'upgrade', { detail: server.name, servers: [server.name] });
      server.changeBuild();
      const exitCode = await server.end();
      journal.measured.push({
        what: `upgrade: ${server.name} ended with ${exitCode}`,
        isKept: exitCode === 0,
      });
      await server.start();
      window.repairedAt = journal.now();
      window.trouble = await waitUntilHealthy({ setup, journal }, window.repairedAt, [server]);
      window.to = journal.now();
    }
  };
  return { detail: 'one after the other', servers: [], isExcuse: false, repair };
};

/** The clock of one machine is wrong. That is no excuse: time comes from the database or the chain where it counts. */
export const skew: Fault = async ({ setup }, { random }) => {
  const server = random.pick(setup.servers);
  const minutes = random.pick([-60, -5, 5, 60]);
  server.setClock(minutes * 60_000);
  const detail = `${server.name}: ${minutes} minutes`;
  return { detail, servers: [], isExcuse: false, repair: async () => server.setClock(0) };
};

export const frozenChain: Fault = async ({ setup }) => {
  process.kill(setup.chainPid, 'SIGSTOP');
  const repair = async () => void process.kill(setup.chainPid, 'SIGCONT');
  return { detail: 'chain', servers: null, isExcuse: true, repair };
};

/** Like a machine that is suspended or swaps. */
export const freeze: Fault = async ({ setup }, { random, sparesWatched }) => {
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

/** The same fault at every endpoint. */
export const failingRpc =
  (fault: RpcFault): Fault =>
  async ({ setup: { setRpcFault } }) => {
    setRpcFault(fault);
    return { detail: fault, servers: null, isExcuse: true, repair: async () => setRpcFault('none') };
  };

/** The second endpoint is on another branch, and the first one fails so often that both are asked. */
export const twoBranches: Fault = async ({ setup: { proxies, setRpcFault } }) => {
  proxies[0].setFault('flapping');
  proxies[1].setFault('other branch');
  return {
    detail: 'two endpoints on different branches',
    servers: null,
    isExcuse: true,
    repair: async () => setRpcFault('none'),
  };
};

/** Reverts everything until the repair. The new branch is longer, as in a real fork, or shorter at first. */
export const reorg =
  (isLonger: boolean): Fault =>
  async ({ setup: { client, mine }, journal }) => {
    const point = await ask(client, 'evm_snapshot');
    const before = await client.getBlockNumber();
    const from = journal.now();
    return {
      detail: isLonger ? 'blocks are taken back' : 'a shorter branch wins',
      servers: null,
      isExcuse: true,
      startsAtRepair: true,
      repair: async () => {
        const height = await client.getBlockNumber();
        await ask(client, 'evm_revert', point);
        await mine(isLonger ? Number(height - before) + 1 : 1);
        journal.forked.push({ from, to: journal.now() });
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
