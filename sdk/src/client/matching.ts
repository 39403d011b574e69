// Listings and proposals for bots: list work, propose, sign, choose, decline, withdraw, and create the task.
import type { Account, Hex } from 'viem';
import { type Address, isSameAddress, parseAddress } from '../domain/address.ts';
import { retry } from '../domain/backoff.ts';
import { isErrorOf, SvcError } from '../domain/errors.ts';
import { markets } from '../domain/market.ts';
import { verifyPlainAccount } from '../domain/verifyDigest.ts';
import {
  buildEnvelope,
  formatWire,
  noHead,
  placeAttempts,
  type SignedEnvelope,
  signEnvelope,
} from '../negotiation/envelope.ts';
import { readNegotiation } from '../negotiation/negotiation.ts';
import { findAcceptable } from '../negotiation/nextMessages.ts';
import {
  countFreeBonds,
  countLiveSignatures,
  listLiveSignatures,
  type Proposal,
  readProposal,
  requireFreeBond,
} from '../negotiation/proposals.ts';
import { headOf, type Transcript } from '../negotiation/transcript.ts';
import { buildOffer, startFromListing } from '../rules/offer.ts';
import { buildAgreementTypedData, findMarketMistake, requireAcceptable } from '../rules/terms.ts';
import { workDefaults } from '../rules/work.ts';
import type { Listing, ListingDocument } from '../schemas/listings.ts';
import type { TermsDocument } from '../schemas/terms.ts';
import { signDocument } from '../send/signDocument.ts';
import { createConversationReader, type Wanted } from './conversationReader.ts';
import type { MarketClient } from './createMarketClient.ts';
import { createListingClient, type ListingOptions, type ListingSearch } from './listingClient.ts';
import type { MailboxClient } from './mailboxClient.ts';
import type { MarketActions } from './marketActions.ts';
import { readCollateral, requireFees } from './readCollateral.ts';

export type MatchingNeeds = {
  readonly url: string;
  readonly account: Account & { readonly signTypedData: (typedData: never) => Promise<Hex> };
  readonly client: MarketClient;
  readonly actions: MarketActions;
  readonly mailbox: MailboxClient;
  readonly chainId: number;
  /** Lets the market take access fees: exactly this much TOK. */
  readonly approve: (amount: {
    readonly market: Listing['market'];
    readonly amountTokWei: string;
  }) => Promise<unknown>;
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
export function createMatching({ url, account, client, actions, mailbox, chainId, ...chain }: MatchingNeeds) {
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
    const signed = await signEnvelope(envelope, (typedData) => signDocument(account, typedData));
    await mailbox.send(formatWire(signed));
    return signed;
  }

  async function findConversation(root: string): Promise<Transcript> {
    const found = (await readMail({ root })).transcripts.find((one) => one.root === root);
    if (found === undefined) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId: root });
    return found;
  }

  /** Sends what `build` makes of the conversation as it is now, again while other messages take the place. */
  function answer(
    root: string,
    type: string,
    build: (transcript: Transcript) => Record<string, unknown> | Promise<Record<string, unknown>>,
  ): Promise<SignedEnvelope> {
    const attempt = async () => {
      const transcript = await findConversation(root);
      return send(type, await build(transcript), transcript);
    };
    const shouldRetry = (error: unknown) => isErrorOf(error, 'PLACE_TAKEN') || isErrorOf(error, 'PLACE_GONE');
    return retry(attempt, { attempts: placeAttempts, firstMs: 50, longestMs: 1_000, shouldRetry });
  }

  /** Each signature needs a fee of its own, and a worker's a bond as well: the other side may use any of them. */
  async function prepareToSign({ terms, settlementDigest }: Proposal['offer']): Promise<void> {
    const { market } = terms;
    const now = new Date((await readChainTime(client)) * 1_000);
    const { transcripts, taskOf } = await readMail({ isOffered: true });
    const signed = listLiveSignatures(transcripts, address, now, new Set([settlementDigest.toLowerCase()]));
    const { registry } = await placeOf(market);
    const counting = countLiveSignatures(signed, {
      taskOf,
      readDigest: async (id) => (await client.task(id)).task.settlementDigest,
      isRevoked: (digest) => chain.isRevoked(registry, digest),
    });
    const [live, own] = await Promise.all([counting, readCollateral(actions, address, market)]);
    if (isSameAddress(terms.worker, address)) requireFreeBond(live, countFreeBonds(own.deposit, own.figures));
    const owedTokWei = requireFees(own, live + 1, 'this wallet');
    if (own.allowances.tokRouter < owedTokWei)
      await chain.approve({ market, amountTokWei: String(owedTokWei) });
  }

  /** A worker without bond or fee cannot enter the task, and its own program does not approve again what it has signed. */
  async function checkWorker({ offer: { terms }, signature }: Proposal): Promise<void> {
    const worker = parseAddress(terms.worker);
    const state = await readCollateral(actions, worker, terms.market);
    const owedTokWei = requireFees(state, 1, `the worker ${worker}`);
    const missing =
      countFreeBonds(state.deposit, state.figures) < 1
        ? 'has too little free collateral (top-up)'
        : signature !== null && state.allowances.tokRouter < owedTokWei
          ? 'has not approved its access fee (approve-tok-router)'
          : null;
    if (missing !== null)
      throw new SvcError('NOT_READY_TO_ACT', { reason: `the worker ${worker} ${missing}` });
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
    await prepareToSign(offer);
    const { hash: offerHash, settlementDigest } = offer;
    await answer(root, 'TaskAcceptance', async (transcript) => {
      const now = new Date((await readChainTime(client)) * 1_000);
      // Nobody has read an offer that came meanwhile.
      if (findAcceptable(readNegotiation(transcript), address, now).hash !== offerHash)
        throw new SvcError('NEGOTIATION_CLOSED', { reason: 'Another offer is open now: read it first.' });
      const signature = await signDocument(account, buildAgreementTypedData(offer.terms));
      return { offerHash, settlementDigest, signature };
    });
  }

  const note = async (root: string, payload: Record<string, unknown>): Promise<void> => {
    await answer(root, 'Note', () => payload);
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
      const { hash } = await send('TaskProposal', payload, { negotiationId });
      const find = async () => (await proposals(listing)).find(({ root }) => root === hash);
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
    decline: ({ root, offer }: Proposal, reason: string) =>
      note(root, { text: reason, declines: offer.hash }),
    /** Takes an offer back; a signature under it first, on chain, because a message alone would not stop the poster. */
    withdraw: async ({ root, offer, signature }: Proposal, text = 'I withdraw this proposal.') => {
      const { terms, settlementDigest } = offer;
      if (signature !== null && terms.acceptBy > (await readChainTime(client)))
        await chain.revoke({ market: terms.market, settlementDigest });
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
