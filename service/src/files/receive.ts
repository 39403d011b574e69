// Receives a body into a temporary file: hashed on the way, synced, and removed again unless it is what was announced.
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SvcError } from '@svc/sdk/domain';

export type Announced = {
  readonly sha256: string;
  readonly bytes: number;
  /** Aborts an upload that takes too long. */
  readonly signal: AbortSignal;
  /** Ends one that stands still for this long. */
  readonly stallMs: number;
};

/** Runs `work` with the complete file, which is gone afterwards unless `work` has moved it. */
export async function receive<T>(
  folder: string,
  body: Readable,
  announced: Announced,
  work: (path: string) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}.part`);
  try {
    await write(path, body, announced);
    return await work(path);
  } catch (error) {
    throw isFull(error) ? new SvcError('STORE_FULL', {}, error) : error;
  } finally {
    await rm(path, { force: true });
  }
}

const bufferedBytes = 512 * 1_024;

async function write(path: string, body: Readable, announced: Announced): Promise<void> {
  const { sha256, bytes, stallMs } = announced;
  const stalled = new AbortController();
  const signal = AbortSignal.any([announced.signal, stalled.signal]);
  const stall = setTimeout(() => stalled.abort(), stallMs);
  const hash = createHash('sha256');
  let received = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      stall.refresh();
      if (received > bytes) return done(new SvcError('HASH_MISMATCH', {}));
      hash.update(chunk);
      done(null, chunk);
    },
  });
  // `flush` syncs the file before it is closed. Data that arrives during a write is written in one piece after it.
  const file = createWriteStream(path, {
    flags: 'wx',
    mode: 0o600,
    flush: true,
    highWaterMark: bufferedBytes,
  });
  try {
    await pipeline(body, measure, file, { signal });
  } catch (error) {
    if (signal.aborted) throw new SvcError('REQUEST_TOO_SLOW', {}, error);
    if (error instanceof SvcError || isFull(error) || !isCut(error)) throw error;
    throw new SvcError('UPLOAD_CUT', {}, error);
  } finally {
    clearTimeout(stall);
  }
  if (received < bytes) throw new SvcError('UPLOAD_CUT', {});
  if (hash.digest('hex') !== sha256) throw new SvcError('HASH_MISMATCH', {});
}

/** The disk is full, or the quota of this user on it. */
function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(String((error as NodeJS.ErrnoException).code));
}

function isCut(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'EPIPE';
}

/** Removes what killed processes left: no upload takes as long as `ageMs`. */
export async function removeLeftovers(folder: string, ageMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.endsWith('.part'))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs >= ageMs) await rm(path, { force: true });
  }
}
