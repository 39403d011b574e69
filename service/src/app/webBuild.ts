// Builds the pages where they are missing or older than what they are made of.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '../../..');
export const builtFolder = join(root, 'web/dist');

const vite = join(root, 'node_modules/vite/bin/vite.js');
/** Pages and everything that they may import; guides are pages, too. */
const sources = ['web', 'docs', 'sdk/src', 'contracts/generated', 'package-lock.json'];

export type WebState = 'fresh' | 'stale' | 'missing';

export function readWebState(): WebState {
  const built = join(builtFolder, 'index.html');
  if (!existsSync(built)) return 'missing';
  const builtAt = statSync(built).mtimeMs;
  return sources.some((source) => isNewer(join(root, source), builtAt)) ? 'stale' : 'fresh';
}

/** False where the builder is not installed, as in production: there the pages are built beforehand. */
export function canBuildWeb(): boolean {
  return existsSync(vite) && existsSync(join(root, 'web/vite.config.ts'));
}

/** Into a folder of its own first, so that a build which fails or is broken off leaves the old pages as they were. */
export async function buildWeb(signal: AbortSignal): Promise<void> {
  const fresh = join(root, `node_modules/.cache/pages-${process.pid}`);
  mkdirSync(fresh, { recursive: true });
  mkdirSync(builtFolder, { recursive: true });
  try {
    await runVite(fresh, signal);
    replaceBuilt(fresh);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

async function runVite(outDir: string, signal: AbortSignal): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--conditions=@svc/source', vite, 'build', join(root, 'web'), '--outDir', outDir, '--logLevel', 'error'],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    },
  );
  const [code, errors] = await Promise.all([
    new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve)),
    text(child.stderr),
  ]);
  if (code !== 0) throw new Error(errors.trim() || `the builder ended with ${code}`);
}

/** Hashed assets first and the documents that name them last: whoever reads in between gets a whole page. */
function replaceBuilt(fresh: string): void {
  const others = readdirSync(fresh).filter((name) => name !== 'assets');
  for (const name of ['assets', ...others]) {
    const target = join(builtFolder, name);
    // A folder is not put in place of one that is there.
    if (statSync(join(fresh, name)).isDirectory()) rmSync(target, { recursive: true, force: true });
    renameSync(join(fresh, name), target);
  }
}

function isNewer(path: string, time: number): boolean {
  if (!existsSync(path)) return false;
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs > time;
  return readdirSync(path).some((name) => name !== 'dist' && isNewer(join(path, name), time));
}
