// Boards of the gateway, which answers only pages that it served itself.
import { type Market, marketParameters } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import { useIsGateway } from './client.ts';
import type { Boards } from './gatewayRequests.ts';
import { queryKeys } from './queryKeys.ts';

export type { Boards };

export const loadGateway = () => import('./gatewayRequests.ts');

export function useBoard<Name extends keyof Boards>(name: Name, market: Market) {
  return useQuery<Boards[Name]>({
    queryKey: queryKeys.gateway(name, market),
    enabled: useIsGateway(),
    refetchInterval: 30_000,
    queryFn: async ({ signal }) => (await loadGateway()).readBoard(name, { market, limit: 100, signal }),
  });
}

type Entries = {
  readonly reputation: Boards['reputation']['agents'][number];
  readonly verifiers: Boards['verifiers']['verifiers'][number];
  readonly treasury: Boards['treasury']['agents'][number];
};

/** One wallet's entry on a board; null without one. */
export function useEntry<Name extends keyof Entries>(name: Name, market: Market, address: string) {
  return useQuery<Entries[Name] | null>({
    queryKey: queryKeys.gateway(name, market, address),
    enabled: useIsGateway(),
    queryFn: async ({ signal }) => {
      const board = await (await loadGateway()).readBoard(name, { market, address, signal });
      const [entry] = 'agents' in board ? board.agents : board.verifiers;
      return (entry ?? null) as Entries[Name] | null;
    },
  });
}

/** The least bond of an arbitrator, from the chain; until the gateway has answered, that of a new deployment. */
export function useLeastBond(market: Market): bigint {
  const { data } = useBoard('fees', market);
  return data === undefined
    ? marketParameters[market].arbitratorMinBondTokWei
    : BigInt(data.arbitratorMinBondTokWei);
}
