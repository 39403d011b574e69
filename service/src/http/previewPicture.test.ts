import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { breakLines, drawPreview } from './previewPicture.ts';

const pixelsOf = (picture: Buffer) => {
  const at = picture.indexOf('IDAT');
  return inflateSync(picture.subarray(at + 4, at + 4 + picture.readUInt32BE(at - 4)));
};

test('any words make a picture of the same size, and other words another one', () => {
  const words = { title: 'Name ten birds', amount: '1,500 TOK', state: 'open' };
  const plain = drawPreview(words);
  assert.equal(pixelsOf(plain).length, 1_201 * 630);
  assert.deepEqual(drawPreview(words), plain);
  for (const title of ['', 'Name ten bird', '漢字 ❤ \u0000 \ud800', 'W'.repeat(10_000), '<svg/onload=x>'])
    assert.notDeepEqual(pixelsOf(drawPreview({ ...words, title })), pixelsOf(plain), title.slice(0, 20));
  for (const change of [{ amount: '9'.repeat(90) }, { state: 'in dispute' }])
    assert.equal(pixelsOf(drawPreview({ ...words, ...change })).length, 1_201 * 630);
});

test('lines break between words, long words inside, and what is left over ends with dots', () => {
  const fits = (line: string) => line.length <= 10;
  assert.deepEqual(breakLines('one two three four', fits, 4), ['one two', 'three four']);
  assert.deepEqual(breakLines('abcdefghijklmno p', fits, 4), ['abcdefghij', 'klmno p']);
  assert.deepEqual(breakLines('one two three four five six', fits, 2), ['one two', 'three fou…']);
  assert.deepEqual(breakLines('', fits, 2), []);
});
