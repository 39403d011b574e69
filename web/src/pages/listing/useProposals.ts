// The proposals about a listing in the mailbox of the connected wallet.
import type { Address } from '@svc/sdk/domain';
import { listingOf, type Proposal, readProposal } from '@svc/sdk/internal/negotiation/proposals';
import { useMemo } from 'react';
import { useNow } from '#components/Clock.tsx';
import type { Listing, ListingWords } from '#data/listings.ts';
import { useSiteConfig } from '#data/market.ts';
import { useMailbox } from '#wallet/messaging.ts';
import { chainId } from '#wallet/useWallet.tsx';
import { type Conversation, useConversations } from '../messages/conversations.ts';

export type ShownProposal = { readonly proposal: Proposal; readonly conversation: Conversation };

/** Undefined until the mailbox is read; those that still stand first, then the cheapest. */
export function useProposals(
  listing: Listing,
  words: ListingWords,
  own: Address,
): { readonly proposals: readonly ShownProposal[] | undefined; readonly error: Error | null } {
  const mailbox = useMailbox({ about: listing.id });
  const now = useNow();
  const minute = Math.floor(now / 60) * 60;
  const conversations = useConversations(mailbox.data, own, now);
  const registry = useSiteConfig(listing.market).data?.contracts.taskRegistry;
  const proposals = useMemo(() => {
    if (mailbox.data === undefined || registry === undefined) return undefined;
    const known = {
      listing: { id: listing.id, poster: listing.poster, document: words },
      place: { chainId, registry: registry },
      now: new Date(minute * 1_000),
    };
    return conversations
      .filter(({ transcript }) => listingOf(transcript) === listing.id)
      .flatMap((conversation) => {
        const { transcript, taskId } = conversation;
        const proposal = readProposal(transcript, { ...known, taskId: taskId ?? undefined });
        return proposal === null ? [] : [{ proposal, conversation }];
      })
      .sort((one, other) => orderOf(one) - orderOf(other) || compareTotals(one, other));
  }, [mailbox.data, conversations, registry, listing.id, listing.poster, words, minute]);
  return { proposals, error: mailbox.error };
}

const order = ['tasked', 'binding', 'chosen', 'open', 'other', 'declined', 'ended', 'withdrawn', 'invalid'];

function orderOf({ proposal }: ShownProposal): number {
  return order.indexOf(proposal.state);
}

function compareTotals(one: ShownProposal, other: ShownProposal): number {
  const totalOf = ({ proposal }: ShownProposal) => BigInt(proposal.offer.terms.totalAmountTokWei);
  return Number(totalOf(one) - totalOf(other));
}
