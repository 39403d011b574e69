// Proves that a chain read runs once, is cached briefly, and falls back to the last answer if the chain is slow or down.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '@svc/sdk/domain';
import { until } from '../../../test/support/until.ts';
import { createLastKnown } from './lastKnown.ts';

type Chain = { answer: () => Promise<string>; asked: number };

/** Waits as long as a test lasts, so that what answers at once is never taken for silent on a busy machine. */
const patient = 600_000;

function create(
  chain: Chain,
  stored: string | null = null,
  maxAgeMs = 0,
  blocks: readonly number[] = [1],
  waitMs = patient,
) {
  const saved: string[] = [];
  let at = 0;
  const ask = createLastKnown({
    read: () => {
      chain.asked++;
      return chain.answer();
    },
    // The block when each reading begins.
    head: () => ({ number: BigInt(blocks[Math.min(at++, blocks.length - 1)] ?? 0), time: 0 }),
    maxAgeMs,
    patienceMs: waitMs,
    longestWaitMs: waitMs,
    load: async () => (stored === null ? null : { value: stored, block: null }),
    save: async (known) => {
      saved.push(known.value);
    },
  });
  return { ask, saved };
}

const fail = () => Promise.reject(new SvcError('CHAIN_UNREACHABLE', { reason: 'gone' }));
const never = () => new Promise<string>(() => undefined);

test('many who ask at once cost one question', async () => {
  const chain: Chain = { answer: async () => 'one', asked: 0 };
  const { ask, saved } = create(chain);
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['one', 'one', 'one']);
  assert.equal(chain.asked, 1);
  assert.deepEqual(saved, ['one']);
});

test('an answer is kept for its time, and only a new one is saved', async () => {
  const chain: Chain = { answer: async () => 'one', asked: 0 };
  const { ask } = create(chain, null, 60_000);
  await ask();
  await ask();
  assert.equal(chain.asked, 1);
  const restless = create(chain);
  await restless.ask();
  await restless.ask();
  assert.equal(chain.asked, 3);
  assert.deepEqual(restless.saved, ['one']);
});

test('while the chain fails or keeps silent, the last answer is given', async () => {
  const chain: Chain = { answer: async () => 'one', asked: 0 };
  for (const [answer, waitMs] of [
    [fail, patient],
    [never, 10],
  ] as const) {
    chain.answer = async () => 'one';
    const { ask } = create(chain, null, 0, [1], waitMs);
    await until(async () => (await ask().catch(() => null)) === 'one');
    chain.answer = answer;
    assert.equal(await ask(), 'one');
  }
});

test('where nothing is known a silent chain is given up, and its answer is taken when it comes', async () => {
  let tell: (answer: string) => void = () => undefined;
  const answer = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const { ask } = create({ answer: () => answer, asked: 0 }, null, 0, [1], 10);
  await assert.rejects(ask(), { code: 'CHAIN_UNREACHABLE' });
  tell('late');
  await until(async () => (await ask().catch(() => null)) === 'late');
});

test('where nothing is known, every kind of failure is an unreachable chain', async () => {
  for (const answer of [fail, () => Promise.reject(new TypeError('no such field'))]) {
    await assert.rejects(create({ answer, asked: 0 }).ask(), { code: 'CHAIN_UNREACHABLE' });
  }
});

test('what is not ready to be known is not stood in for by what was known before', async () => {
  const chain: Chain = { answer: async () => 'one', asked: 0 };
  const { ask } = create(chain);
  await ask();
  chain.answer = () => Promise.reject(new SvcError('NOT_READY', {}));
  await assert.rejects(ask(), { code: 'NOT_READY' });
  const restarted = create(chain, 'stored', 60_000);
  await assert.rejects(restarted.ask(), { code: 'NOT_READY' });
  await assert.rejects(restarted.ask(), { code: 'NOT_READY' });
  await assert.rejects(create(chain).ask(), { code: 'NOT_READY' });
  chain.answer = fail;
  assert.equal(await ask(), 'one');
});

test('an answer says which block it shows, and is read again where a later one is asked for', async () => {
  const chain: Chain = { answer: async () => 'one', asked: 0 };
  const { ask } = create(chain, null, 60_000, [5, 7, 8]);
  const shown: unknown[] = [];
  const askAt = (atLeast: bigint) =>
    ask({ atLeast, shows: (block) => void shown.push(Number(block?.number)) });
  await askAt(0n);
  await askAt(5n);
  assert.deepEqual([shown, chain.asked], [[5, 5], 1]);
  chain.answer = async () => 'two';
  assert.equal(await askAt(6n), 'two');
  assert.equal(await askAt(7n), 'two');
  assert.deepEqual([shown, chain.asked], [[5, 5, 7, 7], 2], 'the same value, of a later block');
  chain.answer = fail;
  await assert.rejects(askAt(8n), { code: 'BLOCK_NOT_REACHED' });
  assert.equal(await askAt(7n), 'two', 'who asks for no later one gets what is known');
});
