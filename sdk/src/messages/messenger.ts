// Talks for one wallet: offers, accepts, declines and writes in its conversations. Nothing is signed that was not read.
import type { Hex } from 'viem';
import { type Address, isSameAddress, parseAddress } from '../domain/address.ts';
import { SvcError } from '../domain/errors.ts';
import type { Market } from '../domain/market.ts';
import type { Offer } from '../negotiation/negotiation.ts';
import { readNegotiation } from '../negotiation/negotiation.ts';
import { findAcceptable } from '../negotiation/nextMessages.ts';
import {
  countFreeBonds,
  countLiveSignatures,
  listLiveSignatures,
  requireFreeBond,
} from '../negotiation/proposals.ts';
import type { Transcript } from '../negotiation/transcript.ts';
import { buildAgreementTypedData, findMarketMistake, type Registries } from '../rules/terms.ts';
import type { TermsDocument } from '../schemas/terms.ts';
import { listLacks, requireFees, type Side } from './sides.ts';
import {
  createWriter,
  type Delivered,
  type Draft,
  type Pending,
  type WriterNeeds,
  type Written,
} from './writer.ts';

/** What the market and its chain say. */
export type MessengerFacts = {
  readonly registries: () => Promise<Registries>;
  /** Unix seconds by the clock of the chain, which decides about offers. */
  readonly readTime: () => Promise<number>;
  readonly readSide: (wallet: Address, market: Market) => Promise<Side>;
  /** Whether this wallet has taken its signature back on chain. */
  readonly isRevoked: (terms: Pick<TermsDocument, 'market'>, settlementDigest: Hex) => Promise<boolean>;
  readonly readDigest: (taskId: string) => Promise<string | null | undefined>;
  /** The conversations with offers, also those that nothing else has read. */
  readonly listOffered: () => Promise<{
    readonly transcripts: readonly Transcript[];
    readonly taskOf: (conversation: { readonly root: Hex }) => string | undefined;
  }>;
  /** Lets the market take access fees, where this wallet does it now. */
  readonly approve?: (market: Market, amountTokWei: bigint) => Promise<unknown>;
};

export type MessengerNeeds<Sent, Waiting> = WriterNeeds<Sent, Waiting> & {
  readonly facts: MessengerFacts;
  /** Signs the terms of an offer: this binds. */
  readonly signTerms: (
    typedData: ReturnType<typeof buildAgreementTypedData>,
    offer: Offer,
  ) => Promise<Hex | { readonly waiting: Waiting }>;
};

/** The offer that was read, by the hash of its message or by its digest. */
export type Meant = { readonly root: string } & (
  | { readonly offerHash: string; readonly settlementDigest?: string }
  | { readonly settlementDigest: string; readonly offerHash?: undefined }
);

/** What an owner signs later. JSON. */
export type Step =
  | ({ readonly is: 'message' } & Pending)
  | { readonly is: 'terms'; readonly root: string; readonly offerHash: Hex; readonly settlementDigest: Hex };

/** Delivered; or an owner signs later, and `finish` goes on. */
export type Filed<Sent, Waiting> =
  | Delivered<Sent>
  | ([Waiting] extends [never]
      ? never
      : { readonly is: 'waiting'; readonly waiting: Waiting; readonly step: Step });

export type Messenger<Sent, Waiting = never> = ReturnType<typeof createMessenger<Sent, Waiting>>;

/** The offer that may be accepted now, if it is the one that was read, and for the market that it names. */
export function findMeant(
  transcript: Transcript,
  own: Address,
  { offerHash, settlementDigest }: Partial<Record<'offerHash' | 'settlementDigest', string | undefined>>,
  { registries, time }: { readonly registries: Registries; readonly time: number },
): Offer {
  const offer = findAcceptable(readNegotiation(transcript), own, new Date(time * 1_000));
  const isOther = (meant: string | undefined, is: string) =>
    meant !== undefined && meant.toLowerCase() !== is.toLowerCase();
  if (isOther(offerHash, offer.hash) || isOther(settlementDigest, offer.settlementDigest))
    throw new SvcError('OFFER_CHANGED', { offered: offer.settlementDigest });
  requireMarket(offer.terms, registries);
  return offer;
}

/** Throws TERMS_INVALID where the terms are not for the market that they name. */
export function requireMarket(terms: TermsDocument, registries: Registries): void {
  const mistake = findMarketMistake(terms, registries);
  if (mistake !== null) throw new SvcError('TERMS_INVALID', { reason: `${mistake} Nothing was signed.` });
}

/** The messages of one wallet. Where it signs now, each of them is `delivered`; where its owner signs later, `finish` goes on. */
export function createMessenger<Sent, Waiting = never>(needs: MessengerNeeds<Sent, Waiting>) {
  const { address, facts, find, signTerms } = needs;
  const writer = createWriter(needs);

  async function readConversation(root: string): Promise<Transcript> {
    const found = await find({ root });
    if (found === undefined) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId: root });
    return found;
  }

  async function readMeant({ root, ...meant }: Meant): Promise<{ offer: Offer; isSigned: boolean }> {
    const [transcript, registries, time] = await Promise.all([
      readConversation(root),
      facts.registries(),
      facts.readTime(),
    ]);
    const offer = findMeant(transcript, address, meant, { registries, time });
    const { acceptances } = readNegotiation(transcript);
    return { offer, isSigned: acceptances.some(({ by }) => !isSameAddress(by, address)) };
  }

  /** Each signature needs a fee of its own, and a worker's a bond as well: the other side may use any of them. */
  async function checkOwn({ terms, settlementDigest }: Offer): Promise<void> {
    const { market } = terms;
    const [time, { transcripts, taskOf }] = await Promise.all([facts.readTime(), facts.listOffered()]);
    const ended = new Set([settlementDigest.toLowerCase()]);
    const signed = listLiveSignatures(transcripts, address, new Date(time * 1_000), ended);
    const counting = countLiveSignatures(signed, {
      taskOf,
      readDigest: facts.readDigest,
      isRevoked: (digest) => facts.isRevoked(terms, digest),
    });
    const [live, own] = await Promise.all([counting, facts.readSide(address, market)]);
    if (isSameAddress(terms.worker, address)) requireFreeBond(live, countFreeBonds(own.deposit, own.figures));
    if (facts.approve === undefined) return;
    const owedTokWei = requireFees(own, live + 1, 'this wallet');
    if (own.allowances.tokRouter < owedTokWei) await facts.approve(market, owedTokWei);
  }

  /** The offer that was read, if it may be accepted, and what the other side still lacks to enter its task. Signs nothing. */
  async function readOffered(
    meant: Meant,
  ): Promise<{ readonly offer: Offer; readonly lacks: readonly string[] }> {
    const { offer, isSigned } = await readMeant(meant);
    return { offer, lacks: await readLacks(offer, isSigned) };
  }

  async function readLacks({ terms }: Pick<Offer, 'terms'>, isSigned: boolean): Promise<string[]> {
    const { market, poster, worker } = terms;
    const wallet = parseAddress(isSameAddress(poster, address) ? worker : poster);
    return listLacks(await facts.readSide(wallet, market), { wallet, terms, isSigned });
  }

  async function write(draft: Draft): Promise<Filed<Sent, Waiting>> {
    return toFiled(await writer.write(draft));
  }

  const send = (root: string, type: string, payload: Draft['payload']) =>
    write({ type, payload, place: { root } });

  return {
    write,

    readOffered,

    /** What the other side of these terms lacks to enter their task, in words. */
    readLacks,

    /**
     * Signs the offer that was read, which binds, and says so to the other side. Throws OFFER_CHANGED, NEGOTIATION_CLOSED,
     * TERMS_INVALID and NOT_READY_TO_ACT, before anything is signed.
     */
    accept: async (meant: Meant): Promise<Filed<Sent, Waiting>> => {
      const { offer } = await readMeant(meant);
      await checkOwn(offer);
      const { hash: offerHash, settlementDigest, terms } = offer;
      const { root } = meant;
      const answer = await signTerms(buildAgreementTypedData(terms), offer);
      if (typeof answer !== 'string') {
        const step = { is: 'terms', root, offerHash, settlementDigest } as const;
        return { is: 'waiting', waiting: answer.waiting, step } as Filed<Sent, Waiting>;
      }
      return send(root, 'TaskAcceptance', { offerHash, settlementDigest, signature: answer });
    },

    /** Goes on with what the owner has signed by now: the offer must still be the newest one. */
    finish: async (step: Step, signature: Hex): Promise<Filed<Sent, Waiting>> => {
      if (step.is === 'message') return toFiled(await writer.finish(step, signature));
      const { root, offerHash, settlementDigest } = step;
      const { acceptances } = readNegotiation(await readConversation(root));
      // The answer to an earlier try may have been lost.
      if (!acceptances.some((one) => one.offerHash === offerHash && isSameAddress(one.by, address)))
        await readMeant({ root, offerHash, settlementDigest });
      return send(root, 'TaskAcceptance', { offerHash, settlementDigest, signature });
    },

    /** Says no to an offer, and why. */
    decline: (root: string, offerHash: string, why: string) =>
      send(root, 'Note', { text: why, declines: offerHash }),

    /** Writes words into a conversation; the marks of its payload name the offer that they are about. */
    note: (root: string, text: string, marks: Readonly<Record<string, string>> = {}) =>
      send(root, 'Note', { text, ...marks }),
  };
}

function toFiled<Sent, Waiting>(written: Written<Sent, Waiting>): Filed<Sent, Waiting> {
  if (written.is === 'delivered') return written;
  const { waiting, pending } = written;
  return { is: 'waiting', waiting, step: { is: 'message', ...pending } } as Filed<Sent, Waiting>;
}
