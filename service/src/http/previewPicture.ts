// The picture of a link preview: title, amount and state, drawn into a PNG. Ours instead of a renderer for SVG: the letters are
// a small table, nothing is parsed or fetched, and a picture costs about ten milliseconds whatever its words are.
import { inflateRawSync } from 'node:zlib';
import { encodePng } from '../png.ts';
import { glyphBits, glyphHeight, glyphList } from './glyphs.ts';

type PictureWords = { readonly title: string; readonly amount: string; readonly state: string };

const width = 1_200;
const height = 630;
const margin = 80;
const lineHeight = 66;
const maxLines = 4;

type Color = readonly [red: number, green: number, blue: number];
const paper: Color = [250, 250, 249];
const ink: Color = [28, 25, 23];
const green: Color = [15, 123, 95];
/** Each from its background to its color, in sixteen steps, which are the coverages of a letter. */
const ramps = [
  [paper, ink],
  [paper, green],
  [green, paper],
] as const;
const [onPaper, inGreen, onGreen] = [0, 16, 32];
const palette = Buffer.from(
  ramps.flatMap(([from, to]) =>
    Array.from({ length: 16 }, (_, step) =>
      from.map((value, at) => Math.round(value + ((to[at] ?? 0) - value) * (step / 15))),
    ).flat(),
  ),
);

type Glyph = { readonly start: number; readonly width: number };

let letters: { readonly glyphs: ReadonlyMap<number, Glyph>; readonly bits: Buffer } | null = null;

function loadLetters() {
  if (letters !== null) return letters;
  let start = 0;
  const glyphs = new Map<number, Glyph>();
  for (const pair of glyphList.split(' ')) {
    const [code = 0, wide = 0] = pair.split('.').map((part) => Number.parseInt(part, 36));
    glyphs.set(code, { start, width: wide });
    start += wide * glyphHeight;
  }
  letters = { glyphs, bits: inflateRawSync(Buffer.from(glyphBits, 'base64')) };
  return letters;
}

/** Letters of scripts that the table lacks are empty boxes of this width. */
const boxWidth = 34;

const widthOf = (letter: string) => loadLetters().glyphs.get(letter.codePointAt(0) ?? 0)?.width ?? boxWidth;
const measure = (text: string) => [...text].reduce((sum, letter) => sum + widthOf(letter), 0);

/** `shrink` is 1, or 2 for half the size. */
function write(
  pixels: Buffer,
  text: string,
  { x, y, ramp, shrink = 1 }: { x: number; y: number; ramp: number; shrink?: number },
): void {
  const { glyphs, bits } = loadLetters();
  let left = x;
  for (const letter of text) {
    const glyph = glyphs.get(letter.codePointAt(0) ?? 0);
    const wide = Math.floor((glyph?.width ?? boxWidth) / shrink);
    for (let row = 0; row < glyphHeight / shrink; row++)
      for (let column = 0; column < wide; column++) {
        const coverage =
          glyph === undefined
            ? boxAt(column, row, wide, shrink)
            : average(bits, glyph, column * shrink, row * shrink, shrink);
        const at = (y + row) * width + left + column;
        if (coverage > 0 && left + column < width) pixels[at] = ramp + coverage;
      }
    left += wide;
  }
}

function average(bits: Buffer, glyph: Glyph, column: number, row: number, shrink: number): number {
  let sum = 0;
  for (let down = 0; down < shrink; down++)
    for (let right = 0; right < shrink; right++) {
      const at = glyph.start + (row + down) * glyph.width + column + right;
      const pair = bits[at >> 1] ?? 0;
      sum += at % 2 === 0 ? pair >> 4 : pair & 15;
    }
  return Math.round(sum / shrink ** 2);
}

function boxAt(column: number, row: number, wide: number, shrink: number): number {
  const [top = 0, bottom = 0, side = 0] = [14, 46, 4].map((edge) => Math.floor(edge / shrink));
  const isInside = row >= top && row <= bottom && column >= side && column < wide - side;
  const isEdge = row < top + 2 || row > bottom - 2 || column < side + 2 || column >= wide - side - 2;
  return isInside && isEdge ? 8 : 0;
}

function fill(pixels: Buffer, left: number, top: number, wide: number, high: number, color: number): void {
  for (let row = top; row < top + high; row++)
    pixels.fill(color, row * width + left, row * width + left + wide);
}

/** In lines that fit; a word that is too long is broken, and what is left over ends with dots. */
export function breakLines(text: string, fits: (line: string) => boolean, most: number): string[] {
  const lines: string[] = [];
  let rest = [...text];
  while (rest.length > 0 && lines.length < most) {
    let count = rest.length;
    while (count > 1 && !fits(rest.slice(0, count).join(''))) count -= 1;
    const space = rest.slice(0, count + 1).lastIndexOf(' ');
    if (count < rest.length && space > 0) count = space;
    lines.push(rest.slice(0, count).join(''));
    rest = rest.slice(count + (rest[count] === ' ' ? 1 : 0));
  }
  if (rest.length === 0) return lines;
  const last = [...(lines.pop() ?? '')];
  while (last.length > 0 && !fits(`${last.join('')}…`)) last.pop();
  return [...lines, `${last.join('').trimEnd()}…`];
}

const longestTitle = 200;

export function drawPreview({ title, amount, state }: PictureWords): Buffer {
  const pixels = Buffer.alloc(width * height, onPaper);
  fill(pixels, 0, 0, 28, height, inGreen + 15);
  fill(pixels, margin, 70, 60, 60, inGreen + 15);
  for (const [at, wide] of [30, 19, 24].entries())
    fill(pixels, margin + 15, 87 + at * 11, wide, 5, onGreen + 15);
  write(pixels, 'svc', { x: margin + 78, y: 68, ramp: onPaper });
  const short = [...title.normalize('NFC')].slice(0, longestTitle).join('');
  const lines = breakLines(short, (line) => measure(line) <= width - 2 * margin, maxLines);
  for (const [at, line] of lines.entries())
    write(pixels, line, { x: margin, y: 178 + at * lineHeight, ramp: onPaper });
  write(pixels, amount, { x: margin, y: height - 130, ramp: inGreen });
  const badge = Math.ceil(measure(state) / 2) + 40;
  fill(pixels, width - margin - badge, height - 126, badge, 54, inGreen + 15);
  write(pixels, state, { x: width - margin - badge + 20, y: height - 114, ramp: onGreen, shrink: 2 });
  return encodePng({ width, palette, pixels, level: 3 });
}
