// The edges of fields have a contrast of 3 to 1 (WCAG 2.2, 1.4.11).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const themes = ['light', 'dark'] as const;

const pairs: readonly (readonly [colour: string, beside: string])[] = [
  ['edge', 'card'],
  ['edge', 'page'],
];

test('the edges of fields have enough contrast, in light and in dark', () => {
  for (const [colour, beside] of pairs) {
    for (const [index, theme] of themes.entries()) {
      const contrast = contrastOf(read(colour, index), read(beside, index));
      assert.ok(contrast >= 3, `${colour} on ${beside} in ${theme}: ${contrast.toFixed(2)}`);
    }
  }
});

function read(name: string, theme: number): string {
  const [, ...colours] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css) ?? [];
  return colours[theme] ?? assert.fail(`--${name} is not there`);
}

function contrastOf(one: string, other: string): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((left, right) => left - right);
  return ((lighter as number) + 0.05) / ((darker as number) + 0.05);
}

function luminanceOf(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
