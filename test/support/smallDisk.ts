// A disk in memory that can be full.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export type SmallDisk = NonNullable<ReturnType<typeof mountSmallDisk>>;

const megabytes = 96;

/** A small disk in memory. Null if this user may not mount. */
export function mountSmallDisk(folder: string) {
  mkdirSync(folder, { recursive: true });
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder];
  if (process.platform !== 'linux' || spawnSync('mount', options).status !== 0) return null;
  const ballast = join(folder, 'ballast');
  let isMounted = true;
  return {
    folder,
    /** Writes until no byte is free. */
    fill: () => {
      const file = openSync(ballast, 'w');
      try {
        for (const size of [1024 * 1024, 4_096, 1]) writeUntilFull(file, Buffer.alloc(size));
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    unmount: () => {
      if (isMounted) spawnSync('umount', ['-l', folder]);
      isMounted = false;
    },
  };
}

function writeUntilFull(file: number, block: Buffer): void {
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
