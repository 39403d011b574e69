// Proves what recorded posts and payments cost the chain: few questions for a flood, and more than one for a node that lags.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment, Rpc } from '@svc/sdk/chain';
import type { RpcRequest } from '@svc/sdk/internal/chain/rpcRequests';
import type { Hex } from 'viem';
import { createPostingUpkeep, type PostingUpkeepNeeds } from './postingUpkeep.ts';
import { createPostingReads } from './readPosting.ts';

const hashAt = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;

function createNeeds(isLeader: boolean, onAsked: (hashes: readonly Hex[]) => void) {
  let notify = () => {};
  const needs: PostingUpkeepNeeds = {
    isLeader: async () => isLeader,
    loadUnseen: async (_now, limit) => Array.from({ length: limit }, (_, at) => hashAt(at)),
    readMinedBlocks: async (hashes) => {
      onAsked(hashes);
      return new Map();
    },
    markSeen: async () => undefined,
    sweepPending: async () => undefined,
    loadNewestPaid: async () => ({ purchases: [], head: 1n }),
    onPaymentGone: () => undefined,
    listen: async (onNotice) => {
      notify = onNotice;
      return async () => undefined;
    },
    now: () => 0,
  };
  return { needs, notify: () => notify() };
}

test('thousands of posts that nobody mined cost fifty questions a second at most, each another one', async () => {
  const { promise: isTwice, resolve: onTwice } = Promise.withResolvers<void>();
  const asked: (readonly Hex[])[] = [];
  const { needs, notify } = createNeeds(true, (hashes) => {
    if (asked.push(hashes) === 2) onTwice();
  });
  const upkeep = await createPostingUpkeep(needs);
  const blocks = setInterval(notify, 1);
  await isTwice;
  clearInterval(blocks);
  await upkeep.close();
  assert.deepEqual(
    asked.slice(0, 2).map(({ length }) => length),
    [50, 50],
  );
  assert.equal(new Set(asked.flat()).size, asked.flat().length);
});

test('only one process of a deployment asks', async () => {
  const asked: (readonly Hex[])[] = [];
  const { needs, notify } = createNeeds(false, (hashes) => asked.push(hashes));
  const upkeep = await createPostingUpkeep(needs);
  notify();
  await upkeep.close();
  assert.deepEqual(asked, []);
});

const address = `0x${'a'.repeat(40)}`;
const market = new Proxy({}, { get: () => address });
const deployment = { markets: { standard: market, micro: market } } as unknown as Deployment;

/** Every answer in turn comes from a node that has the block, and from one that is four blocks behind. */
function createLaggingRpc(minedIn: bigint | null) {
  let questions = 0;
  const answer = (isBehind: boolean, { method }: RpcRequest<unknown>) => {
    const head = isBehind ? 6n : 10n;
    const hasIt = minedIn !== null && minedIn <= head;
    if (method === 'eth_getTransactionReceipt')
      return hasIt ? { isSuccess: true, blockNumber: minedIn, blockHash: hashAt(1), logs: [] } : null;
    return { number: head, hash: hashAt(1), time: 5 };
  };
  const rpc = {
    askAll: async (requests: readonly RpcRequest<unknown>[]) => {
      const isBehind = questions++ % 2 === 0;
      return requests.map((request) => answer(isBehind, request));
    },
    ask: async (request: RpcRequest<unknown>) => answer(questions % 2 === 0, request),
  } as unknown as Rpc;
  return { reads: createPostingReads(rpc, deployment), questions: () => questions };
}

test('a mined transaction counts although the first node asked is behind', async () => {
  const proof = await createLaggingRpc(9n).reads.readTransaction(hashAt(7));
  assert.deepEqual(proof, { isSuccess: true, blockNumber: 9n, confirmations: 2, events: [] });
});

test('one that no node has is looked for four times, then it is unseen', async () => {
  const { reads, questions } = createLaggingRpc(null);
  assert.equal(await reads.readTransaction(hashAt(7)), null);
  assert.equal(questions(), 4);
});
