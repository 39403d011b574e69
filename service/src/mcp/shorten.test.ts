import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { cutText, weigh } from './shorten.ts';

const spell = (first: number) =>
  String.fromCodePoint(...Array.from({ length: 100 }, (_, at) => first + ((at * 7) % 100)));
const noise = (how: 'hex' | 'base64') =>
  Array.from({ length: 8 }, (_, at) => createHash('sha256').update(String(at)).digest(how)).join('');

/** With the tokens of their JSON text, counted with the o200k tokenizer of OpenAI. */
const texts: Readonly<Record<string, readonly [text: string, tokens: number]>> = {
  hex: [noise('hex'), 297],
  base64: [noise('base64'), 241],
  emoji: [spell(0x1f300), 202],
  Chinese: [spell(0x4e00), 152],
  'rare Chinese': [spell(0x20000), 338],
  Yi: [spell(0xa000), 302],
  'letters without a word': ['qz'.repeat(100), 202],
  'letters apart': [' gq'.repeat(100), 202],
  'letters and digits': ['a1'.repeat(100), 201],
  'two spaces': ['  x'.repeat(100), 202],
  vowels: ['aeiouuoiea'.repeat(20), 102],
  quotes: ['"\\'.repeat(100), 201],
  'control characters': ['\0'.repeat(100), 302],
  accents: ['a\u0345\u035a'.repeat(50), 251],
};

test('no text has more tokens than half of its weight, and prose weighs little more than its characters', () => {
  for (const [name, [text, tokens]] of Object.entries(texts)) {
    assert.ok(weigh(text) >= 2 * tokens, `${name}: ${weigh(text)} for ${tokens} tokens`);
    const cut = cutText(text, 150);
    assert.ok(text.startsWith(cut) && cut.length > 0 && weigh(cut) - weigh('') <= 150, name);
  }
  const prose = 'The worker delivers the translation, and the poster reviews it within three days. '.repeat(
    5,
  );
  assert.ok(weigh(prose) < 1.3 * prose.length);
});
