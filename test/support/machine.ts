// A bare machine with systemd, within this one; for root. See machine.sh.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { until } from './until.ts';

/** Why there can be no machine here; false where there can. */
export const noMachine: string | false =
  process.platform !== 'linux' || process.getuid?.() !== 0
    ? 'it needs Linux and root'
    : spawnSync('/lib/systemd/systemd', ['--version']).status !== 0 && 'systemd is not installed';

export type Machine = Awaited<ReturnType<typeof startMachine>>;

export async function startMachine(context: TestContext, folder: string) {
  const opt = join(folder, 'opt');
  mkdirSync(opt);
  const outer = spawn('bash', [join(import.meta.dirname, 'machine.sh'), opt], { stdio: 'inherit' });
  const ended = once(outer, 'exit');
  context.after(async () => {
    outer.kill('SIGKILL');
    await ended;
    const groups = `/sys/fs/cgroup/{,unified/}svc-machine-${outer.pid}`;
    const remove = `find ${groups} -depth -type d -exec rmdir {} + 2>/dev/null; ! ls -d ${groups} 2>/dev/null`;
    // Its last processes take a moment to end.
    await until(() => spawnSync('bash', ['-c', remove]).status === 0);
  });
  /** The first process of the machine, as this one counts. */
  const readFirst = () =>
    readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim().split(' ')[0] as string;
  const enter = (isOnline: boolean) => [
    ...['--target', readFirst(), '--mount', '--pid', '--uts', '--ipc', '--cgroup', '--root', '--wd'],
    ...(isOnline ? [] : ['--net']),
    ...['env', '-i', 'HOME=/root', 'LANG=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive'],
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...['bash', '--norc', '-euo', 'pipefail', '-c'],
  ];
  /** Answers what the commands print. `isOnline`: with the network of the machine around it. */
  const run = async (commands: string, { isOnline = false } = {}): Promise<string> => {
    const lines = `cd /root\n${commands}`;
    const running = promisify(execFile)('nsenter', [...enter(isOnline), lines], { maxBuffer: 1e8 });
    running.child.stdin?.end();
    try {
      return (await running).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
      throw new Error(`${commands}\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`);
    }
  };
  await until(async () => {
    if (outer.exitCode !== null) throw new Error('The machine has ended.');
    return run('systemctl is-active basic.target').then(
      () => true,
      () => false,
    );
  });
  return {
    run,
    /** Starts a program of the machine around it, in the network of this one. */
    startBeside: (args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess => {
      const child = spawn('nsenter', ['--target', readFirst(), '--net', process.execPath, ...args], {
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      context.after(() => child.kill('SIGKILL'));
      return child;
    },
  };
}
