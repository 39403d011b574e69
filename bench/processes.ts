// Starts the processes of a run, each on a core of its own where the system lets us choose.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/**
 * `server` is what is measured; `load` is whoever asks it, and the chain behind it; what is not measured runs anywhere.
 */
export type Place = 'server' | 'load' | 'anywhere';

export type StartOptions = {
  readonly place: Place;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

const root = join(import.meta.dirname, '..');

/** With one core there is nothing to keep apart; without `taskset` the system places the processes. */
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;
const cores: Readonly<Partial<Record<Place, string>>> = { server: '0', load: '1' };

export function describePlaces(): string {
  return canPin ? 'server and load on a core each' : 'server and load wherever the system puts them';
}

/** Sees nothing of the environment but what is given, so that a setting of ours cannot colour the figures. */
export function startNode(script: string, { place, args = [], env = {} }: StartOptions): ChildProcess {
  const command = [process.execPath, join(root, script), ...args];
  const core = cores[place];
  const [file = '', ...rest] = canPin && core !== undefined ? ['taskset', '-c', core, ...command] : command;
  const child = spawn(file, rest, {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** A run that breaks off leaves no process behind. */
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
    const onExit = () => reject(new Error('a process of the run ended before it was done'));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as Message);
    });
  });
}
