// The client of the site that commands use: a site that never answers is told as one that cannot be reached.
import { createMarketClient, type MarketClient } from '@svc/sdk/client';

/** For the whole of an answer. */
const siteTimeoutMs = 15_000;

export function createSiteClient(baseUrl: string, timeoutMs = siteTimeoutMs): MarketClient {
  return createMarketClient({
    baseUrl,
    fetch: (url, { signal, ...init }) => {
      const limit = AbortSignal.timeout(timeoutMs);
      return fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
    },
  });
}
