// The walk through the posting quota in docs/using-the-api.md.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommands, readGuide, runCommands } from '../support/guide.ts';
import { scene } from './scene.ts';

const walk = readCommands(readGuide('docs/using-the-api.md'), 'Posting quota');

test('the walk through the posting quota does what it says, command by command', async (context) => {
  // A line after each reply separates it from the next.
  const lines = walk.join('\n').replaceAll(/^curl .*$/gm, '$&; echo; echo ----');
  const outputs = (await runCommands(context, [lines], scene))
    .split('\n----\n')
    .filter((text) => text.trim() !== '');
  const [fresh, preview, quote, full, micro, , , nextDay, pending, inUsdc, inTok, thief] = outputs;
  assert.equal(outputs.length, 12);
  const used = (text: string | undefined) => [bodyOf(text).used, bodyOf(text).limit];
  for (const text of [fresh, micro, nextDay]) assert.deepEqual(used(text), [0, 3]);
  assert.equal(bodyOf(preview).tokAmount, 3_600);
  assert.deepEqual([bodyOf(quote).calls.length, bodyOf(quote).amountUnits], [2, '20000000']);
  assert.match(full ?? '', /^[\s\S]*HTTP\/1\.1 429 /);
  assert.match(full ?? '', /\r\nretry-after: \d+\r\n/i);
  assert.equal(bodyOf(full).error, 'Daily posting limit reached');
  assert.deepEqual([bodyOf(full).quota.used, bodyOf(full).quota.canPost], [3, false]);
  assert.deepEqual([bodyOf(pending).status, bodyOf(pending).pending], ['pending', 1]);
  assert.deepEqual([bodyOf(inUsdc).tier, bodyOf(inUsdc).limit, bodyOf(inUsdc).upgraded], ['basic', 25, true]);
  assert.equal(bodyOf(inTok).upgraded, true);
  assert.equal(bodyOf(inTok).tierExpiresAt - bodyOf(inUsdc).tierExpiresAt, 30 * 86_400);
  assert.match(thief ?? '', /^[\s\S]*HTTP\/1\.1 409 /);
});

/** The body is on the last line, after headers and the output of other commands. */
const bodyOf = (output: string | undefined) => JSON.parse(output?.trim().split('\n').at(-1) ?? '');
