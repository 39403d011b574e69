// Proves that errors say what the table says and that docs/errors.md lists each of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errorMessages, SvcError } from './errors.ts';

test('an error carries its code, its details, its cause and the filled message', () => {
  const cause = new Error('below');
  const error = new SvcError('USAGE', { reason: 'Say more.', hint: 3 }, cause);
  assert.equal(error.message, 'Say more.');
  assert.equal(error.code, 'USAGE');
  assert.deepEqual(error.details, { reason: 'Say more.', hint: 3 });
  assert.equal(error.cause, cause);
  assert.ok(error instanceof Error);
});

test('docs/errors.md lists every code with its message, and no other', () => {
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `([A-Z0-9_]+)` \| ([^|]*?) \|/gm)].map(([, code, text]) => [
    code,
    text,
  ]);
  const expected = Object.entries(errorMessages).map(([code, text]) => [code, text.replaceAll('\n', ' ')]);
  assert.deepEqual(listed, expected);
});
