// Requests of tools to a wallet, which the owner decides on approve.html. This browser remembers those whose pages were
// opened in it, and the secrets of their links.

import type { RequestResult, WalletRequest } from '@svc/sdk/client';
import { approvalTokenHeader, splitApprovalUrl } from '@svc/sdk/internal/domain/approvalLink';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { queries, statusOf, useIsGateway } from './client.ts';
import { loadGateway } from './gateway.ts';
import { readSessionToken } from './gatewaySession.ts';
import { queryKeys } from './queryKeys.ts';
import { readList, saveFirst } from './savedText.ts';

const requestQuery = (id: string) =>
  queryOptions({ queryKey: queryKeys.request(id), queryFn: ({ signal }) => loadRequest(id, signal) });

/** Polled until it is decided: there is no event for it. */
export function useWalletRequest(id: string) {
  return useQuery({
    ...requestQuery(id),
    enabled: useIsGateway() && id !== '',
    refetchInterval: ({ state }) => (isOpen(state.data) && statusOf(state.error) !== 404 ? 2_000 : false),
  });
}

/**
 * Those that wait for a wallet, oldest first. Only requests whose link was opened in this browser: anybody can ask any
 * wallet for anything, and a queue that fills itself with the wishes of others would be a trap.
 */
export function usePendingRequests(wallet: string): readonly WalletRequest[] {
  const enabled = useIsGateway();
  const replies = useQueries({
    queries: readList(seenName(wallet)).map((id) => ({
      ...requestQuery(id),
      enabled,
      retry: false,
      refetchInterval: ({ state }: { state: { data?: WalletRequest | undefined } }) =>
        state.data?.status === 'pending' && 10_000,
    })),
  });
  // Those of the same second stay in the order in which they were opened.
  return replies
    .toReversed()
    .flatMap(({ data }) => (data?.status === 'pending' && data.request.decidedBy !== 'wallet' ? [data] : []))
    .sort((left, right) => left.createdAt - right.createdAt);
}

export function rememberRequest(wallet: string, id: string): void {
  saveFirst(seenName(wallet), id, 20);
}

const seenName = (wallet: string) => `requests:${wallet.toLowerCase()}`;

export async function loadRequest(id: string, signal?: AbortSignal): Promise<WalletRequest> {
  const path = `/v1/requests/${encodeURIComponent(id)}`;
  return (await loadGateway()).askForRequest(path, signal === undefined ? {} : { signal });
}

/** Shows the secret of the approval link, or else the session of the wallet that the request asks. */
export async function sendResult(id: string, wallet: string, result: RequestResult): Promise<WalletRequest> {
  const token = readApprovalToken(id);
  const session = readSessionToken(wallet);
  const { askForRequest } = await loadGateway();
  return askForRequest(`/v1/requests/${encodeURIComponent(id)}/result`, {
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
}

/** Sends the owner's decision; the page shows what the gateway made of it. */
export async function decideRequest(id: string, wallet: string, result: RequestResult): Promise<void> {
  queries.setQueryData(queryKeys.request(id), await sendResult(id, wallet, result));
}

function isOpen(known: WalletRequest | undefined): boolean {
  return known === undefined || known.status === 'pending' || known.status === 'submitted';
}

/** Pairs of a request's id and the secret of its link. */
const tokensName = 'approvals';

/** The secret of an approval link, which decides its request; null where the link had none or was opened elsewhere. */
export function readApprovalToken(id: string): string | null {
  const pair = readList(tokensName).find((one) => one.startsWith(`${id}=`));
  return pair?.slice(id.length + 1) ?? null;
}

/** Takes the secret out of the address bar, so that a copied address or a screenshot gives nobody a decision. */
export function takeApprovalToken(): boolean {
  const id = new URLSearchParams(location.search).get('request') ?? '';
  const { token } = splitApprovalUrl(location.href);
  if (token === null || !/^[\w-]+$/.test(`${id}${token}`)) return false;
  saveFirst(tokensName, `${id}=${token}`, 50, (one) => one.startsWith(`${id}=`));
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  return true;
}
