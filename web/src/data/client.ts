// The client of the service that all parts of a page share, its cache, and the settings of the server behind the page.

import { createMarketClient, type MarketClientOptions } from '@svc/sdk/client';
import { SvcError } from '@svc/sdk/domain';
import { QueryClient, useQuery } from '@tanstack/react-query';
import * as z from 'zod';

/** Bypasses the browser's cache: a request after a change must not return an older reply. ETags keep it cheap. */
export const fetchFresh: NonNullable<MarketClientOptions['fetch']> = (input, init) =>
  fetch(input, { cache: 'no-cache', ...init });

export const client = createMarketClient({ baseUrl: location.origin, fetch: fetchFresh });

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

const pagesInfoSchema = z.object({
  isGateway: z.boolean(),
  gatewayUrl: z.string().nullable(),
  tokUsdPrice: z.number().nullable(),
  walletConnectProjectId: z.string().nullable(),
  /** Where test money is free, so that a visitor can try everything; null elsewhere. */
  embeddedRpcUrl: z.string().nullable().default(null),
  /** A mail or web address. */
  abuseContact: z.string().nullable().default(null),
});

/** What the server that sent this page says about itself. */
export function usePagesInfo() {
  return useQuery({
    queryKey: ['pages'],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      pagesInfoSchema.parse(await (await fetch('/pages.json', { signal })).json()),
  });
}

/** USD for one TOK, for the approximate figures in grey; null without a price. */
export function useTokPrice(): number | null {
  return usePagesInfo().data?.tokUsdPrice ?? null;
}
