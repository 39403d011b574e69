// Tells what the follower does: how far it is by a bar on a terminal and by a line now and then in the log, the rest as
// it comes.
import type { AppLog } from '#http/requestLog.ts';
import type { FollowEvent } from '#indexer/advance.ts';
import { createProgress, type ProgressOutput } from './progress.ts';

export type FollowReport = (event: FollowEvent) => void;

const parts = { snapshot: 'Reading the tasks', history: 'Reading the history' };
/** A chain of any length must not fill the log. */
const quietMs = 5_000;

export function createFollowReport(
  log: AppLog,
  terminal: ProgressOutput,
  now: () => number = () => performance.now(),
): FollowReport {
  const progress = createProgress(terminal);
  let toldAt = Number.NEGATIVE_INFINITY;

  function showShare(part: string, done: number, total: number): void {
    const isDone = done >= total;
    if (terminal.isTTY) {
      progress.show(part, done, total);
      if (isDone) progress.end();
    }
    if (!isDone && now() - toldAt < quietMs) return;
    toldAt = isDone ? Number.NEGATIVE_INFINITY : now();
    log.info({ done, total }, part);
  }

  return (event) => {
    if (event.kind === 'moved') return;
    if (event.kind === 'snapshot') return showShare(parts.snapshot, event.done, event.total);
    if (event.kind === 'history') {
      const { head, floor, startBlock } = event;
      return showShare(parts.history, Number(head - floor) + 1, Number(head - startBlock) + 1);
    }
    if (event.kind === 'failed') log.error({ error: event.error }, 'following failed; it goes on');
    else log.info(toLogFields(event), `follower: ${event.kind}`);
  };
}

/** Block numbers are big integers, which JSON cannot hold; as numbers they stay exact for ages. */
function toLogFields(fields: object): object {
  return JSON.parse(
    JSON.stringify(fields, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)),
  );
}
