// Proves that a provider that lies about the time of blocks is not believed, and that a chain in the future is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rpc } from '@svc/sdk/chain';
import type { Block, RawLog } from '@svc/sdk/internal/chain/rpcRequests';
import type { Hex } from 'viem';
import { createTimeCheck } from './blockTimes.ts';

const now = 1_000_000;
const hashAt = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const block = (number: number, time: number): Block => ({
  number: BigInt(number),
  hash: hashAt(number),
  parentHash: hashAt(number - 1),
  time,
  logsBloom: '0x',
});
const logAt = (number: number, blockTime: number | null) =>
  ({ blockNumber: BigInt(number), blockTime }) as RawLog;

function createCheck(answer: (number: bigint) => Block | null = () => null) {
  const blamed: string[] = [];
  const rpc = {
    ask: async ({ params }: { params: readonly unknown[] }) => answer(BigInt(params[0] as string)),
    blame: ({ message }: Error) => blamed.push(message),
  } as unknown as Pick<Rpc, 'ask' | 'blame'>;
  const check = createTimeCheck(rpc, () => now);
  const order = (blocks: readonly Block[], logs: readonly RawLog[] = []) =>
    check.checkOrder(new Map(blocks.map(({ number, time }) => [number, time])), logs, {
      first: blocks[0] as Block,
      end: blocks.at(-1) as Block,
    });
  return { ...check, order, blamed };
}

const wrong = { code: 'CHAIN_TIME_WRONG' };

test('a block with an earlier time than a block before it is refused, within one answer and from one to the next', () => {
  const { order, blamed } = createCheck();
  order([block(1, 100), block(2, 100), block(3, 102)]);
  assert.throws(() => order([block(4, 104), block(5, 103)]), wrong);
  order([block(4, 104)]);
  assert.throws(() => order([block(5, 99)]), wrong);
  assert.equal(blamed.length, 2);
  // The earlier answer may have been the lie: it is not held against the chain for ever.
  order([block(5, 99)]);
});

test('a log with another time than its block, or beyond its neighbours, is refused', () => {
  const { order } = createCheck();
  order([block(1, 100), block(2, 102)], [logAt(1, 100), logAt(2, null)]);
  assert.throws(() => order([block(3, 104)], [logAt(3, 3_704)]), wrong);
  // Of a long stretch the headers of the first and the last block are known, the other times from logs only.
  const { checkOrder } = createCheck();
  const ends = { first: block(10, 100), end: block(90, 300) };
  checkOrder(new Map([[40n, 200]]), [logAt(40, 200)], ends);
  assert.throws(() => checkOrder(new Map([[40n, 301]]), [logAt(40, 301)], ends), wrong);
  assert.throws(() => checkOrder(new Map([[40n, 99]]), [logAt(40, 99)], ends), wrong);
  // The newest block had another time before.
  assert.throws(() => checkOrder(new Map(), [], { ...ends, earlierTime: 3_900 }), wrong);
});

test('a time far ahead of the clock counts only where a second answer says the same', async () => {
  const lie = block(7, now + 3_600);
  const honest = createCheck(() => block(7, now));
  await honest.checkClock(block(7, now + 800));
  assert.deepEqual(honest.blamed, []);
  await assert.rejects(honest.checkClock(lie), wrong);
  assert.equal(honest.blamed.length, 1, 'the next question goes to another endpoint');
  const answers = [null, null, block(7, now)];
  await assert.rejects(createCheck(() => answers.shift() ?? null).checkClock(lie), wrong, 'two nodes lag');

  const future = createCheck(() => lie);
  await future.checkClock(lie);
  await future.checkClock(block(8, now + 3_610));
  assert.equal(future.blamed.length, 1, 'a chain in the future is asked about once');
});
