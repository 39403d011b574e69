// Proves that text of unknown senders can neither control nor flood a terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toShown } from './text.ts';

/** Half of a surrogate pair included. The units that fast-check calls binary take a second to build. */
const anyUnit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));

test('ordinary text stays as it is, in any script', () => {
  for (const text of ['', 'ERC20: transfer amount exceeds balance', 'Grüße, 世界 𝄞'])
    assert.equal(toShown(text), text);
});

test('escape sequences, line breaks and direction marks are removed', () => {
  assert.equal(toShown('a\u001b[2Jb\r\nc\u202ed\u2028e'), 'a [2Jb c d e');
});

test('the result is short and has no control characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyUnit, maxLength: 1_000 }), (text) => {
      const shown = toShown(text);
      assert.ok(shown.length <= 201);
      assert.doesNotMatch(shown, /\p{Cc}/u);
    }),
  );
});
