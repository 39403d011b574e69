// One svc process of a run: can be killed and restarted under the same name; its memory is sampled.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readOwnMegabytes } from '../bench/processes.ts';
import { type ServerProcess, startServerProcess } from '../test/support/serverProcess.ts';

export type Sample = { readonly at: number; readonly megabytes: number };

export type Server = ReturnType<typeof createServer>;

export type ServerOptions = {
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** False for a keeper. */
  readonly listens: boolean;
  /** Scripts of the command, the usual one first. */
  readonly builds: readonly [string, string];
};

const longestEndMs = 30_000;
/** After this many samples it handles signals; earlier, or while it ends, a signal would kill it. */
const listeningSamples = 10;

export function createServer({ name, args, cwd, env, listens, builds }: ServerOptions) {
  const clockFile = join(cwd, `${name}.clock`);
  let build = 0;
  const lives: Sample[][] = [];
  let process: ServerProcess | null = null;
  const logs: ServerProcess['log'][] = [];
  let url = '';
  let isEnding = false;
  const isRunning = () =>
    process !== null && process.child.exitCode === null && process.child.signalCode === null;

  function collect(): void {
    const age = lives.at(-1)?.length ?? 0;
    if (isRunning() && !isEnding && age >= listeningSamples) process?.child.kill('SIGUSR2');
  }

  return {
    name,
    /** URL of the current or the last process. */
    url: () => url,
    pid: () => process?.child.pid ?? 0,
    isRunning,
    /** Memory samples of each process with this name, in order. */
    lives: lives as readonly Sample[][],
    /** The lines of its log, over all its lives. */
    log: () => logs.flat(),
    /** Unexpected errors in its log. */
    failures: () =>
      logs
        .flat()
        .flatMap(({ msg, path, error }) => (msg === 'request failed' ? [`${path}: ${describe(error)}`] : [])),
    sample: (at: number) => {
      const megabytes = isRunning() ? readOwnMegabytes(process?.child.pid ?? 0) : Number.NaN;
      if (!Number.isNaN(megabytes)) lives.at(-1)?.push({ at, megabytes });
    },
    /** Collects garbage, so that samples show the memory in use. */
    collect,
    /** Sets its clock that much ahead of the others, over restarts as well. */
    setClock: (aheadMs: number) => {
      writeFileSync(clockFile, String(aheadMs));
      collect();
    },
    /** The next start takes the other build. */
    changeBuild: () => {
      build = 1 - build;
    },
    start: async () => {
      process = startServerProcess(args, {
        cwd,
        env: { ...env, SOAK_CLOCK: clockFile },
        script: builds[build] as string,
      });
      isEnding = false;
      lives.push([]);
      logs.push(process.log);
      if (listens) url = await process.url;
    },
    kill: async () => void (await process?.kill()),
    /** Stops it with SIGTERM; returns the exit code, or null if it had to be killed. */
    end: async () => {
      if (process === null) return null;
      isEnding = true;
      const stopped = process.kill('SIGTERM').then(({ exitCode }) => exitCode);
      const late = pause(longestEndMs, null, { ref: false });
      const exitCode = await Promise.race([stopped, late]);
      if (exitCode === null) await process.kill();
      return exitCode;
    },
  };
}

function describe(error: unknown): string {
  return JSON.stringify(error).slice(0, 500);
}
