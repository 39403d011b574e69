// Requests to the gateway, with the contract of its replies: a chunk that is loaded with the first one.
import { createRequest, openResponse, type Parameters } from '@svc/sdk/internal/client/request';
import { boardRoutes } from '@svc/sdk/internal/schemas/boards';
import { type WalletRequest, walletRequestSchema } from '@svc/sdk/schemas';
import type * as z from 'zod';

type Routes = typeof boardRoutes;
export type Boards = { readonly [Name in keyof Routes]: z.output<Routes[Name]['reply']['schema']> };

const connection = {
  baseUrl: location.origin,
  fetch: (url: string, init: RequestInit) => fetch(url, { cache: 'no-cache', ...init }),
};

export async function readBoard<Name extends keyof Boards>(name: Name, query: Parameters) {
  return (await createRequest(connection)(boardRoutes[name], query)) as Boards[Name];
}

/** The JSON of a reply. Throws API_REFUSED with the gateway's own words. */
export async function askGateway(path: string, init: RequestInit, query: Parameters = {}): Promise<unknown> {
  return (await openResponse(connection, path, query, init)).json();
}

export async function askForRequest(path: string, init: RequestInit): Promise<WalletRequest> {
  return walletRequestSchema.parse(await askGateway(path, init));
}
