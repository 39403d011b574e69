// Refuses what is declared as sealed and is not: text and known formats. Other bytes cannot be told from ciphertext.
import { open } from 'node:fs/promises';
import { SvcError } from '@svc/sdk/domain';
import { sealBytes } from '@svc/sdk/internal/client/sealFile';

const headBytes = 4_096;

/** How files of common formats begin. Of fewer than three bytes, a sealed file would begin like them too often. */
const beginnings = [
  ...[
    '89504e47',
    'ffd8ff',
    '47494638',
    '49492a00',
    '4d4d002a',
    '52494646',
    '25504446',
    '504b0304',
    '504b0506',
  ],
  ...['1f8b08', '425a68', 'fd377a58', '28b52ffd', '377abcaf', '52617221', '4f676753', '664c6143', '494433'],
  ...['1a45dfa3', 'd0cf11e0', '7f454c46', '0061736d', 'cafebabe', '53514c69'],
];

/** Throws FILE_NOT_SEALED. */
export async function requireSealed(path: string, bytes: number): Promise<void> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const head = buffer.subarray(0, bytesRead);
    if (bytes < sealBytes || isText(head) || isMostlyEmpty(head) || hasFormat(head))
      throw new SvcError('FILE_NOT_SEALED', { reason: 'its bytes are text, or a file of a known format' });
  } finally {
    await file.close();
  }
}

/** Texts have tabs and ends of lines, no other control characters. */
const isControl = (byte: number) => byte < 9 || (byte > 13 && byte < 27) || byte === 127;

/** Of 28 random bytes, one in millions is text. */
function isText(head: Buffer): boolean {
  if (head.some(isControl)) return false;
  try {
    // The last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** As texts in UTF-16, programs, archives and databases are. */
function isMostlyEmpty(head: Buffer): boolean {
  return head.filter((byte) => byte === 0).length > head.length / 4;
}

function hasFormat(head: Buffer): boolean {
  const start = head.toString('hex', 0, 12);
  // Films and pictures of the MP4 family have their length first.
  return beginnings.some((one) => start.startsWith(one)) || start.slice(8, 16) === '66747970';
}
