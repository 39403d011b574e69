// Progress on the terminal and in the log.

import type { FollowEvent } from '../chain/follow.ts';
import type { AppLog } from '../http/requestLog.ts';

export type ProgressOutput = { readonly isTTY?: boolean; readonly write: (text: string) => unknown };

const barWidth = 30;
export const eraseLine = '\r\u001b[2K';

/** A bar that redraws itself on a terminal, one plain line per part elsewhere. */
export function createProgress(output: ProgressOutput) {
  let current: string | undefined;
  return {
    show: (part: string, done: number, total: number): void => {
      const isNew = part !== current;
      current = part;
      if (output.isTTY) output.write(`${eraseLine}${drawBar(done / total)} ${part}`);
      else if (isNew) output.write(`${part}\n`);
    },
    /** Removes the bar from the screen. */
    end: (): void => {
      if (output.isTTY && current !== undefined) output.write(eraseLine);
      current = undefined;
    },
  };
}

function drawBar(share: number): string {
  const filled = Math.round(share * barWidth);
  return `[${'#'.repeat(filled)}${' '.repeat(barWidth - filled)}]`;
}

const parts = { blocks: 'Reading the blocks', tasks: 'Reading the tasks' };
/** The shortest time between two progress lines in the log, so that a long chain does not fill it. */
const logEveryMs = 5_000;

/** Reports what the indexer does: progress as a bar and as a log line now and then, other events as they come. */
export function createFollowReport(
  log: AppLog,
  terminal: ProgressOutput,
  now: () => number = () => performance.now(),
): (event: FollowEvent) => void {
  const progress = createProgress(terminal);
  let loggedAt = Number.NEGATIVE_INFINITY;

  function showProgress(part: string, done: number, total: number): void {
    const isDone = done >= total;
    if (terminal.isTTY) {
      progress.show(part, done, total);
      if (isDone) progress.end();
    }
    if (!isDone && now() - loggedAt < logEveryMs) return;
    loggedAt = isDone ? Number.NEGATIVE_INFINITY : now();
    log.info({ done, total }, part);
  }

  return (event) => {
    if (event.kind === 'moved') return;
    if (event.kind === 'blocks') return showProgress(parts.blocks, event.done, event.total);
    if (event.kind === 'tasks') return showProgress(parts.tasks, event.done, event.total);
    if (event.kind === 'whole' && event.mistakes.length > 0)
      log.error({ tasks: event.mistakes }, 'the events of these tasks do not add up to their state');
    if (event.kind === 'corrected')
      log.error(toLogFields(event), 'rows differed from the chain and were corrected');
    else if (event.kind === 'failed')
      log.error({ error: event.error }, 'following the chain failed; retrying');
    else log.info(toLogFields(event), `follower: ${event.kind}`);
  };
}

/** Block numbers are bigints, which JSON does not support; they are far below the largest safe integer. */
function toLogFields(fields: object): object {
  return JSON.parse(
    JSON.stringify(fields, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)),
  );
}
