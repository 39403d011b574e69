// The client of the service that all parts of a page share, its cache, and the settings of the server behind the page.

import type { MarketClient, MarketEvent } from '@svc/sdk';
import { SvcError } from '@svc/sdk/domain';
import { QueryClient, useQuery } from '@tanstack/react-query';

/** Requested with the page, and loaded while the page draws its frame. */
export const loadClient = () => import('./marketClient.ts');

type Reads = Omit<MarketClient, 'actions' | 'events' | 'roleChatStream'>;

/** Each method waits for the client to be loaded. */
export const client = new Proxy({} as Reads, {
  get:
    (_, name: keyof Reads) =>
    async (...args: readonly unknown[]) => {
      const method = (await loadClient()).marketClient[name] as (...args: readonly unknown[]) => unknown;
      return method(...args);
    },
});

/** With an address: only what concerns this wallet, private tasks included. */
export async function* followMarket(signal: AbortSignal, address?: string): AsyncGenerator<MarketEvent> {
  yield* (await loadClient()).marketClient.events({
    market: 'all',
    signal,
    ...(address !== undefined && { address }),
  });
}

/** Whether a stream that has just begun follows on what the page has loaded. */
export const isUpToDate = async () => (await loadClient()).isUpToDate();

/** A change in this block was told: older replies that are on their way are asked for again. */
export const noteTold = async (block: number) => (await loadClient()).noteTold(block);

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Refusals are final. Network errors are retried twice, a service that is not ready until it is.
      retry: (failures, error) => isNotReady(error) || (failures < 2 && !isRefusal(error)),
      retryDelay: (failures, error) => (isNotReady(error) ? notReadyPauseMs : 500 * 2 ** failures),
    },
  },
});

/** The service's own Retry-After. */
const notReadyPauseMs = 2_000;

/** Whether the service still reads what it needs for the reply. */
export function isNotReady(error: unknown): boolean {
  return statusOf(error) === 503;
}

function isRefusal(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'API_REFUSED' && statusOf(error) < 500;
}

/** The HTTP status of a refused request, else 0. */
export function statusOf(error: unknown): number {
  const status = error instanceof SvcError ? error.details.status : undefined;
  return typeof status === 'number' ? status : 0;
}

/** What the server that sent this page says about itself. */
export function usePagesInfo() {
  return useQuery({
    queryKey: ['pages'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => (await loadClient()).loadPagesInfo(signal),
  });
}

export function useIsGateway(): boolean {
  return usePagesInfo().data?.isGateway === true;
}

/** USD for one TOK, for the approximate figures in grey; null without a price. */
export function useTokPrice(): number | null {
  return usePagesInfo().data?.tokUsdPrice ?? null;
}
