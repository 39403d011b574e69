// Draws the letters of link previews (service/src/http/glyphs.ts) with Chromium, from the free font DejaVu Sans. Run it after
// a change of the size or of the letters: node scripts/glyphs.ts.
import { writeFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { browserPath } from './browserPath.ts';

const size = 48;
const height = 60;
const baseline = 46;
const ranges = [
  [0x20, 0x7e],
  [0xa1, 0x17f],
  [0x384, 0x3ce],
  [0x400, 0x45f],
  [0x2013, 0x2026],
  [0x20ac, 0x20ac],
] as const;
const codes = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));

const browser = await chromium.launch({
  executablePath: browserPath ?? '',
});
const page = await browser.newPage();
const drawn = (await page.evaluate(`(() => {
  const canvas = document.createElement('canvas');
  canvas.width = 120;
  canvas.height = ${height};
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  pen.font = 'bold ${size}px "DejaVu Sans"';
  return ${JSON.stringify(codes)}.map((code) => {
    const letter = String.fromCodePoint(code);
    const width = Math.min(120, Math.round(pen.measureText(letter).width));
    pen.clearRect(0, 0, 120, ${height});
    pen.fillText(letter, 0, ${baseline});
    const data = width === 0 ? [] : pen.getImageData(0, 0, width, ${height}).data;
    return { code, width, alphas: Array.from({ length: width * ${height} }, (_, at) => data[at * 4 + 3] >> 4) };
  });
})()`)) as { code: number; width: number; alphas: number[] }[];
await browser.close();

const shown = drawn.filter(({ width }) => width > 0);
const bits = shown.flatMap(({ alphas }) => alphas);
const packed = Buffer.from(
  Array.from(
    { length: Math.ceil(bits.length / 2) },
    (_, at) => ((bits[at * 2] ?? 0) << 4) | (bits[at * 2 + 1] ?? 0),
  ),
);
const pairs = shown.map(({ code, width }) => `${code.toString(36)}.${width.toString(36)}`).join(' ');
const text = deflateRawSync(packed, { level: 9 }).toString('base64');
writeFileSync(
  'service/src/http/glyphs.ts',
  `// Letters of link previews: DejaVu Sans Bold, ${size} pixels, drawn by scripts/glyphs.ts.
export const glyphHeight = ${height};
/** Code point and width of each letter, in base 36. */
export const glyphList =
  '${pairs}';
/** Four bits of coverage for each pixel, row by row, letter after letter; deflated. */
export const glyphBits =
  '${text}';
`,
);
console.log(`${shown.length} letters, ${text.length} bytes`);
