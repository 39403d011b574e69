// Starts the processes of a run, each on its own core where possible, and reads what they use.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { prepareTestBundle } from '../scripts/testBundle.ts';
import type { LoadOrder, LoadResult } from './loadProcess.ts';

/**
 * `server` is the measured process; `load` is the load generator and the chain; other processes run anywhere.
 */
export type Place = 'server' | 'load' | 'anywhere';

export type StartOptions = {
  readonly place: Place;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

const root = join(import.meta.dirname, '..');

/** Without a second core or `taskset`, the system places the processes. */
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;
const cores: Readonly<Partial<Record<Place, string>>> = { server: '0', load: '1' };

export function describePlaces(): string {
  return canPin ? 'server and load on a core each' : 'server and load wherever the system puts them';
}

/**
 * Passes only the given environment, so that local settings do not change the figures; and the compile cache of a test
 * run, whose figures mean nothing.
 */
export function startNode(script: string, { place, args = [], env = {} }: StartOptions): ChildProcess {
  const command = [process.execPath, '--conditions=@svc/source', resolve(root, script), ...args];
  const core = cores[place];
  const [file = '', ...rest] = canPin && core !== undefined ? ['taskset', '-c', core, ...command] : command;
  const child = spawn(file, rest, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_OPTIONS: '--conditions=@svc/source',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

let bundle: Promise<string> | undefined;

/** Starts a file of the bundle that users install, which starts in a third of the time of the sources. */
export async function startBundled(file: string, options: StartOptions): Promise<ChildProcess> {
  return startNode(join(await openBundle(), file), options);
}

/** Built once for all processes of a run; `npm test` has built it before. */
export function openBundle(): Promise<string> {
  const { SVC_TEST_BUNDLE: built } = process.env;
  bundle ??= built === undefined ? prepareTestBundle() : Promise.resolve(built);
  return bundle;
}

/** An interrupted run leaves no process behind. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** The next message of a child; rejects when it ends instead. */
export function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('a process of the run ended too early'));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as Message);
    });
  });
}

const ticksPerSecond = Number(spawnSync('getconf', ['CLK_TCK']).stdout?.toString() ?? Number.NaN);

/** CPU seconds of all threads, user and kernel; NaN outside Linux. */
export function readCpuSeconds(pid: number): number {
  const text = readProc(pid, 'stat');
  // The program name is in brackets and may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [inProgram, inKernel] = [Number(fields[11]), Number(fields[12])];
  return (inProgram + inKernel) / ticksPerSecond;
}

export function readResidentMegabytes(pid: number): number {
  return readMegabytes(pid, 'VmRSS');
}

/** Without the pages of files, such as Node itself, which the system loads and drops as it likes. */
export function readOwnMegabytes(pid: number): number {
  return readMegabytes(pid, 'RssAnon');
}

function readMegabytes(pid: number, field: string): number {
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readProc(pid, 'status')) ?? [];
  return Number(kilobytes ?? Number.NaN) / 1_024;
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

export type { Target } from './loadProcess.ts';

export type Load = ReturnType<typeof createLoad>;

export function createLoad() {
  const child = startNode('bench/loadProcess.ts', { place: 'load' });
  return {
    /** Throws on an unexpected reply, because the figures would be wrong. */
    run: async (order: LoadOrder) => {
      const answer = nextMessage<LoadResult>(child);
      child.send(order);
      const result = await answer;
      if (result.error !== undefined) throw new Error(`${order.path}: ${result.error}`);
      return result;
    },
    close: () => stopProcess(child),
  };
}
