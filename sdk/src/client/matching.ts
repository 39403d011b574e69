// Listings and proposals for bots: list work, propose, sign, choose, decline, withdraw, and create the task.
import type { Account, Hex } from 'viem';
import { type Address, parseAddress } from '../domain/address.ts';
import { hashCanonical } from '../domain/canonical.ts';
import { SvcError } from '../domain/errors.ts';
import { requireMarket } from '../messages/messenger.ts';
import { type Proposal, readProposal } from '../negotiation/proposals.ts';
import { buildOffer, startFromListing } from '../rules/offer.ts';
import { requireAcceptable } from '../rules/terms.ts';
import { workDefaults } from '../rules/work.ts';
import type { Listing, ListingDocument } from '../schemas/listings.ts';
import type { MarketClient } from './createMarketClient.ts';
import { createListingClient, type ListingOptions, type ListingSearch } from './listingClient.ts';
import type { MailboxClient } from './mailboxClient.ts';
import { type createParticipantMessages, readChainTime } from './participantMessages.ts';

export type MatchingNeeds = {
  readonly url: string;
  readonly account: Account & { readonly signTypedData: (typedData: never) => Promise<Hex> };
  readonly client: MarketClient;
  readonly mailbox: MailboxClient;
  readonly chainId: number;
  readonly talks: ReturnType<typeof createParticipantMessages>;
  /** Takes a signature back on chain. */
  readonly revoke: (terms: {
    readonly market: Listing['market'];
    readonly settlementDigest: Hex;
  }) => Promise<unknown>;
};

export type ProposeOptions = {
  readonly totalAmountTok: string;
  /** Days of work, counted from the end of the proposal. */
  readonly days: number;
  readonly rationale?: string;
  /** Hours for which the poster can accept it; 24 unless given. */
  readonly validHours?: number;
  /** Signs at once: binding until its end. */
  readonly isBinding?: boolean;
};

const hour = 3_600;
const day = 24 * hour;

/** Listings and proposals of one wallet. */
export function createMatching({ url, account, client, mailbox, chainId, talks, revoke }: MatchingNeeds) {
  const listings = createListingClient({ baseUrl: url });
  const { messenger, write, readMail, readRegistries } = talks;
  const { address } = account;

  async function placeOf(market: Listing['market']) {
    const { contracts } = await readRegistries();
    return { chainId, registry: contracts[market].taskRegistry };
  }

  /** A worker without bond or fee cannot enter the task, and its own program does not approve again what it has signed. */
  async function checkWorker({ offer, signature }: Proposal): Promise<void> {
    const [missing] = await messenger.readLacks(offer, signature !== null);
    if (missing !== undefined) throw new SvcError('NOT_READY_TO_ACT', { reason: missing });
  }

  async function sign({ root, offer }: Pick<Proposal, 'root' | 'offer'>): Promise<void> {
    requireMarket(offer.terms, await readRegistries());
    requireAcceptable(offer.terms.acceptBy, await readChainTime(client));
    await messenger.accept({ root, offerHash: offer.hash, settlementDigest: offer.settlementDigest });
  }

  const note = async (
    root: string,
    { text, ...marks }: { readonly text: string; readonly [mark: string]: string },
  ): Promise<void> => {
    await messenger.note(root, text, marks);
  };

  async function proposals(listing: Listing): Promise<Proposal[]> {
    const { document } = listing;
    if (document === null) return [];
    const known = {
      listing: { ...listing, document },
      place: await placeOf(listing.market),
      now: new Date((await readChainTime(client)) * 1_000),
    };
    const { transcripts, taskOf } = await readMail({ about: listing.id });
    return transcripts.flatMap(
      (transcript) => readProposal(transcript, { ...known, taskId: taskOf(transcript) }) ?? [],
    );
  }

  return {
    /** Live listings, newest first. */
    find: (search: ListingSearch = {}) => listings.find(search),
    /** One listing, also after its end. */
    get: (id: string) => listings.get(id),
    /** Signs and publishes a listing. */
    list: async (document: ListingDocument, options: Partial<ListingOptions> = {}): Promise<Listing> =>
      listings.publish(account, document, { place: await placeOf(document.market), ...options }),
    /** Ends an own listing. */
    close: async (id: string) => listings.close(id, await mailbox.token()),
    /** The proposals for a listing between this wallet and others, each compared with the listing. */
    proposals,
    /** Proposes for a listing: its words, shares and review period, your price and days. */
    propose: async (listing: Listing, options: ProposeOptions): Promise<Proposal> => {
      const { document } = listing;
      if (document === null) throw new SvcError('LISTING_NOT_FOUND', {});
      const now = await readChainTime(client);
      const acceptBy = now + Math.round((options.validHours ?? workDefaults.acceptSeconds / hour) * hour);
      requireAcceptable(acceptBy, now);
      const negotiationId = crypto.randomUUID();
      const terms = startFromListing(document, {
        totalAmountTok: options.totalAmountTok,
        deadline: String(acceptBy + Math.round(options.days * day)),
        acceptBy: String(acceptBy),
      });
      const parties = { poster: listing.poster, worker: address };
      const payload = {
        ...buildOffer({ ...terms, ...parties, negotiationId }, await placeOf(listing.market), { now }),
        about: listing.id,
        ...(options.rationale && { rationale: options.rationale }),
      };
      const key = hashCanonical([listing.id, JSON.stringify(options)]);
      const { root } = await write({
        type: 'TaskProposal',
        payload,
        place: { to: parseAddress(listing.poster), negotiationId },
        key,
      });
      const find = async () => (await proposals(listing)).find((one) => one.root === root);
      const sent = await find();
      if (sent === undefined) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId });
      if (options.isBinding !== true) return sent;
      await sign(sent);
      return (await find()) ?? sent;
    },
    /**
     * Signs the last offer of a conversation: binding until its acceptBy. Approves the access fee where it is not. Throws
     * NOT_READY_TO_ACT without a free bond or without TOK for the fee.
     */
    sign,
    /** Asks the worker of an unsigned proposal to sign it. Throws NOT_READY_TO_ACT where the worker lacks bond or fee. */
    choose: async (proposal: Proposal, text = 'I choose your proposal. Please sign it.') => {
      await checkWorker(proposal);
      await note(proposal.root, { text, chooses: proposal.offer.hash });
    },
    /** Says no to a proposal, and why. */
    decline: async ({ root, offer }: Proposal, reason: string): Promise<void> => {
      await messenger.decline(root, offer.hash, reason);
    },
    /** Takes an offer back; a signature under it first, on chain, because a message alone would not stop the poster. */
    withdraw: async ({ root, offer, signature }: Proposal, text = 'I withdraw this proposal.') => {
      const { terms, settlementDigest } = offer;
      if (signature !== null && terms.acceptBy > (await readChainTime(client)))
        await revoke({ market: terms.market, settlementDigest });
      await note(root, { text, withdraws: offer.hash });
    },
    /** Asks a wallet to propose for an own listing. */
    invite: async (
      { id, document }: Listing,
      to: Address,
      text = 'I invite you to propose for my listing.',
    ) => {
      const title = document?.task.title ?? '';
      const payload = { text: `${text} ${title}`.trim(), about: id };
      await write({ type: 'Note', payload, place: { to } });
    },
    /** Writes a message in the conversation of a proposal. */
    say: ({ root }: Pick<Proposal, 'root'>, text: string) => note(root, { text }),
    /** The arguments of `do.createTask` for a signed proposal, funded in full. */
    toTask: ({ offer, signature }: Proposal) => ({
      terms: { terms: offer.terms, document: offer.document },
      workerSignature: signature ?? '0x',
      fundNowTokWei: offer.terms.totalAmountTokWei,
    }),
  };
}

/** Listings and proposals of one wallet. */
export type Matching = ReturnType<typeof createMatching>;
