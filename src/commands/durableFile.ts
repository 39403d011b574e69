// Files that are there whole or not at all, also after a power cut. Failures are told by file and reason.
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { SvcError } from '#domain/errors.ts';

/** Undefined where there is no such file. */
export function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
}

/** Puts the file in place of whatever is there. */
export function replaceFile(path: string, text: string): void {
  attempt(path, () => {
    const draft = writeDraft(path, text);
    renameSync(draft, path);
    syncFolder(path);
  });
}

/** False when there is one already; of two that try at once, one succeeds. `mode` says who may read it. */
export function createFile(path: string, text: string, mode = 0o666): boolean {
  return attempt(path, () => {
    const draft = writeDraft(path, text, mode);
    try {
      linkSync(draft, path);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      rmSync(draft);
    }
    syncFolder(path);
    return true;
  });
}

export function removeFile(path: string): void {
  attempt(path, () => {
    rmSync(path);
    syncFolder(path);
  });
}

/** On the disk before it gets its name: a name must never point at half a text. */
function writeDraft(path: string, text: string, mode = 0o666): string {
  // A folder that is made for a secret is as closed as the secret.
  mkdirSync(dirname(path), { recursive: true, mode: mode === 0o666 ? 0o777 : 0o700 });
  const draft = `${path}.${process.pid}.tmp`;
  const file = openSync(draft, 'w', mode);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return draft;
}

/** A new name is durable once its folder is; Windows cannot and need not sync folders. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): SvcError {
  return new SvcError('FILE_UNUSABLE', { file: path, reason: codeOf(error) ?? String(error) }, error);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
