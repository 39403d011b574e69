// The one place where a message is built, signed and sent: behind the newest message of its conversation, and again where another
// message took that place.
import type { Hex } from 'viem';
import { type Address, isSameAddress } from '../domain/address.ts';
import { retry } from '../domain/backoff.ts';
import { hashCanonical, toCanonical } from '../domain/canonical.ts';
import { isErrorOf, SvcError } from '../domain/errors.ts';
import {
  buildEnvelope,
  buildEnvelopeTypedData,
  type EnvelopeTypedData,
  isOffer,
  isParty,
  placeAttempts,
  refuse,
  type SignedEnvelope,
  signEnvelope,
} from '../negotiation/envelope.ts';
import { readNegotiation } from '../negotiation/negotiation.ts';
import { findPlaceMistake, headOf, openConversation, type Transcript } from '../negotiation/transcript.ts';
import type { Envelope } from '../schemas/envelope.ts';

export type Payload = Readonly<Record<string, unknown>>;

/** Which conversation: that of a first message, or a new one. */
export type Place =
  | { readonly root: string }
  | { readonly to: Address; readonly negotiationId?: string | undefined };

/** A message that is not written yet. JSON, where its payload is no function. */
export type Draft = {
  readonly type: string;
  /** A function where it depends on the conversation; called again where something came in between. */
  readonly payload: Payload | ((conversation: Transcript | undefined) => Payload | Promise<Payload>);
  readonly place: Place;
  readonly taskId?: string | undefined;
  /** What makes it the same message when it is written again: its words unless given. */
  readonly key?: string | undefined;
};

/** An envelope that is not signed yet, with what its sender signs. */
export type Unsigned = {
  readonly envelope: Envelope;
  readonly hash: Hex;
  readonly typedData: EnvelopeTypedData;
};

/** What an owner has been asked to sign. JSON: enough to go on in another process. */
export type Pending = { readonly draft: Draft; readonly envelope: Envelope; readonly to: Address };

export type Delivered<Sent> = {
  readonly is: 'delivered';
  readonly signed: SignedEnvelope;
  readonly root: Hex;
  readonly sent: Sent;
};
/** A wallet that signs now lets nothing wait. */
export type Written<Sent, Waiting> =
  | Delivered<Sent>
  | ([Waiting] extends [never]
      ? never
      : { readonly is: 'waiting'; readonly waiting: Waiting; readonly pending: Pending });

/** Who writes: where its conversations are, how its wallet signs, and how a message gets to the other party. */
export type WriterNeeds<Sent, Waiting> = {
  readonly address: Address;
  /** The value of `sender.xmtpPublicKey`; empty unless given. */
  readonly readPublicKey?: () => Promise<string>;
  /** The conversation as it is now; undefined opens one. */
  readonly find: (place: Place) => Promise<Transcript | undefined>;
  /** The signature; or what to wait for, where the owner of the wallet signs later. */
  readonly sign: (
    unsigned: Unsigned,
    draft: Draft,
    to: Address,
  ) => Promise<Hex | { readonly waiting: Waiting }>;
  /** Throws PLACE_TAKEN or PLACE_GONE where another message has the place. */
  readonly send: (signed: SignedEnvelope, to: Address) => Promise<Sent>;
  /** The time of messages: readers compare it with their own clocks. */
  readonly now?: () => Date;
  /** Messages whose delivery is not known, shared by all writers of a process. */
  readonly unsure?: Map<string, SignedEnvelope>;
};

/** Signed messages of which it is not known whether they were delivered. */
const maxUnsure = 100;

export const isPlaceLost = (error: unknown): error is SvcError =>
  isErrorOf(error, 'PLACE_TAKEN', 'PLACE_GONE');

/** The next envelope of a conversation, or the first one of a new one. Throws ENVELOPE_INVALID. */
export function draftEnvelope(
  draft: Omit<Parameters<typeof buildEnvelope>[0], 'payload'> & { readonly payload: Payload },
  head: ReturnType<typeof headOf>,
  now: Date,
): Unsigned {
  const envelope = buildEnvelope({ ...draft, payload: { ...draft.payload } }, head, now);
  const hash = hashCanonical(envelope);
  return { envelope, hash, typedData: buildEnvelopeTypedData(envelope, hash) };
}

/** The same envelope with the signature of its sender: what is sent. */
export function addSignature(envelope: Envelope, signature: Hex): Promise<SignedEnvelope> {
  return signEnvelope(envelope, async () => signature);
}

/** Writes the messages of a wallet: builds, signs and sends each at its place in the conversation. */
export function createWriter<Sent, Waiting = never>(needs: WriterNeeds<Sent, Waiting>) {
  const { address, find, sign, send, readPublicKey = async () => '', now = () => new Date() } = needs;
  const { unsure = new Map<string, SignedEnvelope>() } = needs;

  /** A message whose delivery is not known is the same message when it is written again, at the same place. */
  function takeUnsure(key: string, { type, payload }: Envelope, transcript: Transcript | undefined) {
    const accepted = transcript?.entries.find(
      (one) =>
        type === 'TaskAcceptance' &&
        one.envelope.type === type &&
        toCanonical(one.envelope.payload) === toCanonical(payload),
    );
    const kept = accepted ?? unsure.get(key);
    const { hash } = headOf(transcript ?? { entries: [] });
    const isHere = transcript?.entries.some((one) => one.hash === kept?.hash);
    return isHere || kept?.envelope.previousHash === hash ? kept : undefined;
  }

  async function deliver(key: string, signed: SignedEnvelope, to: Address, root?: Hex) {
    try {
      const sent = await send(signed, to);
      unsure.delete(key);
      return { is: 'delivered', signed, root: root ?? signed.hash, sent } as const;
    } catch (error) {
      unsure.delete(key);
      if (!isRefused(error)) unsure.set(key, signed);
      const [oldest] = unsure.keys();
      if (unsure.size > maxUnsure && oldest !== undefined) unsure.delete(oldest);
      throw error;
    }
  }

  async function attempt(draft: Draft): Promise<Written<Sent, Waiting>> {
    const { type, taskId, place } = draft;
    const transcript = await find(place);
    const to = recipientOf(place, transcript);
    const said = typeof draft.payload === 'function' ? await draft.payload(transcript) : draft.payload;
    const unsigned = draftEnvelope(
      {
        type,
        negotiationId:
          transcript?.negotiationId ??
          ('to' in place ? place.negotiationId : undefined) ??
          crypto.randomUUID(),
        taskId,
        sender: { evmAddress: address, xmtpPublicKey: await readPublicKey() },
        // The signature covers the recipient of a first message, so that nobody can pass it on to another wallet.
        payload: transcript === undefined && !isOffer(type) ? { ...said, to } : said,
      },
      headOf(transcript ?? { entries: [] }),
      now(),
    );
    const { payload } = unsigned.envelope;
    const words = draft.key ?? toCanonical({ at: transcript?.root ?? to, type, taskId, payload });
    const key = `${address} ${words}`;
    const kept = takeUnsure(key, unsigned.envelope, transcript);
    if (kept !== undefined) return deliver(key, kept, to, transcript?.root);
    if (transcript !== undefined) requireNewest(type, payload, transcript);
    requirePlace(unsigned, transcript, to);
    const answer = await sign(unsigned, draft, to);
    if (typeof answer !== 'string') {
      const pending = { draft: { ...draft, payload: said }, envelope: unsigned.envelope, to };
      return { is: 'waiting', waiting: answer.waiting, pending } as Written<Sent, Waiting>;
    }
    return deliver(key, await addSignature(unsigned.envelope, answer), to, transcript?.root);
  }

  function recipientOf(place: Place, transcript: Transcript | undefined): Address {
    if (transcript === undefined) {
      if ('to' in place) return place.to;
      throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId: place.root });
    }
    const { opener, other } = transcript.parties;
    return isSameAddress(opener, address) ? other : opener;
  }

  const again = (work: () => Promise<Written<Sent, Waiting>>) =>
    retry(work, { attempts: placeAttempts, firstMs: 20, longestMs: 400, shouldRetry: isPlaceLost });

  return {
    /**
     * Writes a message, again while other messages take its place. Throws OFFER_CHANGED for an acceptance of an offer that is
     * not the newest one, ENVELOPE_INVALID where readers would refuse it, PLACE_TAKEN where others write all the time.
     */
    write: (draft: Draft): Promise<Written<Sent, Waiting>> => again(() => attempt(draft)),

    /** Sends what its owner has signed by now. Where another message has the place, the same words are signed again. */
    finish: async ({ draft, envelope, to }: Pending, signature: Hex): Promise<Written<Sent, Waiting>> => {
      const signed = await addSignature(envelope, signature);
      const root = 'root' in draft.place ? (draft.place.root as Hex) : undefined;
      try {
        return await deliver(signed.hash, signed, to, root);
      } catch (error) {
        if (!isPlaceLost(error)) throw error;
        return again(() => attempt(draft));
      }
    },
  };
}

/** Nothing was stored, and nothing will be: it may be written anew. */
function isRefused(error: unknown): boolean {
  if (isErrorOf(error, 'API_REFUSED')) return Number(error.details.status) < 500;
  return isPlaceLost(error) || isErrorOf(error, 'PLACE_GAP');
}

function requirePlace({ envelope, hash }: Unsigned, transcript: Transcript | undefined, to: Address): void {
  const signed: SignedEnvelope = { envelope, hash, signature: '0x' };
  const conversation = transcript ?? openConversation(signed);
  const mistake = isParty(conversation.parties, to)
    ? findPlaceMistake({ ...conversation, head: headOf(transcript ?? { entries: [] }) }, signed)
    : refuse('addressee');
  if (mistake !== null) throw new SvcError('ENVELOPE_INVALID', { reason: mistake.detail });
}

/** An acceptance takes a place behind the offer that its sender has read, or none. */
function requireNewest(type: string, { offerHash }: Payload, transcript: Transcript): void {
  if (type !== 'TaskAcceptance') return;
  const { offer } = readNegotiation(transcript);
  if (offer !== null && String(offerHash).toLowerCase() !== offer.hash)
    throw new SvcError('OFFER_CHANGED', { offered: offer.settlementDigest });
}
