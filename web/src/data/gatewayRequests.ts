// Requests to the gateway, with the contract of its replies: a chunk that is loaded with the first one.

import type { WalletRequest } from '@svc/sdk/client';
import type { Address, Market } from '@svc/sdk/domain';
import { gatewayRoutes } from '@svc/sdk/internal/client/clientRoutes';
import { createRequest, openResponse, type Parameters } from '@svc/sdk/internal/client/request';
import { listTodo, readTodo } from '@svc/sdk/internal/rules/todo';
import type { boardRoutes } from '@svc/sdk/internal/schemas/boards';
import { walletRequestSchema } from '@svc/sdk/internal/schemas/walletRequest';
import { client } from './client.ts';
import { isSessionOver, saveSession } from './gatewaySession.ts';

type Routes = typeof gatewayRoutes;
export type Boards = { readonly [Name in keyof typeof boardRoutes]: NonNullable<Routes[Name]['as']> };

const connection = {
  baseUrl: location.origin,
  fetch: (url: string, init: RequestInit) => fetch(url, { cache: 'no-cache', ...init }),
};

export const request = createRequest(connection);

/** With the session of a wallet; no browser keeps the reply. */
export const requestPrivately = createRequest({
  baseUrl: location.origin,
  fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }),
});

export async function readBoard<Name extends keyof Boards>(name: Name, query: Parameters) {
  return (await request<unknown>(gatewayRoutes[name], query)) as Boards[Name];
}

/** The JSON of a reply. Throws API_REFUSED with the gateway's own words. */
export async function askGateway(path: string, init: RequestInit, query: Parameters = {}): Promise<unknown> {
  return (await openResponse(connection, path, query, init)).json();
}

export async function askForRequest(path: string, init: RequestInit): Promise<WalletRequest> {
  return walletRequestSchema.parse(await askGateway(path, init));
}

/** Names that wallets gave themselves, by their addresses in lower case. */
export async function readNames(addresses: readonly string[]) {
  const { names } = await request(gatewayRoutes.walletNames, { addresses: addresses.join() });
  return new Map(names.map((one) => [one.address.toLowerCase(), one]));
}

export const readProfile = (address: string, signal: AbortSignal) =>
  request(gatewayRoutes.getProfile, { signal }, undefined, { params: { address } });

export const findProfiles = (query: Parameters) => request(gatewayRoutes.findProfiles, query);

export const readListing = (id: string, signal: AbortSignal) =>
  request(gatewayRoutes.getListing, { signal }, undefined, { params: { id } });

export const findListings = (query: Parameters) => request(gatewayRoutes.findListings, query);

type OwnPage = {
  readonly market: Market | 'none';
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly signal: AbortSignal;
};

/** What waits for a wallet: all of it with its session, otherwise its tasks. A session that is over is forgotten. */
export async function loadTodo(address: Address, token: string | null, { market, ...page }: OwnPage) {
  if (token !== null)
    try {
      const list = await requestPrivately(gatewayRoutes.todo, { market, ...page }, undefined, { token });
      return { market, ...list, todo: readTodo(list.todo) };
    } catch (error) {
      if (!isSessionOver(error)) throw error;
      saveSession(address, null);
    }
  if (market === 'none')
    return { market, todo: [], counts: { mine: 0, anyone: 0, theirs: 0, nobody: 0 }, nextCursor: null };
  const list = await client.concerns(address, { market, ...page });
  return { market, ...list, todo: listTodo(list, address, 0) };
}
