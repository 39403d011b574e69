// Requests of tools that wait for the connected wallet. Only those whose link was opened in this browser: anybody can ask any
// wallet for anything, and a queue that fills itself with the wishes of others would be a trap.
import type { WalletRequest } from '@svc/sdk/schemas';
import { useQueries } from '@tanstack/react-query';
import { usePagesInfo } from './client.ts';
import { loadRequest } from './gateway.ts';
import { queryKeys } from './queryKeys.ts';
import { listSeenRequests } from './seenRequests.ts';

const refetchMs = 10_000;

/** Oldest first. */
export function usePendingRequests(wallet: string): readonly WalletRequest[] {
  const isGateway = usePagesInfo().data?.isGateway === true;
  const replies = useQueries({
    queries: listSeenRequests(wallet).map((id) => ({
      queryKey: queryKeys.request(id),
      enabled: isGateway,
      retry: false,
      refetchInterval: ({ state }: { state: { data?: WalletRequest | undefined } }) =>
        state.data?.status === 'pending' && refetchMs,
      queryFn: () => loadRequest(id),
    })),
  });
  // Those of the same second stay in the order in which they were opened.
  return replies
    .toReversed()
    .flatMap(({ data }) => (data?.status === 'pending' && data.request.decidedBy !== 'wallet' ? [data] : []))
    .sort((left, right) => left.createdAt - right.createdAt);
}
