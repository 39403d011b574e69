// What happened is told with every wallet in full, so that it can be linked and copied.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type StoryEvent, tellStory } from './story.ts';

const poster = `0x${'a1'.repeat(20)}`;
const arbitrator = `0x${'b2'.repeat(20)}`;

function event(name: string, logIndex: number, args: StoryEvent['args']): StoryEvent {
  return {
    name,
    args,
    blockNumber: 7,
    time: 1,
    txHash: `0x${'00'.repeat(32)}`,
    logIndex,
    contract: 'taskRegistry',
  };
}

test('sentences come newest first, with words and wallets apart; what repeats another log is left out', () => {
  const story = tellStory([
    event('TaskPosted', 0, { poster, totalAmount: '1500000000000000000000' }),
    event('TaskState', 1, { state: 'POSTED' }),
    event('ArbitratorProposed', 2, { by: poster, arbitrator }),
    event('WorkStarted', 3, {}),
  ]);
  assert.deepEqual(
    story.map(({ sentence }) => sentence),
    [
      ['Work started'],
      [{ wallet: poster }, ' proposed ', { wallet: arbitrator }, ' as arbitrator'],
      ['Posted by ', { wallet: poster }, ' for ', '1,500 TOK'],
    ],
  );
});
