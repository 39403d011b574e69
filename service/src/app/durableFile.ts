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
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { SvcError } from '@svc/sdk/domain';

/** Undefined where there is no such file. */
export function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
}

/** The mode of a secret; a file that anybody may read has the usual one. */
export const ownerOnly = 0o600;
const usual = 0o666;

/** Puts the file in place of whatever is there. */
export function replaceFile(path: string, text: string, mode = usual): void {
  attempt(path, () =>
    withDraft(path, text, mode, (draft) => {
      renameSync(draft, path);
      syncFolder(path);
    }),
  );
}

/** False when there is one already; of two that try at once, one succeeds. `mode` says who may read it. */
export function createFile(path: string, text: string, mode = usual): boolean {
  return attempt(path, () =>
    withDraft(path, text, mode, (draft) => {
      try {
        linkSync(draft, path);
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      }
      syncFolder(path);
      return true;
    }),
  );
}

export function removeFile(path: string): void {
  attempt(path, () => {
    rmSync(path);
    syncFolder(path);
  });
}

/** Whole and on the disk before it gets its name: a name must never point at half a text. */
function withDraft<Result>(
  path: string,
  text: string,
  mode: number,
  name: (draft: string) => Result,
): Result {
  // A folder that is made for a secret is as closed as the secret.
  mkdirSync(dirname(path), { recursive: true, mode: mode === usual ? 0o777 : 0o700 });
  const draft = `${path}.${process.pid}.tmp`;
  // One that a killed process left would keep its mode.
  rmSync(draft, { force: true });
  try {
    const file = openSync(draft, 'wx', mode);
    try {
      // It writes until all is there or throws, where a single write may end early on a full disk.
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return name(draft);
  } finally {
    rmSync(draft, { force: true });
  }
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
