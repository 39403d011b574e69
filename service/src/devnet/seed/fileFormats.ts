// Bytes of the files of the story, from their lines: plain text, a page of PDF, or a PNG with one digit per pixel.
import { encodePng } from '../../png.ts';

/** The name decides what the lines are. */
export function encodeFile(name: string, lines: readonly string[]): Uint8Array {
  if (name.endsWith('.png')) return drawPng(lines);
  return Buffer.from(name.endsWith('.pdf') ? formatPdf(lines) : `${lines.join('\n')}\n`);
}

/** Sixteen colours, one per hexadecimal digit; a dot is white. */
const palette = [
  ...['000000', '1d2b53', '7e2553', '008751', 'ab5236', '5f574f', 'c2c3c7', 'fff1e8'],
  ...['ff004d', 'ffa300', 'ffec27', '00e436', '29adff', '83769c', 'ff77a8', 'ffccaa'],
  'ffffff',
].join('');
const white = 16;
/** Each digit becomes a square of this many pixels. */
const scale = 10;

function drawPng(rows: readonly string[]): Uint8Array {
  const pixels = rows.flatMap((row) => {
    const line = [...row].flatMap((digit) => Array<number>(scale).fill(colourOf(digit)));
    return Array<number[]>(scale).fill(line).flat();
  });
  return encodePng({
    width: (rows[0] ?? '').length * scale,
    palette: Buffer.from(palette, 'hex'),
    pixels: Uint8Array.from(pixels),
  });
}

function colourOf(digit: string): number {
  return digit === '.' ? white : Number.parseInt(digit, 16);
}

/** One page of A4. Every character must be ASCII, so that offsets in the text are offsets in bytes. */
function formatPdf(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`);
  const content = ['BT /F1 10 Tf 14 TL 56 786 Td', ...shown, 'ET'].join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return `${text}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}
