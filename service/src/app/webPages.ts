// Gets the pages ready: those that were built before at once; on a development start newer ones once they are built.
import { existsSync } from 'node:fs';
import { formatPriceE8 } from '@svc/sdk/domain';
import { createPages, type Pages, type WalletConnect } from '#http/pages.ts';
import { buildWeb, builtFolder, canBuildWeb, readWebState } from './webBuild.ts';

export type PreparePages = { readonly mayBuild: boolean; readonly stop: AbortSignal };

/** Where they are built beforehand. */
export function loadPages(walletConnect: WalletConnect | null): Pages {
  const pages = createPages(() => walletConnect);
  if (existsSync(builtFolder)) pages.load(builtFolder);
  return pages;
}

/** Never fails: a market without pages is still a market. */
export async function preparePages(pages: Pages, { mayBuild, stop }: PreparePages): Promise<void> {
  const state = readWebState();
  // Another start may be replacing them at this very moment.
  if (state !== 'missing') tryToLoad(pages);
  if (state === 'fresh' || !mayBuild) return;
  if (!canBuildWeb()) {
    console.error('The pages cannot be built here: the build tools are not installed (npm ci brings them).');
    return;
  }
  console.error(
    state === 'missing' ? 'Building the pages' : 'Building the pages anew: their sources changed',
  );
  try {
    await buildWeb(stop);
    pages.load(builtFolder);
  } catch (error) {
    if (!stop.aborted) console.error(`The pages could not be built: ${(error as Error).message}`);
  }
}

function tryToLoad(pages: Pages): void {
  try {
    pages.load(builtFolder);
  } catch (error) {
    console.error(`The pages could not be read: ${(error as Error).message}`);
  }
}

export function buildWalletConnect(projectId: string | undefined, rpcUrl: string): WalletConnect | null {
  return projectId === undefined ? null : { projectId, rpcUrl };
}

/** For figures that say they are approximate; a market without a price goes on without them. */
export async function readTokUsdPrice(
  readPrice: () => Promise<{ readonly priceE8: bigint } | null>,
): Promise<number | null> {
  const price = await readPrice().catch(() => null);
  return price === null ? null : Number(formatPriceE8(price.priceE8));
}
