// Files that are there whole or not at all, also after a power cut.
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Puts the file in place of whatever is there. */
export function replaceFile(path: string, text: string): void {
  const draft = writeDraft(path, text);
  renameSync(draft, path);
  syncFolder(path);
}

/** Throws EEXIST when there is one already. */
export function createFile(path: string, text: string): void {
  const draft = writeDraft(path, text);
  try {
    linkSync(draft, path);
  } finally {
    rmSync(draft);
  }
  syncFolder(path);
}

export function removeFile(path: string): void {
  rmSync(path);
  syncFolder(path);
}

/** On the disk before it gets its name: a name must never point at half a text. */
function writeDraft(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  const file = openSync(draft, 'w');
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
