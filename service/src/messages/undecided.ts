// Texts that were refused for a reason that may pass: kept whole for a while, so that they can be judged again.
import type { Refusal } from '@svc/sdk/negotiation';
import type { SqliteFile } from '#store/localFiles.ts';

export const undecidedSchema = `
  CREATE TABLE IF NOT EXISTS undecided (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    agent TEXT NOT NULL,
    digest TEXT NOT NULL,
    kind INTEGER NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (agent, digest)
  );`;

export type UndecidedText = {
  readonly digest: string;
  readonly text: string;
  readonly refusal: Refusal;
  /** Whether something of its negotiation is known already. */
  readonly isUnderWay: boolean;
};

/**
 * Strangers may send without end. Each kind has places of its own, so that what anybody can write pushes out nothing that
 * only its sender can: a signature that proved to be right, a negotiation that we are in.
 */
const maxOfKind = 32;
const maxAgeSeconds = 7 * 24 * 3_600;

export function createUndecided({ database }: Pick<SqliteFile, 'database'>, agent: string) {
  return {
    /** Those of which most is known come first. */
    load: (): string[] =>
      database
        .prepare('SELECT text FROM undecided WHERE agent = ? ORDER BY kind DESC, position')
        .all(agent)
        .map(({ text }) => String(text)),
    save: ({ digest, text, refusal, isUnderWay }: UndecidedText, now: number): void => {
      const kind = (refusal.reason === 'time' ? 2 : 0) + (isUnderWay ? 1 : 0);
      database
        .prepare(
          `INSERT INTO undecided (agent, digest, kind, text, at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET kind = excluded.kind`,
        )
        .run(agent, digest, kind, text, now);
      database
        .prepare(
          `DELETE FROM undecided WHERE agent = ?1 AND kind = ?2 AND position <=
           (SELECT position FROM undecided WHERE agent = ?1 AND kind = ?2
            ORDER BY position DESC LIMIT 1 OFFSET ${maxOfKind})`,
        )
        .run(agent, kind);
    },
    remove: (digest: string): void => {
      database.prepare('DELETE FROM undecided WHERE agent = ? AND digest = ?').run(agent, digest);
    },
    /** Either way: a clock that is set right may jump back, too. */
    removeIfOld: (digest: string, now: number): void => {
      database
        .prepare('DELETE FROM undecided WHERE agent = ? AND digest = ? AND abs(at - ?) > ?')
        .run(agent, digest, now, maxAgeSeconds);
    },
  };
}
