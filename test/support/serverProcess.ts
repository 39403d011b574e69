// A server of svc in a separate process: its URL, its log, and its end.
import { createInterface } from 'node:readline';
import { readUrl } from './lines.ts';
import { type SvcOptions, startSvc } from './svc.ts';

export type ServerProcess = ReturnType<typeof startServerProcess>;

export function startServerProcess(args: readonly string[], options: SvcOptions) {
  const { child, ended } = startSvc(args, options);
  const log: Record<string, unknown>[] = [];
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.startsWith('{')) log.push(JSON.parse(line));
    });
  }
  const url = readUrl(child).catch(async () => {
    throw new Error(`The server has ended: ${(await ended).err}`);
  });
  url.catch(() => undefined);
  return {
    child,
    /** Resolves once it listens; rejects when it ends before. */
    url,
    /** The lines of its log, as they come. */
    log: log as readonly Readonly<Record<string, unknown>>[],
    isLeading: () =>
      log.findLast(({ msg }) => /leading|standby/.test(String(msg)))?.msg === 'follower: leading',
    ended,
    /** As when the power goes, unless another signal is named. */
    kill: (signal: NodeJS.Signals = 'SIGKILL') => {
      child.kill(signal);
      return ended;
    },
  };
}
