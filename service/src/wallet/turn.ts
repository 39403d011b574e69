// One at a time, whatever process it is in; the turn of a process that dies is free again.
import { DatabaseSync } from 'node:sqlite';
import { SvcError } from '@svc/sdk/domain';
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
  if (release === null) {
    const reason = `another process is ${turn.occupation}; try again later`;
    throw new SvcError('WALLET_REFUSED', { reason });
  }
  return finish(work, release);
}

/** Undefined where somebody still has it when the patience is at its end. */
export async function ifFree<Result>(
  turn: Omit<Turn, 'occupation'>,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const release = await takeTurn(turn);
  return release === null ? undefined : finish(work, release);
}

async function finish<Result>(work: () => Promise<Result>, release: () => void): Promise<Result> {
  try {
    return await work();
  } finally {
    release();
  }
}

/** A lock that the system takes back from a process that dies, unlike a file that says who holds it. */
async function takeTurn({ path, patienceMs }: Omit<Turn, 'occupation'>): Promise<(() => void) | null> {
  if (path !== inMemory) createPrivately(path);
  for (const end = performance.now() + patienceMs; ; ) {
    const release = tryLock(path);
    if (release !== null || performance.now() >= end) return release;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function tryLock(path: string): (() => void) | null {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return () => lock?.close();
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return null;
    throw new SvcError('WALLET_REFUSED', { reason: 'its lock cannot be used' }, error);
  }
}
