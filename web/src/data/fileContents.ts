// What a page may show of a file of an unknown sender. Only the bytes decide: names and declared types can lie.
import { decodeText } from '@svc/sdk/internal/domain/document';

export const maxImageBytes = 5_000_000;
export const maxTextBytes = 256 * 1_024;

type FileContents =
  | { readonly kind: 'image'; readonly mediaType: string }
  | { readonly kind: 'text'; readonly text: string }
  /** Everything else, HTML, SVG and programs included as text or not: it can only be saved. */
  | { readonly kind: 'download'; readonly reason: string };

export function readContents(bytes: Uint8Array, name: string): FileContents {
  const mediaType = findImageType(bytes);
  if (mediaType !== null) {
    return bytes.length <= maxImageBytes
      ? { kind: 'image', mediaType }
      : { kind: 'download', reason: 'Pictures above 5 MB are not shown here.' };
  }
  // Readers expect to see these rendered, which never happens here.
  if (/\.(html?|xhtml|svgz?|xml|[cm]?js|wasm)$/i.test(name))
    return { kind: 'download', reason: 'Web pages, SVG pictures and programs are never opened here.' };
  if (bytes.length > maxTextBytes)
    return { kind: 'download', reason: 'Only pictures and short texts are shown here.' };
  const text = decodeText(bytes);
  return text === null || hasControls(text)
    ? { kind: 'download', reason: 'Only pictures and texts are shown here.' }
    : { kind: 'text', text };
}

/** By their first bytes; raster pictures only. */
function findImageType(bytes: Uint8Array): string | null {
  const isAt = (offset: number, ...expected: readonly number[]) =>
    expected.every((byte, index) => bytes[offset + index] === byte);
  if (isAt(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (isAt(0, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (isAt(0, 0x47, 0x49, 0x46, 0x38) && (isAt(4, 0x37, 0x61) || isAt(4, 0x39, 0x61))) return 'image/gif';
  if (isAt(0, 0x52, 0x49, 0x46, 0x46) && isAt(8, 0x57, 0x45, 0x42, 0x50)) return 'image/webp';
  return null;
}

function hasControls(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a text has none of these
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text);
}

export function showBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
