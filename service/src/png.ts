// Writes PNG pictures with a palette (ISO/IEC 15948).
import { crc32, deflateSync } from 'node:zlib';

type Picture = {
  readonly width: number;
  /** Red, green and blue of each color. */
  readonly palette: Uint8Array;
  /** One color a byte, row after row. */
  readonly pixels: Uint8Array;
  /** Of compression, from 1 to 9. */
  readonly level?: number;
};

export function encodePng({ width, palette, pixels, level = 6 }: Picture): Buffer {
  const height = pixels.length / width;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, colors from the palette.
  header.set([8, 3, 0, 0, 0], 8);
  // Each row begins with a zero: it is not filtered.
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++)
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    encodeChunk('IHDR', header),
    encodeChunk('PLTE', palette),
    encodeChunk('IDAT', deflateSync(rows, { level })),
    encodeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function encodeChunk(kind: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
