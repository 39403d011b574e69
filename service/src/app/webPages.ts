// Loads the built pages. In a checkout `svc start` first rebuilds pages that are missing or older than their sources.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createPages, type Pages, type PagesChain, type WalletConnect } from '../http/pages.ts';
import { builtPagesFolder, checkoutFolder } from './packageFiles.ts';

/** Pages that were built before, as in production. */
export function loadPages(walletConnectProjectId: string | undefined, chain: PagesChain): Pages {
  const walletConnect = buildWalletConnect(walletConnectProjectId, chain.rpcUrl);
  const pages = createPages(() => ({ walletConnect, chain }));
  if (existsSync(builtPagesFolder)) pages.load(builtPagesFolder);
  return pages;
}

type PreparePages = { readonly mayBuild: boolean; readonly stop: AbortSignal };

/** Never throws: the market also works without pages. */
export async function preparePages(pages: Pages, { mayBuild, stop }: PreparePages): Promise<void> {
  const state = readWebState();
  if (state !== 'missing') tryToLoad(pages);
  if (state === 'fresh' || !mayBuild) return;
  if (!canBuildWeb()) {
    console.error('The pages cannot be built here: the build tools are not installed. Run npm ci.');
    return;
  }
  console.error(
    state === 'missing' ? 'Building the pages' : 'Building the pages again: their sources changed',
  );
  try {
    await buildWeb(stop);
    pages.load(builtPagesFolder);
  } catch (error) {
    if (!stop.aborted) console.error(`The pages could not be built: ${(error as Error).message}`);
  }
}

/** Another process may be replacing the files at the same time, so a failure is only reported. */
function tryToLoad(pages: Pages): void {
  try {
    pages.load(builtPagesFolder);
  } catch (error) {
    console.error(`The pages could not be read: ${(error as Error).message}`);
  }
}

export function buildWalletConnect(projectId: string | undefined, rpcUrl: string): WalletConnect | null {
  return projectId === undefined ? null : { projectId, rpcUrl };
}

/** Everything the pages are built from; the guides in docs are pages, too. */
const sources = ['web', 'docs', 'sdk/src', 'contracts/generated', 'package-lock.json'];

/** Pages of an installed package are always fresh: it has no sources. */
export function readWebState(): 'fresh' | 'stale' | 'missing' {
  const built = join(builtPagesFolder, 'index.html');
  if (!existsSync(built)) return 'missing';
  if (checkoutFolder === null) return 'fresh';
  const root = checkoutFolder;
  const builtAt = statSync(built).mtimeMs;
  return sources.some((source) => isNewer(join(root, source), builtAt)) ? 'stale' : 'fresh';
}

function isNewer(path: string, time: number): boolean {
  if (!existsSync(path)) return false;
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs > time;
  return readdirSync(path).some((name) => name !== 'dist' && isNewer(join(path, name), time));
}

const viteScript = 'node_modules/vite/bin/vite.js';

function canBuildWeb(): boolean {
  return checkoutFolder !== null && existsSync(join(checkoutFolder, viteScript));
}

/** Builds into a temporary folder first, so that a build that fails or is cancelled leaves the old pages in place. */
export async function buildWeb(signal: AbortSignal): Promise<void> {
  if (checkoutFolder === null) throw new Error('an installed package has no sources of pages');
  const fresh = join(checkoutFolder, `node_modules/.cache/pages-${process.pid}`);
  mkdirSync(fresh, { recursive: true });
  mkdirSync(builtPagesFolder, { recursive: true });
  try {
    await runVite(checkoutFolder, fresh, signal);
    replaceBuilt(fresh);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

async function runVite(root: string, outDir: string, signal: AbortSignal): Promise<void> {
  const options = ['build', join(root, 'web'), '--outDir', outDir, '--logLevel', 'error'];
  const child = spawn(process.execPath, ['--conditions=@svc/source', join(root, viteScript), ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  const [code, errors] = await Promise.all([
    new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve)),
    text(child.stderr),
  ]);
  if (code !== 0) throw new Error(errors.trim() || `vite exited with ${code}`);
}

/** Hashed assets first and the documents that name them last: a reader in between still gets a complete page. */
function replaceBuilt(fresh: string): void {
  const others = readdirSync(fresh).filter((name) => name !== 'assets');
  for (const name of ['assets', ...others]) {
    const target = join(builtPagesFolder, name);
    // A rename does not replace an existing folder.
    if (statSync(join(fresh, name)).isDirectory()) rmSync(target, { recursive: true, force: true });
    renameSync(join(fresh, name), target);
  }
}
