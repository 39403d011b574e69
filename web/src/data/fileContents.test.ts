// Which files a page shows, and that nothing in a file's name or type makes it show more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxImageBytes, maxTextBytes, readContents, showBytes } from './fileContents.ts';

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const textOf = (text: string) => new TextEncoder().encode(text);
const kindOf = (bytes: Uint8Array, name: string) => readContents(bytes, name).kind;

test('pictures are found by their first bytes, whatever they are called', () => {
  const pictures = {
    'image/png': [...png, 0],
    'image/jpeg': [0xff, 0xd8, 0xff, 0xe0],
    'image/gif': [...textOf('GIF89a')],
    'image/webp': [...textOf('RIFF'), 1, 2, 3, 4, ...textOf('WEBP')],
  };
  for (const [mediaType, bytes] of Object.entries(pictures))
    assert.deepEqual(readContents(Uint8Array.from(bytes), 'page.html'), { kind: 'image', mediaType });
  assert.equal(kindOf(textOf('not a picture'), 'a.png'), 'text');
});

test('web pages, SVG and programs are downloads only', () => {
  for (const name of ['a.html', 'a.HTM', 'a.svg', 'a.svgz', 'a.js', 'a.mjs', 'a.xhtml', 'a.xml', 'a.wasm'])
    assert.equal(kindOf(textOf('<svg onload="alert(1)"/>'), name), 'download', name);
});

test('short texts are shown as text, long or binary ones are downloads', () => {
  assert.deepEqual(readContents(textOf('a\tb\r\nc'), 'a.csv'), { kind: 'text', text: 'a\tb\r\nc' });
  assert.equal(kindOf(new Uint8Array(maxTextBytes).fill(65), 'a.txt'), 'text');
  assert.equal(kindOf(new Uint8Array(maxTextBytes + 1).fill(65), 'a.txt'), 'download');
  assert.equal(kindOf(Uint8Array.from([65, 0, 66]), 'a.txt'), 'download');
  assert.equal(kindOf(Uint8Array.from([0xff, 0xfe, 0x41]), 'a.txt'), 'download');
});

test('a picture above 5 MB is a download', () => {
  const large = new Uint8Array(maxImageBytes + 1);
  large.set(png);
  assert.equal(kindOf(large, 'a.png'), 'download');
});

test('sizes are short', () => {
  assert.deepEqual([0, 999, 1_500, 25_000, 25_000_000].map(showBytes), [
    '0 B',
    '999 B',
    '1.5 kB',
    '25 kB',
    '25.0 MB',
  ]);
});
