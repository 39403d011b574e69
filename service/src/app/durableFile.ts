// Atomic file writes that survive a power cut. Written by hand: write-file-atomic cannot refuse an existing file or sync the folder.

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
import { OperatorError } from '../errors/operatorError.ts';

/** Undefined where there is no such file. */
export function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
}

/** Why a file cannot be used, in words where the reason is a usual one. */
export function explainFileError(error: unknown): string {
  const code = codeOf(error);
  return code === 'ENOENT' ? 'there is no such file' : (code ?? String(error));
}

/** Throws FILE_UNUSABLE, also where there is no such file. */
export function requireFile(path: string): string {
  const text = readFile(path);
  if (text === undefined)
    throw new OperatorError('FILE_UNUSABLE', { file: path, reason: 'there is no such file' });
  return text;
}

/** The mode of a file that holds a secret. */
export const ownerOnly = 0o600;
const defaultMode = 0o666;

/** Creates the file or replaces it. */
export function replaceFile(path: string, text: string, mode = defaultMode): void {
  attempt(path, () =>
    withDraft(path, text, mode, (draft) => {
      renameSync(draft, path);
      syncFolder(path);
    }),
  );
}

/** Returns false when the file exists already; of two processes that try together one succeeds. */
export function createFile(path: string, text: string, mode = defaultMode): boolean {
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

/** Writes and syncs a temporary file before it gets its name, so that the name never points at half a text. */
function withDraft<Result>(
  path: string,
  text: string,
  mode: number,
  name: (draft: string) => Result,
): Result {
  // A folder created for a secret is as private as the secret.
  mkdirSync(dirname(path), { recursive: true, mode: mode === defaultMode ? 0o777 : 0o700 });
  const draft = `${path}.${process.pid}.tmp`;
  // A draft that a killed process left would keep its mode.
  rmSync(draft, { force: true });
  try {
    const file = openSync(draft, 'wx', mode);
    try {
      // Writes everything or throws; a single write may stop early on a full disk.
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

/** A new name is durable once its folder is synced. Windows cannot and need not sync folders. */
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

function unusable(path: string, error: unknown): OperatorError {
  return new OperatorError('FILE_UNUSABLE', { file: path, reason: explainFileError(error) }, error);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
