// A server of svc in a separate process: its URL, its log, and its end.
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type SvcOptions, type SvcRun, startSvc } from './svc.ts';

export type ServerProcess = {
  readonly child: ChildProcess;
  /** Resolves once it listens; rejects when it ends before. */
  readonly url: Promise<string>;
  /** The lines of its log, as they come. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  readonly isLeading: () => boolean;
  readonly ended: Promise<SvcRun>;
  /** As when the power goes, unless another signal is named. */
  readonly kill: (signal?: NodeJS.Signals) => Promise<SvcRun>;
};

export function startServerProcess(args: readonly string[], options: SvcOptions): ServerProcess {
  const { child, ended } = startSvc(args, options);
  const log: Record<string, unknown>[] = [];
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.startsWith('{')) log.push(JSON.parse(line));
    });
  }
  const url = new Promise<string>((resolve, reject) => {
    if (child.stdout !== null) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const [found] = /http:\S+/.exec(line) ?? [];
        if (found !== undefined) resolve(found);
      });
    }
    void ended.then(({ err }) => reject(new Error(`The server has ended: ${err}`)));
  });
  url.catch(() => undefined);
  return {
    child,
    url,
    log,
    isLeading: () =>
      log.findLast(({ msg }) => /leading|standby/.test(String(msg)))?.msg === 'follower: leading',
    ended,
    kill: (signal = 'SIGKILL') => {
      child.kill(signal);
      return ended;
    },
  };
}
