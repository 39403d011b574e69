// Requests to the gateway, which answers only pages that it served itself.

import type { Market } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { useIsGateway } from './client.ts';
import { queryKeys } from './queryKeys.ts';

export const loadSchemas = async () => (await import('./gatewaySchemas.ts')).gatewaySchemas;

type Schemas = Awaited<ReturnType<typeof loadSchemas>>;

const boards = {
  reputation: '/v1/leaderboard/reputation',
  verifiers: '/v1/leaderboard/verifiers',
  treasury: '/v1/treasury',
  treasuryHistory: '/v1/treasury/history',
  health: '/v1/market/health',
} as const satisfies Partial<Readonly<Record<keyof Schemas, string>>>;

type Boards = { readonly [Name in keyof typeof boards]: z.infer<Schemas[Name]> };

export function useBoard<Name extends keyof Boards>(name: Name, market: Market) {
  return useQuery<Boards[Name]>({
    queryKey: queryKeys.gateway(name, market),
    enabled: useIsGateway(),
    refetchInterval: 30_000,
    queryFn: ({ signal }) => loadBoard(name, `market=${market}&limit=100`, signal),
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
      const board = await loadBoard(name, `market=${market}&address=${address}`, signal);
      const [entry] = 'agents' in board ? board.agents : board.verifiers;
      return (entry ?? null) as Entries[Name] | null;
    },
  });
}

async function loadBoard<Name extends keyof Boards>(name: Name, query: string, signal: AbortSignal) {
  const reply = await request(`${boards[name]}?${query}`, { signal });
  return (await loadSchemas())[name].parse(reply) as Boards[Name];
}

/** The JSON of a reply. Throws API_REFUSED with the gateway's own words. */
export async function request(path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(path, { cache: 'no-cache', ...init });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const refusal = (await loadSchemas()).error.safeParse(body);
  const reason = refusal.success ? refusal.data.error : `The gateway replied with status ${response.status}.`;
  throw new SvcError('API_REFUSED', { reason, status: response.status });
}
