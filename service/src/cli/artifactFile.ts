// A file as an artifact of a work receipt: its name, size and hash.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { SvcError } from '@svc/sdk/domain';

export function readArtifact(path: string) {
  try {
    const bytes = readFileSync(path);
    const hash = `0x${createHash('sha256').update(bytes).digest('hex')}`;
    return { name: basename(path), hash, algorithm: 'sha256', bytes: bytes.length };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'it cannot be read';
    throw new SvcError('FILE_UNUSABLE', { file: path, reason }, error);
  }
}
