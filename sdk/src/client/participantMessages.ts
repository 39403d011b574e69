// The conversations of a wallet that signs now, over the relay of a gateway: reads them as they are needed, and writes in them.
import type { Account, Hex } from 'viem';
import { type Address, isSameAddress, parseAddress } from '../domain/address.ts';
import { hashCanonical } from '../domain/canonical.ts';
import { SvcError } from '../domain/errors.ts';
import { type Market, markets } from '../domain/market.ts';
import { verifyPlainAccount } from '../domain/verifyDigest.ts';
import { findAbout } from '../messages/about.ts';
import { createMessenger, type Meant } from '../messages/messenger.ts';
import type { Delivered } from '../messages/writer.ts';
import { formatWire, type SignedEnvelope } from '../negotiation/envelope.ts';
import { type Negotiation, readNegotiation } from '../negotiation/negotiation.ts';
import { listNext, type NegotiationStatus, statusOf } from '../negotiation/nextMessages.ts';
import type { Transcript } from '../negotiation/transcript.ts';
import { buildOffer, changeOffer, type OfferFields } from '../rules/offer.ts';
import type { Registries } from '../rules/terms.ts';
import type { HeldMessage } from '../schemas/messages.ts';
import { signDocument } from '../send/signDocument.ts';
import { createConversationReader, type Wanted } from './conversationReader.ts';
import type { MarketClient } from './createMarketClient.ts';
import type { MailboxClient } from './mailboxClient.ts';
import type { MarketActions } from './marketActions.ts';
import { readCollateral } from './readCollateral.ts';

export type MessagesNeeds = {
  readonly account: Account & { readonly signTypedData: (typedData: never) => Promise<Hex> };
  readonly client: MarketClient;
  readonly actions: MarketActions;
  readonly mailbox: MailboxClient;
  readonly chainId: number;
  /** Lets the market take access fees: exactly this much TOK. */
  readonly approve: (amount: { readonly market: Market; readonly amountTokWei: string }) => Promise<unknown>;
  /** Whether this wallet has taken a signature back on chain. */
  readonly isRevoked: (registry: Address, digest: Hex) => Promise<boolean>;
};

/** A conversation with another wallet. */
export type Talk = {
  /** Its key: the hash of its first message. */
  readonly root: Hex;
  readonly other: Address;
  readonly status: NegotiationStatus;
  /** The types of messages by which this wallet would change the status. */
  readonly may: readonly string[];
  /** The last offer, who has signed it, vetoes, deliveries, splits. */
  readonly negotiation: Negotiation;
  /** The task that came out of it. */
  readonly taskId: string | undefined;
  /** The messages that were read, oldest first; the words in them are another wallet's. */
  readonly messages: readonly SignedEnvelope[];
};

export type TalkQuery = { readonly with?: Address; readonly about?: string; readonly unread?: boolean };

/** Where an offer goes, and who pays: the writer unless `as` says worker. */
export type OfferTo = { readonly wallet: Address; readonly as?: 'poster' | 'worker' };

/** A document of the work as it is sent to the others of a private task, with the keys of its sealed files. */
export type Paper = {
  readonly document: Readonly<Record<string, unknown>>;
  readonly keys?: Readonly<Record<string, string>>;
};

/** A message that the relay has. */
type SentMessage = { readonly is: 'delivered'; readonly root: Hex; readonly hash: Hex };

/** In seconds, by the chain's clock, which may be ahead. */
export async function readChainTime(client: Pick<MarketClient, 'union'>): Promise<number> {
  const { updatedAt } = await client.union({ market: 'standard' });
  return Math.max(updatedAt, Math.floor(Date.now() / 1_000));
}

const listed = 100;

export function createParticipantMessages({
  account,
  client,
  actions,
  mailbox,
  chainId,
  ...chain
}: MessagesNeeds) {
  const { address } = account;
  const reader = createConversationReader(address, verifyPlainAccount);

  async function readMail(wanted: Wanted) {
    await reader.find(mailbox, wanted);
    return reader.read();
  }

  async function find(root: string): Promise<Transcript | undefined> {
    const found = await readMail({ root: root.toLowerCase() });
    return found.transcripts.find((one) => one.root === root.toLowerCase());
  }

  async function readRegistries(): Promise<Registries> {
    const [standard, micro] = await Promise.all(
      markets.map(async (market) => (await client.siteConfig({ market })).contracts),
    );
    if (standard === undefined || micro === undefined) throw new RangeError('a market is missing');
    return { chainId, contracts: { standard, micro } } as Registries;
  }

  const registryOf = async (market: Market) => (await readRegistries()).contracts[market].taskRegistry;

  const messenger = createMessenger<HeldMessage>({
    address,
    find: async (place) => ('root' in place ? find(place.root) : undefined),
    sign: ({ typedData }) => signDocument(account, typedData),
    signTerms: (typedData) => signDocument(account, typedData),
    send: (signed) => mailbox.send(formatWire(signed)),
    facts: {
      registries: readRegistries,
      readTime: () => readChainTime(client),
      readSide: (wallet, market) => readCollateral(actions, wallet, market),
      isRevoked: async ({ market }, digest) => chain.isRevoked(await registryOf(market), digest),
      readDigest: async (id) => (await client.task(id)).task.settlementDigest,
      listOffered: () => readMail({ isOffered: true }),
      approve: (market, amountTokWei) => chain.approve({ market, amountTokWei: String(amountTokWei) }),
    },
  });

  const toTalk = (transcript: Transcript, taskId: string | undefined, now: Date): Talk => {
    const { root, parties, entries } = transcript;
    const negotiation = readNegotiation(transcript, { refused: new Set(), taskId });
    const isOpener = isSameAddress(parties.opener, address);
    const next = listNext(negotiation, now).filter(({ by }) => isSameAddress(by, address));
    return {
      root,
      other: isOpener ? parties.other : parties.opener,
      status: statusOf(negotiation, now),
      may: [...new Set(next.map(({ type }) => type))],
      negotiation,
      taskId,
      messages: entries,
    };
  };

  async function read(root: string): Promise<Talk> {
    const transcript = await find(root);
    if (transcript === undefined) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId: root });
    const now = new Date((await readChainTime(client)) * 1_000);
    return toTalk(transcript, reader.read().taskOf(transcript), now);
  }

  /** Without the relay's receipt. */
  const toSent = ({ is, root, signed }: Delivered<HeldMessage>): SentMessage => ({
    is,
    root,
    hash: signed.hash,
  });

  const write = async (...draft: Parameters<typeof messenger.write>) =>
    toSent(await messenger.write(...draft));

  async function build(fields: OfferFields, negotiationId: string) {
    const market = fields.market ?? 'standard';
    const place = { chainId, registry: await registryOf(market as Market) };
    return {
      ...buildOffer({ ...fields, market, negotiationId }, place, { now: await readChainTime(client) }),
    };
  }

  /** To the other party of a task and its judge, each in the conversation about it. */
  async function tell(taskId: string, type: string, payload: Readonly<Record<string, unknown>>) {
    const { poster, worker, settlementDigest, dispute } = (await client.task(taskId)).task;
    const judge = type === 'DisputeEvidence' ? dispute?.judge : undefined;
    const others = [poster, worker, judge]
      .flatMap((wallet) => wallet ?? [])
      .filter((wallet) => !isSameAddress(parseAddress(wallet), address))
      .map(parseAddress);
    const { transcripts, isStuck } = await readMail({ with: others });
    const usable = transcripts.filter((one) => !isStuck(one));
    const sent: SentMessage[] = [];
    for (const to of others) {
      const known = findAbout(usable, { to, taskId, settlementDigest });
      const place = known === undefined ? { to } : { root: known.root };
      sent.push(await write({ type, payload, taskId, place }));
    }
    return sent;
  }

  const messages = {
    /** The newest conversations, newest first; marks nothing as read. */
    conversations: async (query: TalkQuery = {}): Promise<Talk[]> => {
      const { conversations } = await mailbox.conversations({ ...query, limit: listed });
      const talks: Talk[] = [];
      for (const { root } of conversations) {
        // One whose messages are all hidden says nothing.
        const talk = await read(root).catch((error: unknown) => {
          if (error instanceof SvcError && error.code === 'NEGOTIATION_NOT_FOUND') return null;
          throw error;
        });
        if (talk !== null) talks.push(talk);
      }
      return talks;
    },
    /** One conversation, by its root. Throws NEGOTIATION_NOT_FOUND. */
    read,
    /** Each conversation as soon as a message arrives in it, and first those with messages after a position. Ends with the signal. */
    watch: async function* (signal: AbortSignal, after = 0): AsyncGenerator<Talk> {
      for await (const { root } of mailbox.follow({ after, signal })) yield await read(root);
    },
    /** Offers terms to a wallet, in a conversation of their own; private unless they say otherwise. Binds nobody until both have accepted. */
    propose: async ({ wallet, as = 'poster' }: OfferTo, terms: OfferFields, rationale?: string) => {
      const negotiationId = crypto.randomUUID();
      const [poster, worker] = as === 'poster' ? [address, wallet] : [wallet, address];
      const offer = await build({ scope: 'private', ...terms, poster, worker }, negotiationId);
      const payload = { ...offer, ...(rationale && { rationale }) };
      const key = hashCanonical([wallet, as, rationale ?? null, JSON.stringify(terms)]);
      return write({ type: 'TaskProposal', payload, place: { to: wallet, negotiationId }, key });
    },
    /** Offers the last terms with some fields changed; throws OFFER_CHANGED where that is not the offer with this hash. */
    counter: ({ root, offerHash }: { root: string; offerHash: string }, terms: OfferFields) =>
      write({
        type: 'TaskCounterOffer',
        place: { root },
        payload: async (transcript) => {
          const offer = transcript === undefined ? null : readNegotiation(transcript).offer;
          if (transcript === undefined || offer === null)
            throw new SvcError('NEGOTIATION_CLOSED', { reason: 'This negotiation has no offer yet.' });
          if (offer.hash !== offerHash.toLowerCase())
            throw new SvcError('OFFER_CHANGED', { offered: offer.settlementDigest });
          return { ...(await build(changeOffer(offer, terms), transcript.negotiationId)) };
        },
      }),
    /**
     * Signs the offer that you have read, by its hash or its settlementDigest: this binds until its acceptBy. `otherLacks` says what the
     * other side still needs to enter the task. Throws OFFER_CHANGED, NEGOTIATION_CLOSED, TERMS_INVALID and NOT_READY_TO_ACT, and then
     * nothing was signed.
     */
    accept: async (meant: Meant) => {
      const { offer, lacks } = await messenger.readOffered(meant);
      const filed = await messenger.accept({ ...meant, offerHash: offer.hash });
      return { ...toSent(filed), otherLacks: lacks };
    },
    /** Says no to an offer, and why. */
    decline: async (root: string, offerHash: string, why: string) =>
      toSent(await messenger.decline(root, offerHash, why)),
    /** Writes words into a conversation, again where others write at the same moment. */
    note: async (root: string, text: string) => toSent(await messenger.note(root, text)),
    /** Sends the other party of a private task the document of a delivery, whose hash is on chain. */
    deliver: (taskId: string, { document, keys }: Paper) =>
      tell(taskId, 'DeliveryNotice', {
        milestone: document.milestone,
        proofHash: hashCanonical(document),
        document,
        ...(keys && { keys }),
      }),
    /** Sends the other party of a dispute, and its judge, the document of evidence, whose hash is on chain. */
    evidence: (taskId: string, claim: string, { document, keys }: Paper) =>
      tell(taskId, 'DisputeEvidence', {
        claim,
        evidenceHashes: [hashCanonical(document)],
        document,
        ...(keys && { keys }),
      }),
  };

  return { messages, messenger, write, readMail, readRegistries };
}

/** The conversations of one wallet. */
export type Messages = ReturnType<typeof createParticipantMessages>['messages'];
