// What the pages ask of the gateway; where another server sent the page, only that gateway can answer.

import type { Market } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import {
  errorSchema,
  type RequestResult,
  reputationBoardSchema,
  treasuryHistorySchema,
  treasurySchema,
  verifierBoardSchema,
  type WalletRequest,
  walletRequestSchema,
} from '@svc/sdk/schemas';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { usePagesInfo } from './pages.ts';

const boards = {
  reputation: ['/v1/leaderboard/reputation', reputationBoardSchema],
  verifiers: ['/v1/leaderboard/verifiers', verifierBoardSchema],
  treasury: ['/v1/treasury', treasurySchema],
  treasuryHistory: ['/v1/treasury/history', treasuryHistorySchema],
} as const;

type Boards = { readonly [Name in keyof typeof boards]: z.infer<(typeof boards)[Name][1]> };

export function useBoard<Name extends keyof Boards>(name: Name, market: Market) {
  const { data: info } = usePagesInfo();
  return useQuery<Boards[Name]>({
    queryKey: ['gateway', name, market],
    enabled: info?.isGateway === true,
    refetchInterval: 30_000,
    queryFn: async ({ signal }) => {
      const [path, schema] = boards[name];
      const answer = await ask(`${path}?market=${market}&limit=100`, { signal });
      return schema.parse(answer) as Boards[Name];
    },
  });
}

/** What the reputation registry counts of one wallet; null where it has no record. Only a gateway knows. */
export function useReputation(market: Market, address: string) {
  const { data: info } = usePagesInfo();
  return useQuery({
    queryKey: ['gateway', 'reputation', market, address],
    enabled: info?.isGateway === true,
    queryFn: async ({ signal }) => {
      const path = `/v1/leaderboard/reputation?market=${market}&address=${address}`;
      return reputationBoardSchema.parse(await ask(path, { signal })).agents[0] ?? null;
    },
  });
}

/** Asked again and again until its end, since nobody tells. */
export function useWalletRequest(id: string) {
  const { data: info } = usePagesInfo();
  return useQuery<WalletRequest>({
    queryKey: ['request', id],
    enabled: info?.isGateway === true && id !== '',
    refetchInterval: ({ state }) => (isOpen(state.data) ? 2_000 : false),
    queryFn: ({ signal }) => readRequest(id, signal),
  });
}

export async function readRequest(id: string, signal?: AbortSignal): Promise<WalletRequest> {
  const path = `/v1/requests/${encodeURIComponent(id)}`;
  return walletRequestSchema.parse(await ask(path, signal === undefined ? {} : { signal }));
}

export async function sendResult(id: string, result: RequestResult): Promise<WalletRequest> {
  const answer = await ask(`/v1/requests/${encodeURIComponent(id)}/result`, {
    method: 'POST',
    // What went out must be told even when the page is being closed.
    keepalive: true,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(result),
  });
  return walletRequestSchema.parse(answer);
}

function isOpen(request: WalletRequest | undefined): boolean {
  return request === undefined || request.status === 'pending' || request.status === 'submitted';
}

async function ask(path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(path, { cache: 'no-cache', ...init });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const refusal = errorSchema.safeParse(body);
  const reason = refusal.success ? refusal.data.error : `The gateway answers ${response.status}.`;
  throw new SvcError('API_REFUSED', { reason, status: response.status });
}
