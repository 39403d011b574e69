// Listings at the gateway: work for which a poster wants proposals.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useIsGateway } from './client.ts';
import { loadGateway } from './gateway.ts';

export const listingKey = (id: string) => ['listing', id];

/** New proposals and a task that came out of it are seen soon. */
const pollMs = 10_000;

export function useListing(id: string) {
  return useQuery({
    queryKey: listingKey(id),
    enabled: useIsGateway(),
    refetchInterval: pollMs,
    queryFn: async ({ signal }) => (await loadGateway()).readListing(id, signal),
  });
}

export type Listing = NonNullable<ReturnType<typeof useListing>['data']>;
export type ListingWords = NonNullable<Listing['document']>;

/** Page by page, newest first. */
export function useListings(search: Partial<Record<'market' | 'tag' | 'q' | 'poster', string | undefined>>) {
  return useInfiniteQuery({
    queryKey: ['listings', search],
    enabled: useIsGateway(),
    refetchInterval: 30_000,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam: cursor }) =>
      (await loadGateway()).findListings({ limit: 50, cursor, ...search, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ listings }) => listings),
  });
}

export const proposalWords = {
  none: 'no proposals yet',
  few: 'a few proposals',
  many: 'ten or more proposals',
} as const;
