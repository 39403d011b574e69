// A file that is there and that only its owner may read, before anything is written into it.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { SvcError } from '@svc/sdk/domain';

/** One that is there is not even opened: closing it again would end the locks that this process has on it. */
export function createPrivately(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'it cannot be made';
    if (reason === 'EEXIST') return;
    throw new SvcError('FILE_UNUSABLE', { file: path, reason }, error);
  }
}
