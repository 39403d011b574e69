// A file that is there and that only its owner may read, before anything is written into it.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { SvcError } from '#domain/errors.ts';

export function createPrivately(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'it cannot be made';
    throw new SvcError('FILE_UNUSABLE', { file: path, reason }, error);
  }
}
