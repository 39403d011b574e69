// Listings and proposals for bots: list work, propose, sign, choose, decline, withdraw, and create the task.
import type { Account, Hex } from 'viem';
import { type Address, isSameAddress } from '../domain/address.ts';
import { parseTok } from '../domain/amount.ts';
import { SvcError } from '../domain/errors.ts';
import { markets } from '../domain/market.ts';
import { verifyPlainAccount } from '../domain/verifyDigest.ts';
import {
  buildEnvelope,
  formatWire,
  noHead,
  type SignedEnvelope,
  signEnvelope,
} from '../negotiation/envelope.ts';
import {
  buildProposal,
  countFreeBonds,
  countLiveSignatures,
  listLiveSignatures,
  type Proposal,
  readProposal,
  requireFreeBond,
} from '../negotiation/proposals.ts';
import { buildAgreementTypedData, findMarketMistake, requireAcceptable } from '../negotiation/terms.ts';
import { headOf, type Transcript } from '../negotiation/transcript.ts';
import type { Listing, ListingDocument } from '../schemas/listings.ts';
import type { TermsDocument } from '../schemas/terms.ts';
import { createConversationReader, type Wanted } from './conversationReader.ts';
import type { MarketClient } from './createMarketClient.ts';
import { createListingClient, type ListingOptions, type ListingSearch } from './listingClient.ts';
import type { MailboxClient } from './mailboxClient.ts';
import { readCollateral } from './readCollateral.ts';

export type MatchingNeeds = {
  readonly url: string;
  readonly account: Account & { readonly signTypedData: (typedData: never) => Promise<Hex> };
  readonly client: MarketClient;
  readonly mailbox: MailboxClient;
  readonly chainId: number;
  /** Takes a signature back on chain. */
  readonly revoke: (terms: {
    readonly market: Listing['market'];
    readonly settlementDigest: Hex;
  }) => Promise<unknown>;
  /** Whether this wallet has taken it back. */
  readonly isRevoked: (registry: Address, digest: Hex) => Promise<boolean>;
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

/** In seconds, by the chain's clock, which may be ahead. */
export async function readChainTime(client: Pick<MarketClient, 'union'>): Promise<number> {
  const { updatedAt } = await client.union({ market: 'standard' });
  return Math.max(updatedAt, Math.floor(Date.now() / 1_000));
}

/** Listings and proposals of one wallet. */
export function createMatching({ url, account, client, mailbox, chainId, revoke, isRevoked }: MatchingNeeds) {
  const listings = createListingClient({ baseUrl: url });
  const reader = createConversationReader(account.address, verifyPlainAccount);
  const { address } = account;

  async function placeOf(market: Listing['market']) {
    const { contracts } = await client.siteConfig({ market });
    return { chainId, registry: contracts.taskRegistry };
  }

  async function readMail(wanted: Wanted) {
    await reader.find(mailbox, wanted);
    return reader.read();
  }

  async function send(
    type: string,
    payload: Record<string, unknown>,
    conversation: Transcript | { readonly negotiationId: string },
  ): Promise<SignedEnvelope> {
    const envelope = buildEnvelope(
      {
        type,
        negotiationId: conversation.negotiationId,
        sender: { evmAddress: address, xmtpPublicKey: '' },
        payload,
      },
      'entries' in conversation ? headOf(conversation) : noHead,
      new Date(),
    );
    const signed = await signEnvelope(envelope, (typedData) => account.signTypedData(typedData as never));
    await mailbox.send(formatWire(signed));
    return signed;
  }

  async function findConversation(root: string): Promise<Transcript> {
    const found = (await readMail({ root })).transcripts.find((one) => one.root === root);
    if (found === undefined) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId: root });
    return found;
  }

  /** Each signed proposal of a worker needs a bond of its own: the poster may use any of them. */
  async function checkBonds({ terms, settlementDigest }: Proposal['offer']): Promise<void> {
    if (!isSameAddress(terms.worker, address)) return;
    const { market } = terms;
    const now = new Date((await readChainTime(client)) * 1_000);
    const { transcripts, taskOf } = await readMail({ isOffered: true });
    const signed = listLiveSignatures(transcripts, address, now, new Set([settlementDigest.toLowerCase()]));
    const { registry } = await placeOf(market);
    const counting = countLiveSignatures(signed, {
      taskOf,
      readDigest: async (id) => (await client.task(id)).task.settlementDigest,
      isRevoked: (digest) => isRevoked(registry, digest),
    });
    const [live, { deposit, figures }] = await Promise.all([
      counting,
      readCollateral(client, address, market),
    ]);
    requireFreeBond(live, countFreeBonds(deposit, figures));
  }

  /** Throws TERMS_INVALID where the terms are not for the market that they name. */
  async function checkMarket(terms: TermsDocument): Promise<void> {
    const [standard, micro] = await Promise.all(
      markets.map(async (market) => ({ taskRegistry: (await placeOf(market)).registry })),
    );
    if (standard === undefined || micro === undefined) throw new RangeError('a market is missing');
    const mistake = findMarketMistake(terms, { chainId, contracts: { standard, micro } });
    if (mistake !== null) throw new SvcError('TERMS_INVALID', { reason: mistake });
  }

  async function sign({ root, offer }: Pick<Proposal, 'root' | 'offer'>): Promise<void> {
    await checkMarket(offer.terms);
    requireAcceptable(offer.terms.acceptBy, await readChainTime(client));
    await checkBonds(offer);
    const signature = await account.signTypedData(buildAgreementTypedData(offer.terms) as never);
    const { hash: offerHash, settlementDigest } = offer;
    await send('TaskAcceptance', { offerHash, settlementDigest, signature }, await findConversation(root));
  }

  const note = async (root: string, payload: Record<string, unknown>): Promise<void> => {
    await send('Note', payload, await findConversation(root));
  };

  /** The proposals about a listing between this wallet and others, each compared with the listing. */
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
    proposals,
    /** Proposes for a listing: its words, shares and review period, your price and days. */
    propose: async (listing: Listing, options: ProposeOptions): Promise<Proposal> => {
      const { document } = listing;
      if (document === null) throw new SvcError('LISTING_NOT_FOUND', {});
      const now = await readChainTime(client);
      const acceptBy = now + Math.round((options.validHours ?? 24) * hour);
      requireAcceptable(acceptBy, now);
      const negotiationId = crypto.randomUUID();
      const payload = buildProposal({
        listing: { ...listing, document },
        place: await placeOf(listing.market),
        worker: address,
        totalAmount: parseTok(options.totalAmountTok),
        deadline: acceptBy + Math.round(options.days * day),
        acceptBy,
        negotiationId,
        rationale: options.rationale,
      });
      const { hash } = await send('TaskProposal', payload, { negotiationId });
      const find = async () => (await proposals(listing)).find(({ root }) => root === hash);
      const sent = await find();
      if (sent === undefined) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId });
      if (options.isBinding !== true) return sent;
      await sign(sent);
      return (await find()) ?? sent;
    },
    /** Signs the last offer of a conversation: binding until its acceptBy. */
    sign,
    /** Asks the worker of an unsigned proposal to sign it. */
    choose: ({ root, offer }: Proposal, text = 'I choose your proposal. Please sign it.') =>
      note(root, { text, chooses: offer.hash }),
    /** Says no to a proposal, and why. */
    decline: ({ root, offer }: Proposal, reason: string) =>
      note(root, { text: reason, declines: offer.hash }),
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
      await send(
        'Note',
        { text: `${text} ${title}`.trim(), about: id, to },
        { negotiationId: crypto.randomUUID() },
      );
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
