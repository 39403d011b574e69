// Requests to the gateway, which answers only pages that it served itself.

import type { Market } from '@svc/sdk/domain';
import { approvalTokenHeader, SvcError } from '@svc/sdk/domain';
import type { RequestResult, WalletRequest } from '@svc/sdk/schemas';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { statusOf, usePagesInfo } from './client.ts';
import { readSessionToken } from './gatewaySession.ts';
import { queryKeys } from './queryKeys.ts';
import { readApprovalToken } from './seenRequests.ts';

const loadSchemas = async () => (await import('./gatewaySchemas.ts')).gatewaySchemas;

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
  const { data: info } = usePagesInfo();
  return useQuery<Boards[Name]>({
    queryKey: queryKeys.gateway(name, market),
    enabled: info?.isGateway === true,
    refetchInterval: 30_000,
    queryFn: async ({ signal }) => {
      const reply = await request(`${boards[name]}?market=${market}&limit=100`, { signal });
      return (await loadSchemas())[name].parse(reply) as Boards[Name];
    },
  });
}

/** One wallet's entry on a board; null without one. */
export function useEntry<Name extends keyof Entries>(name: Name, market: Market, address: string) {
  const { data: info } = usePagesInfo();
  return useQuery<Entries[Name] | null>({
    queryKey: queryKeys.gateway(name, market, address),
    enabled: info?.isGateway === true,
    queryFn: async ({ signal }) => {
      const reply = await request(`${boards[name]}?market=${market}&address=${address}`, { signal });
      const board = (await loadSchemas())[name].parse(reply);
      const [entry] = 'agents' in board ? board.agents : board.verifiers;
      return (entry ?? null) as Entries[Name] | null;
    },
  });
}

type Entries = {
  readonly reputation: Boards['reputation']['agents'][number];
  readonly verifiers: Boards['verifiers']['verifiers'][number];
  readonly treasury: Boards['treasury']['agents'][number];
};

/** Polled until it is decided: there is no event for it. */
export function useWalletRequest(id: string) {
  const { data: info } = usePagesInfo();
  return useQuery<WalletRequest>({
    queryKey: queryKeys.request(id),
    enabled: info?.isGateway === true && id !== '',
    refetchInterval: ({ state }) => (isOpen(state.data) && statusOf(state.error) !== 404 ? 2_000 : false),
    queryFn: ({ signal }) => loadRequest(id, signal),
  });
}

export async function loadRequest(id: string, signal?: AbortSignal): Promise<WalletRequest> {
  const path = `/v1/requests/${encodeURIComponent(id)}`;
  const reply = await request(path, signal === undefined ? {} : { signal });
  return (await loadSchemas()).walletRequest.parse(reply);
}

/** Shows the secret of the approval link, or else the session of the wallet that the request asks. */
export async function sendResult(id: string, wallet: string, result: RequestResult): Promise<WalletRequest> {
  const token = readApprovalToken(id);
  const session = readSessionToken(wallet);
  const reply = await request(`/v1/requests/${encodeURIComponent(id)}/result`, {
    method: 'POST',
    // The gateway must learn what was sent even if the page is being closed.
    keepalive: true,
    headers: {
      'Content-Type': 'application/json',
      ...(token !== null && { [approvalTokenHeader]: token }),
      ...(session !== null && { Authorization: `Bearer ${session}` }),
    },
    body: JSON.stringify(result),
  });
  return (await loadSchemas()).walletRequest.parse(reply);
}

function isOpen(known: WalletRequest | undefined): boolean {
  return known === undefined || known.status === 'pending' || known.status === 'submitted';
}

async function request(path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(path, { cache: 'no-cache', ...init });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const refusal = (await loadSchemas()).error.safeParse(body);
  const reason = refusal.success ? refusal.data.error : `The gateway replied with status ${response.status}.`;
  throw new SvcError('API_REFUSED', { reason, status: response.status });
}
