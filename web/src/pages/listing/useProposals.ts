// The proposals about a listing in the mailbox of the connected wallet.
import type { Address } from '@svc/sdk/domain';
import { listingOf, type Proposal, readProposal } from '@svc/sdk/negotiation';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useMinute } from '../../components/Clock.tsx';
import type { Listing, ListingWords } from '../../data/listings.ts';
import { useSiteConfig } from '../../data/market.ts';
import { useMailbox } from '../../wallet/messaging.ts';
import { chainId } from '../../wallet/useWallet.tsx';
import { type Conversation, describeConversation } from '../messages/conversations.ts';

export type ShownProposal = { readonly proposal: Proposal; readonly conversation: Conversation };

/** Those that still stand first, then the cheapest. */
export function useProposals(
  listing: Listing,
  words: ListingWords,
  own: Address,
): UseQueryResult<readonly ShownProposal[]> {
  const query = useMailbox({ about: listing.id });
  const { data: mailbox } = query;
  const now = useMinute();
  const registry = useSiteConfig(listing.market).data?.contracts.taskRegistry;
  const data = useMemo(() => {
    if (mailbox === undefined || registry === undefined) return undefined;
    const known = {
      listing: { id: listing.id, poster: listing.poster, document: words },
      place: { chainId, registry },
      now: new Date(now * 1_000),
    };
    return mailbox.transcripts
      .filter((transcript) => listingOf(transcript) === listing.id)
      .flatMap((transcript) => {
        const taskId = mailbox.taskOf(transcript);
        const proposal = readProposal(transcript, { ...known, taskId });
        const conversation = describeConversation(transcript, { mailbox, own, taskId, now });
        return proposal === null ? [] : [{ proposal, conversation }];
      })
      .sort((one, other) => orderOf(one) - orderOf(other) || compareTotals(one, other));
  }, [mailbox, registry, listing.id, listing.poster, words, own, now]);
  return { ...query, data } as unknown as UseQueryResult<readonly ShownProposal[]>;
}

const order = ['tasked', 'binding', 'chosen', 'open', 'other', 'declined', 'ended', 'withdrawn', 'invalid'];

function orderOf({ proposal }: ShownProposal): number {
  return order.indexOf(proposal.state);
}

function compareTotals(one: ShownProposal, other: ShownProposal): number {
  const totalOf = ({ proposal }: ShownProposal) => BigInt(proposal.offer.terms.totalAmountTokWei);
  return Number(totalOf(one) - totalOf(other));
}
