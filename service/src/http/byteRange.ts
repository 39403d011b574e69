// The header Range, as far as downloads need it: one range of bytes.
import { SvcError } from '@svc/sdk/domain';
import type { ByteRange } from '#files/byteStore.ts';

/**
 * Null for the whole file: without the header, and for several ranges or other units, which a server may ignore. Throws
 * FILE_RANGE_INVALID where the range lies outside of the file.
 */
export function parseRange(header: string | undefined, bytes: number): ByteRange | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  if (from === '') return requireInside({ first: Math.max(0, bytes - Number(to)), last: bytes - 1 }, bytes);
  const last = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  // An end before the beginning makes the header invalid, and then it does not count.
  if (to !== '' && Number(to) < Number(from)) return null;
  return requireInside({ first: Number(from), last }, bytes);
}

function requireInside(range: ByteRange, bytes: number): ByteRange {
  if (range.first >= bytes) throw new SvcError('FILE_RANGE_INVALID', { bytes: String(bytes) });
  return range;
}
