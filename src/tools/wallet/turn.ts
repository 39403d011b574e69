// One at a time, whatever process it is in; the turn of a process that dies is free again.
import { DatabaseSync } from 'node:sqlite';
import { SvcError } from '#domain/errors.ts';
import { createPrivately } from './privateFile.ts';

export type Turn = {
  /** Of the lock; in memory nobody else can have it. */
  readonly path: string;
  readonly patienceMs: number;
  /** What the one does who has it for that long. */
  readonly occupation: string;
};

/** For as long as the process lives. */
export const inMemory = ':memory:';

const pauseMs = 50;
const sqliteBusy = 5;

export async function inTurn<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result> {
  const release = await takeTurn(turn);
  try {
    return await work();
  } finally {
    release();
  }
}

/** A lock that the system takes back from a process that dies, unlike a file that says who holds it. */
async function takeTurn({ path, patienceMs, occupation }: Turn): Promise<() => void> {
  if (path !== inMemory) createPrivately(path);
  const lock = new DatabaseSync(path, { timeout: 0 });
  for (const end = performance.now() + patienceMs; ; ) {
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return () => lock.close();
    } catch (error) {
      const isBusy = (error as { errcode?: number }).errcode === sqliteBusy;
      if (!isBusy || performance.now() > end) {
        lock.close();
        const reason = isBusy
          ? `another process is ${occupation}; try again later`
          : 'its lock cannot be used';
        throw new SvcError('WALLET_REFUSED', { reason }, error);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
