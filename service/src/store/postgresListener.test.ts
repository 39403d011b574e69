// Notices between processes: sent after their transactions, not too often, and none is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNotices } from './postgresListener.ts';

test('the first notice goes at once, and those that come soon after go together, each channel once', async () => {
  const sent: { readonly at: number; readonly channels: readonly string[] }[] = [];
  const notices = createNotices(async (channels) => {
    sent.push({ at: performance.now(), channels });
  });
  notices.send(['mail']);
  assert.deepEqual(sent[0]?.channels, ['mail'], 'before anything else happens');
  for (let count = 0; count < 200; count++) {
    notices.send(count % 2 === 0 ? ['mail'] : ['mail', 'changes']);
    await sleep(1);
  }
  await notices.end();
  assert.deepEqual(sent.at(-1)?.channels.includes('mail'), true);
  for (const [at, { channels }] of sent.entries())
    assert.equal(new Set(channels).size, channels.length, `${at}`);
  const pauses = sent.slice(1).map(({ at }, before) => at - (sent[before]?.at ?? 0));
  assert.ok(Math.min(...pauses) >= 19, pauses.join());
  assert.ok(sent.length > 2);
});

test('what cannot be sent does not keep back what comes later', async () => {
  const sent: string[] = [];
  const notices = createNotices(async ([channel = '']) => {
    sent.push(channel);
    throw new Error('the connection is lost');
  });
  notices.send(['one']);
  notices.send(['two']);
  await notices.end();
  assert.deepEqual(sent, ['one', 'two']);
});
