// A file in the data folder that only its owner may read.
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SvcError } from '#domain/errors.ts';

export function createSecretFile(path: string) {
  return {
    /** Undefined where there is none yet. */
    load: (): string | undefined => {
      try {
        return readFileSync(path, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw unusable(path, error);
      }
    },
    save: (text: string): void => {
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        const draft = `${path}.${process.pid}.tmp`;
        // The mode of a file that is there already would stay; a new one never lies open, not even for a moment.
        writeFileSync(draft, text, { mode: 0o600, flag: 'w' });
        chmodSync(draft, 0o600);
        renameSync(draft, path);
      } catch (error) {
        throw unusable(path, error);
      }
    },
  };
}

function unusable(file: string, error: unknown): SvcError {
  const reason = (error as NodeJS.ErrnoException).code ?? 'it cannot be used';
  return new SvcError('FILE_UNUSABLE', { file, reason }, error);
}
