// What the gateway keeps about the reader's conversations: unread, muted, blocked, and which are of unknown senders.
import {
  type ConversationList,
  conversationListSchema,
  conversationRoutes,
} from '@svc/sdk/internal/schemas/conversations';
import { messageRoutes } from '@svc/sdk/internal/schemas/messages';
import { skipToken, useQuery } from '@tanstack/react-query';
import { queries } from '#data/client.ts';
import { askGateway } from '#data/gatewayRequests.ts';
import { useAttempt } from './useAttempt.ts';
import { useSession } from './useSession.tsx';
import { useWallet } from './useWallet.tsx';

const pollMs = 15_000;
export const conversationsKey = (address: string | undefined) => ['conversations', address?.toLowerCase()];
const headersOf = (token: string) => ({ authorization: `Bearer ${token}` });

export type ListQuery = {
  readonly senders?: 'known' | 'unknown';
  readonly with?: string;
  readonly cursor?: string;
  readonly limit?: number;
};

/** A page. Nothing until the wallet has signed in. */
export function useConversationList(query: ListQuery | null, everyMs = 4_000) {
  const address = useWallet()?.address;
  const { token } = useSession();
  return useQuery<ConversationList>({
    queryKey: [...conversationsKey(address), query],
    refetchInterval: everyMs,
    retry: false,
    queryFn:
      token === null || address === undefined || query === null
        ? skipToken
        : async ({ signal }) => {
            const init: RequestInit = { cache: 'no-store', headers: headersOf(token), signal };
            return conversationListSchema.parse(
              await askGateway(conversationRoutes.conversations.path, init, query),
            );
          },
  });
}

/** Conversations with something new. All unknown senders together count as one: nobody can drown the rest. */
export function useUnread(): number | null {
  const { data } = useConversationList({ limit: 1 }, pollMs);
  return data === undefined ? null : data.counts.unread + Math.min(1, data.counts.unknown);
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
    const headers = headersOf(token);
    if ('root' in change) {
      const { root, ...marks } = change;
      await askGateway(conversationRoutes.markConversation.path.replace(':root', root), {
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(marks),
      });
    } else
      await askGateway(messageRoutes.blockSender.path.replace(':address', change.address), {
        method: change.isBlocked ? 'PUT' : 'DELETE',
        headers,
      });
    await queries.invalidateQueries({ queryKey: conversationsKey(address) });
  });
}
