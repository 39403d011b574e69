// Who negotiates: the one who wrote the first envelope, and the one it was written to.
import { type Address, isSameAddress } from '#domain/address.ts';
import type { TermsDocument } from '#schemas/terms.ts';
import { type SignedEnvelope, senderOf } from './envelope.ts';

export type Parties = { readonly opener: Address; readonly other: Address };

/** Beside the opener stands who is known to have been written to, else whom the first offer names, else who answered. */
export function findParties(entries: readonly SignedEnvelope[], known: readonly Address[] = []): Parties {
  const first = entries.find(({ envelope }) => envelope.sequence === 1) ?? entries[0];
  if (first === undefined) throw new RangeError('Nobody negotiates where nothing was said.');
  const opener = senderOf(first);
  const offer = entries.find(({ envelope }) => isOffer(envelope.type));
  const { poster, worker } = (offer?.envelope.payload.terms ?? {}) as Partial<TermsDocument>;
  const candidates = [...known, poster, worker, ...entries.map(senderOf)] as (Address | undefined)[];
  const other = candidates.find((address) => address !== undefined && !isSameAddress(address, opener));
  return { opener, other: other ?? opener };
}

export function isParty({ opener, other }: Parties, address: Address): boolean {
  return isSameAddress(opener, address) || isSameAddress(other, address);
}

/** Both kinds of message that put terms forward. */
export function isOffer(type: string): boolean {
  return type === 'TaskProposal' || type === 'TaskCounterOffer';
}
