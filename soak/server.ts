// One process of svc in a run: started, killed and started again at the same name, its memory sampled meanwhile.
import { setTimeout as pause } from 'node:timers/promises';
import { readResidentMegabytes } from '../bench/processes.ts';
import { type ServerProcess, startServerProcess } from '../test/support/serverProcess.ts';

export type Sample = { readonly at: number; readonly megabytes: number };

export type Server = {
  readonly name: string;
  /** Of the process that runs now, or ran last. */
  readonly url: () => string;
  readonly pid: () => number;
  readonly isRunning: () => boolean;
  /** What each process that bore this name has used, in turn. */
  readonly lives: readonly Sample[][];
  /** What its log calls failures of ours. */
  readonly failures: () => string[];
  readonly sample: (at: number) => void;
  /** Has it collect its garbage: how much of it lies about says nothing about what is used. */
  readonly collect: () => void;
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
  /** As a service manager ends it; answers the exit code, or null where it had to be killed. */
  readonly end: () => Promise<number | null>;
};

export type ServerOptions = {
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A keeper listens nowhere. */
  readonly listens: boolean;
};

const longestEndMs = 30_000;
/** So many samples old, it listens to signals, which would end it before. */
const listeningSamples = 10;

export function createServer({ name, args, cwd, env, listens }: ServerOptions): Server {
  const lives: Sample[][] = [];
  let process: ServerProcess | null = null;
  const logs: ServerProcess['log'][] = [];
  let url = '';
  const isRunning = () =>
    process !== null && process.child.exitCode === null && process.child.signalCode === null;

  return {
    name,
    url: () => url,
    pid: () => process?.child.pid ?? 0,
    isRunning,
    lives,
    failures: () =>
      logs
        .flat()
        .flatMap(({ msg, path, error }) => (msg === 'request failed' ? [`${path}: ${describe(error)}`] : [])),
    sample: (at) => {
      const megabytes = isRunning() ? readResidentMegabytes(process?.child.pid ?? 0) : Number.NaN;
      if (!Number.isNaN(megabytes)) lives.at(-1)?.push({ at, megabytes });
    },
    collect: () => {
      const age = lives.at(-1)?.length ?? 0;
      if (isRunning() && age >= listeningSamples) process?.child.kill('SIGUSR2');
    },
    start: async () => {
      process = startServerProcess(args, { cwd, env });
      lives.push([]);
      logs.push(process.log);
      if (listens) url = await process.url;
    },
    kill: async () => void (await process?.kill()),
    end: async () => {
      if (process === null) return null;
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
