// Runs the svc command as a user would: in a separate process and folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
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

/** Sees only the given environment; uses any free port and a separate data folder, so that runs never collide. */
export function startSvc(
  args: readonly string[],
  options: SvcOptions,
): { readonly child: ChildProcess; readonly ended: Promise<SvcRun> } {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-data-'));
  const own = { SVC_SITE_PORT: '0', SVC_GATEWAY_PORT: '0', SVC_DATA_DIR: dataDir, SVC_BUILD_PAGES: 'off' };
  const child = spawn(process.execPath, [options.script ?? svcScript, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...own, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<Pick<SvcRun, 'exitCode' | 'signal'>>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, signal) => {
      rmSync(dataDir, { recursive: true, force: true });
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

export function createFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
