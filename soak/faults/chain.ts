// Faults of the chain and of the way to it: an RPC that fails or lies, forks, and a clock that jumps ahead.

import { parsePriceE8 } from '#sdk/domain/amount.ts';
import { buildPriceTransaction } from '#service/devnet/price.ts';
import { ask } from '../../test/support/devnet.ts';
import type { Fault as RpcFault } from '../../test/support/faultyProxy.ts';
import { send } from '../../test/support/replay/randomRun.ts';
import type { Fault } from './fault.ts';

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

export const rpc: Fault = async ({ stage: { proxy } }, { random }) => {
  const fault = random.pick(rpcFaults);
  proxy.setFault(fault);
  return { detail: fault, servers: null, isExcuse: true, mend: async () => proxy.setFault('none') };
};

/** What people do until it is mended never happened. The other branch is longer, as it is where a fork comes from. */
export const reorg: Fault = async ({ stage: { client, mine }, journal }) => {
  const point = await ask(client, 'evm_snapshot');
  const before = await client.getBlockNumber();
  return {
    detail: 'blocks are taken back',
    servers: null,
    isExcuse: true,
    isFeltLater: true,
    mend: async () => {
      const height = await client.getBlockNumber();
      journal.forks++;
      await ask(client, 'evm_revert', point);
      await mine(Number(height - before) + 1);
    },
  };
};

const hour = 3_600;

/** With the price published anew, as the chain's own clock does it: a stale one is the publisher's fault, not time's. */
export const clock: Fault = async ({ stage: { client, deployment } }, { random }) => {
  const hours = random.pick([1, 6, 24, 60]);
  await ask(client, 'evm_increaseTime', hours * hour);
  await send(client, buildPriceTransaction(deployment, parsePriceE8('0.005')));
  return { detail: `${hours} hours ahead`, servers: null, isExcuse: true, mend: async () => undefined };
};
