// Runs the svc command as a user would, in a separate folder: as a process, or without one where the process plays no part.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { format } from 'node:util';
import { main } from '#service/main.ts';
import { readLines } from './lines.ts';

export type SvcRun = {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
};

const root = join(import.meta.dirname, '../..');
/** `npm test` builds it, because loading it takes a third of the time of loading the sources. */
const bundle = process.env.SVC_TEST_BUNDLE;
export const svcScript = join(bundle ?? join(root, 'service'), 'bin/svc.mjs');
// Halves the time of a start.
export const compileCache = join(root, 'node_modules/.cache/compile');

export type SvcOptions = {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another build than the usual one. */
  readonly script?: string;
};

/** Only the given environment, any free port and a separate data folder, so that runs never collide. */
function isolate({ env }: SvcOptions) {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-data-'));
  const own = { SVC_SITE_PORT: '0', SVC_GATEWAY_PORT: '0', SVC_DATA_DIR: dataDir, SVC_BUILD_PAGES: 'off' };
  return {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...own, ...env },
    clear: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

let lastRun: Promise<unknown> = Promise.resolve();

/** In this process, one after the other: prints the same as a separate process, and needs no second to start. */
export function runSvc(args: readonly string[], options: SvcOptions): Promise<SvcRun> {
  const run = lastRun.then(() => runHere(args, options));
  lastRun = run.catch(() => undefined);
  return run;
}

async function runHere(args: readonly string[], options: SvcOptions): Promise<SvcRun> {
  const outer = { env: process.env, cwd: process.cwd(), log: console.log, error: console.error };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const listeners = signals.map((signal) => process.listeners(signal));
  const said = { out: '', err: '' };
  const say =
    (where: keyof typeof said) =>
    (text: unknown, ...more: unknown[]) => {
      said[where] += `${format(text, ...more)}\n`;
    };
  const { env, clear } = isolate(options);
  process.env = env;
  process.chdir(options.cwd);
  Object.assign(console, { log: say('out'), error: say('err') });
  try {
    const exitCode = await main(args, { out: say('out'), err: say('err') });
    return { exitCode, signal: null, ...said };
  } finally {
    Object.assign(console, { log: outer.log, error: outer.error });
    process.chdir(outer.cwd);
    process.env = outer.env;
    for (const [at, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (!listeners[at]?.includes(listener)) process.off(signal, listener);
    clear();
  }
}

export function startSvc(
  args: readonly string[],
  options: SvcOptions,
): { readonly child: ChildProcess; readonly ended: Promise<SvcRun> } {
  const { env, clear } = isolate(options);
  const child = spawn(process.execPath, [options.script ?? svcScript, ...args], {
    cwd: options.cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<Pick<SvcRun, 'exitCode' | 'signal'>>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, signal) => {
      clear();
      resolve({ exitCode, signal });
    });
  });
  const ended = Promise.all([exit, text(child.stdout), text(child.stderr)]).then(([how, out, err]) => ({
    ...how,
    out,
    err,
  }));
  return { child, ended };
}

/** A file of this folder that runs as a process. */
export function findProcessScript(name: string): string {
  return bundle === undefined ? join(import.meta.dirname, `${name}.ts`) : join(bundle, 'dist', `${name}.js`);
}

/** Starts such a file; it is killed after the test at the latest. `kill` ends it as when the power goes. */
export function startScript(context: Pick<TestContext, 'after'>, name: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [findProcessScript(name), ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  context.after(kill);
  let next: ReturnType<typeof readLines> | undefined;
  const nextLine = () => {
    next ??= readLines(child);
    return next();
  };
  return { child, ended, kill, nextLine };
}

/** Gone when the test, or the file that has this `after`, is over. */
export function createFolder(context: { readonly after: (end: () => void) => void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
