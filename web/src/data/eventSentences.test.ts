// Sentences about events hold every wallet in full, so that the page links it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEvents, type TaskEvent } from './eventSentences.ts';

const poster = `0x${'a1'.repeat(20)}`;
const arbitrator = `0x${'b2'.repeat(20)}`;

/** With the arguments alone that sentences use. */
function event(name: TaskEvent['name'], logIndex: number, args: object): TaskEvent {
  return {
    name,
    args,
    blockNumber: 7,
    time: 1,
    txHash: `0x${'00'.repeat(32)}`,
    logIndex,
    contract: 'taskRegistry',
  } as TaskEvent;
}

test('sentences come newest first with wallets in full; repeated logs are left out', () => {
  const entries = describeEvents([
    event('TaskPosted', 0, { poster, totalAmount: '1500000000000000000000' }),
    event('TaskState', 1, { state: 'POSTED' }),
    event('ArbitratorProposed', 2, { by: poster, arbitrator }),
    event('WorkStarted', 3, {}),
  ]);
  assert.deepEqual(
    entries.map(({ sentence }) => sentence),
    ['Work started', `${poster} proposed ${arbitrator} as arbitrator`, `Posted by ${poster} for 1,500 TOK`],
  );
});
