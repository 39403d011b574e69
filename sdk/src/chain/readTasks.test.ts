// Proves that a read of a task survives a fork, that endless forks are an error, and that a wrong count is not believed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zeroAddress } from '../domain/address.ts';
import { SvcError } from '../domain/errors.ts';
import { readTaskCounts, readTaskNow } from './readTasks.ts';
import type { Rpc } from './rpc.ts';
import type { RpcRequest } from './rpcRequests.ts';

const registry = { taskRegistry: zeroAddress, disputeCourt: zeroAddress };
const place = { marketLens: zeroAddress, markets: { standard: registry, micro: registry } };

/** A chain that removes its newest block `forks` times before it can be read. */
function createForkingRpc(forks: number): { readonly rpc: Rpc; readonly asked: string[] } {
  const asked: string[] = [];
  const ask = async (request: RpcRequest<unknown>): Promise<unknown> => {
    asked.push(request.method);
    if (request.method === 'eth_getBlockByNumber') return { hash: `0x${String(asked.length).repeat(64)}` };
    const calls = asked.filter((method) => method === 'eth_call').length;
    if (calls <= forks) throw new SvcError('CHAIN_CHANGED', {});
    return [];
  };
  return { rpc: { ask } as unknown as Rpc, asked };
}

test('a block that a fork removes between two requests is read again', async () => {
  const { rpc, asked } = createForkingRpc(2);
  assert.equal(await readTaskNow(rpc, place, 'micro', 7n), null);
  assert.deepEqual(asked, Array(3).fill(['eth_getBlockByNumber', 'eth_call']).flat());
});

test('a chain that keeps forking gives CHAIN_CHANGED', async () => {
  await assert.rejects(readTaskNow(createForkingRpc(9).rpc, place, 'micro', 7n), { code: 'CHAIN_CHANGED' });
});

test('a count of tasks that do not exist is refused instead of read to its end', async () => {
  const counting = (micro: bigint) =>
    ({ askAll: async () => [3n, micro], ask: async () => [] }) as unknown as Rpc;
  assert.deepEqual(await readTaskCounts(counting(100_000n), place, `0x${'01'.repeat(32)}`), {
    standard: 3n,
    micro: 100_000n,
  });
  await assert.rejects(readTaskCounts(counting(2n ** 63n), place, `0x${'01'.repeat(32)}`), /does not exist/);
});
