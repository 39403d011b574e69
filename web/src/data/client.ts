// The one client of the service that all parts of a page share, and the memory of its answers.

import { createMarketClient, type MarketClientOptions } from '@svc/sdk/client';
import { SvcError } from '@svc/sdk/domain';
import { QueryClient } from '@tanstack/react-query';

/** A question that follows a change must not be answered from before it; an ETag keeps the repetition cheap. */
export const ask: NonNullable<MarketClientOptions['fetch']> = (input, init) =>
  fetch(input, { cache: 'no-cache', ...init });

export const client = createMarketClient({ baseUrl: location.origin, fetch: ask });

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What the service refuses stays refused; what did not arrive is asked for again, and what it cannot know yet until
      // it can.
      retry: (failures, error) => isUnready(error) || (failures < 2 && !isRefusal(error)),
      retryDelay: (failures, error) => (isUnready(error) ? unreadyPauseMs : 500 * 2 ** failures),
    },
  },
});

/** As long as the service itself asks to wait (Retry-After). */
const unreadyPauseMs = 2_000;

/** Whether the service says that it will know the answer in a moment. */
export function isUnready(error: unknown): boolean {
  return statusOf(error) === 503;
}

export function isRefusal(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'API_REFUSED' && statusOf(error) < 500;
}

export function statusOf(error: unknown): number {
  const status = error instanceof SvcError ? error.details.status : undefined;
  return typeof status === 'number' ? status : 0;
}
