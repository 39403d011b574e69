// What the gateway keeps about the reader's conversations: unread, muted, blocked, and which are of unknown senders.
import { gatewayRoutes } from '@svc/sdk/internal/client/clientRoutes';
import type { ConversationList } from '@svc/sdk/internal/schemas/conversations';
import { skipToken, useQuery } from '@tanstack/react-query';
import { queries } from '../data/client.ts';
import { request, requestPrivately } from '../data/gatewayRequests.ts';
import { useAttempt } from './useAttempt.ts';
import { useSession, useSessionEnd } from './useSession.tsx';
import { useWallet } from './useWallet.tsx';

const pollMs = 15_000;
export const conversationsKey = (address: string | undefined) => ['conversations', address?.toLowerCase()];

type ListQuery = {
  readonly senders?: 'known' | 'unknown';
  readonly with?: string;
  readonly cursor?: string;
  readonly limit?: number;
};

/** A page. Nothing until the wallet has signed in. */
export function useConversationList(query: ListQuery | null, everyMs = 4_000) {
  const address = useWallet()?.address;
  const { token } = useSession();
  const list = useQuery<ConversationList>({
    queryKey: [...conversationsKey(address), query],
    refetchInterval: everyMs,
    retry: false,
    queryFn:
      token === null || address === undefined || query === null
        ? skipToken
        : ({ signal }) =>
            requestPrivately(gatewayRoutes.conversations, { ...query, signal }, undefined, { token }),
  });
  useSessionEnd(list.error);
  return list;
}

/** Conversations with something new. All unknown senders together count as one: nobody can drown the rest. */
export function useUnread() {
  const { data, error } = useConversationList({ limit: 1 }, pollMs);
  return { count: data === undefined ? null : data.counts.unread + Math.min(1, data.counts.unknown), error };
}

/** "3 conversations with something new". */
export function nameUnread(count: number): string {
  return `${count === 1 ? '1 conversation' : `${count} conversations`} with something new`;
}

type Change =
  | { readonly root: string; readonly read?: number; readonly isMuted?: boolean }
  | { readonly address: string; readonly isBlocked: boolean };

/** Confirms what was read, mutes a conversation, or blocks a wallet. */
export function useMarking() {
  const address = useWallet()?.address;
  const { token } = useSession();
  return useAttempt(async (change: Change) => {
    if (token === null) return;
    if ('root' in change) {
      const { root, ...marks } = change;
      await request(gatewayRoutes.markConversation, {}, marks, { token, params: { root } });
    } else {
      const { address, isBlocked } = change;
      const route = isBlocked ? gatewayRoutes.blockSender : gatewayRoutes.unblockSender;
      await request(route, {}, undefined, { token, params: { address } });
    }
    await queries.invalidateQueries({ queryKey: conversationsKey(address) });
  });
}
