// Proves that a fork under the reading of a task is not the reader's business, and that one without end is told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zeroAddress } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import { readTaskNow } from './readTasks.ts';
import type { Rpc } from './rpc.ts';
import type { RpcRequest } from './rpcRequests.ts';

const registry = { taskRegistry: zeroAddress, disputeCourt: zeroAddress };
const place = { marketLens: zeroAddress, markets: { standard: registry, micro: registry } };

/** A chain whose newest block is taken back as often as told before it can be read at. */
function createForkingRpc(forks: number): { readonly rpc: Rpc; readonly asked: string[] } {
  const asked: string[] = [];
  const ask = async (question: RpcRequest<unknown>): Promise<unknown> => {
    asked.push(question.method);
    if (question.method === 'eth_getBlockByNumber') return { hash: `0x${String(asked.length).repeat(64)}` };
    const calls = asked.filter((method) => method === 'eth_call').length;
    if (calls <= forks) throw new SvcError('CHAIN_CHANGED', {});
    return [];
  };
  return { rpc: { ask } as unknown as Rpc, asked };
}

test('a block that a fork takes away between two questions is asked for anew', async () => {
  const { rpc, asked } = createForkingRpc(2);
  assert.equal(await readTaskNow(rpc, place, 'micro', 7n), null);
  assert.deepEqual(asked, Array(3).fill(['eth_getBlockByNumber', 'eth_call']).flat());
});

test('a chain that forks without end is said to change', async () => {
  await assert.rejects(readTaskNow(createForkingRpc(9).rpc, place, 'micro', 7n), { code: 'CHAIN_CHANGED' });
});
