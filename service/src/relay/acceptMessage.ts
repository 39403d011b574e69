// The relay: takes signed messages into two mailboxes. It can delay or lose a message, and never forge one.

import type { HeldMessage } from '@svc/sdk/client';
import { type Address, isSameAddress, isTerminal, parseAddress, SvcError } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { formatMoment } from '@svc/sdk/internal/domain/amount';
import { buildHeldTypedData } from '@svc/sdk/internal/domain/sessionDocument';
import { hashOwnTypedData } from '@svc/sdk/internal/domain/typedData';
import {
  findUnwritten,
  isDecline,
  isOffer,
  isParty,
  type Parties,
  type Refusal,
  refuse,
  senderOf,
} from '@svc/sdk/internal/negotiation/envelope';
import { findPlaceMistake } from '@svc/sdk/internal/negotiation/transcript';
import { findConsent, findFalseConsent } from '@svc/sdk/internal/negotiation/verifyEnvelope';
import { findMarketMistake, type Registries } from '@svc/sdk/internal/rules/terms';
import {
  hashSigned,
  noHead,
  openConversation,
  parseWire,
  type SignedEnvelope,
  type TermsDocument,
} from '@svc/sdk/negotiation';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import type { ContractSignatures } from '../sessions/contractSignatures.ts';
import { signByKey, verifyKey } from '../sessions/keySignatures.ts';
import type { Session } from '../sessions/walletSessions.ts';
import { settledSeconds } from '../store/collateral.ts';
import type { ConversationStore, StoredConversation } from '../store/conversations.ts';
import type { StandingStore } from '../store/standing.ts';
import { checkMailLimits, mailLimits } from './mailLimits.ts';

export type RelayNeeds = {
  readonly store: ConversationStore;
  readonly standing: Pick<StandingStore, 'findStanding' | 'loadShared' | 'isInDispute' | 'hasProposed'>;
  readonly isBlocked: (wallet: Address, blocked: Address) => Promise<boolean>;
  readonly contracts: ContractSignatures;
  /** Signs receipts. */
  readonly key: Hex;
  /** Of this deployment: terms for another one are refused. */
  readonly registries: Registries;
  /** The chain's time where it is ahead of ours: retention counts by it. */
  readonly now: () => number;
  /** The time of this machine, by which clients date their messages. */
  readonly clock: () => number;
  /** Number of the newest block. */
  readonly block: () => number;
};

export type RelayService = ReturnType<typeof createRelay>;

/** `isNew` is false where the relay already holds the message. */
export type Accepted = { readonly isNew: boolean; readonly held: HeldMessage };

const maxAheadSeconds = 600;
const maxTitleCharacters = 200;
const termTypes: ReadonlySet<string> = new Set(['TaskAcceptance', 'SupervisorVeto']);
/** Fields of a Note about an offer. */
const termNotes = ['withdraws', 'declines', 'chooses'];

type Place = {
  readonly root: Hex;
  readonly parties: Parties;
  readonly recipient: Address;
  /** Whether its sender may be unknown to the recipient: nobody has answered, and no task was shared. */
  readonly isUnknown: boolean;
};

type Opening = {
  readonly isKnown: boolean;
  /** Whose openings count: the sender, and the earlier holders of its collateral. */
  readonly openers: readonly string[];
};

export function createRelay(needs: RelayNeeds) {
  const { store, standing, isBlocked, contracts, key, registries, now, clock, block } = needs;
  const gateway = privateKeyToAddress(key);

  function describe(hash: Hex, to: Address, receivedAt: number, position: number): HeldMessage {
    const digest = hashOwnTypedData(buildHeldTypedData(registries.chainId, { hash, to, receivedAt }));
    return {
      position,
      receivedAt,
      receipt: { hash, to, receivedAt, gateway, signature: signByKey(key, digest) },
    };
  }

  async function findKnown(hash: Hex): Promise<Accepted | null> {
    const known = await store.findMessage(hash);
    if (known === undefined) return null;
    if (known.isRemoved) throw new SvcError('WITHHELD', {});
    const to = parseAddress(known.recipient);
    return { isNew: false, held: describe(hash, to, known.receivedAt, known.position) };
  }

  /** Where the message stands, and for whom it is. Throws PLACE_TAKEN, PLACE_GAP, PLACE_GONE, NOT_A_PARTY and ENVELOPE_REFUSED. */
  async function findPlace(signed: SignedEnvelope): Promise<Place> {
    const { sequence, previousHash } = signed.envelope;
    if (sequence === 1) {
      const { parties } = openConversation(signed);
      return { root: signed.hash, parties, recipient: parties.other, isUnknown: true };
    }
    const previous = await store.findByMessage(previousHash.toLowerCase() as Hex);
    if (previous === undefined) throw await describeGap(signed);
    const { conversation } = previous;
    const { root, parties } = conversation;
    if (previous.sequence !== sequence - 1) throw refused(refuse('chain'));
    const sender = senderOf(signed);
    if (!isParty(parties, sender)) throw new SvcError('NOT_A_PARTY', {});
    const mistake = findPlaceMistake(conversation, signed);
    if (mistake?.reason === 'sequence') throw placeError('PLACE_TAKEN', conversation);
    if (mistake !== null) throw refused(mistake);
    return {
      root,
      parties,
      recipient: isSameAddress(parties.opener, sender) ? parties.other : parties.opener,
      isUnknown: conversation.isUnknown,
    };
  }

  async function describeGap(signed: SignedEnvelope): Promise<SvcError> {
    const { negotiationId, sequence } = signed.envelope;
    const conversation = await store.findByNegotiation(negotiationId, senderOf(signed));
    const head = conversation?.head ?? noHead;
    if (sequence <= head.sequence) return placeError('PLACE_TAKEN', conversation);
    // Its predecessor would need the place of the head.
    if (sequence === head.sequence + 1) return new SvcError('PLACE_GONE', { head, startAt: sequence });
    return placeError('PLACE_GAP', conversation);
  }

  /**
   * Whether the two share a task, and whose openings count. Money that walks through wallets opens nothing: its holders share
   * their openings, and only a wallet that looks for people hears from new holders. Throws NO_STANDING and STANDING_NEW.
   */
  async function findOpening(sender: Address, to: Address): Promise<Opening> {
    const own = [addressKey(sender)];
    const found = await standing.findStanding(sender, to);
    if (found === null) throw new SvcError('NO_STANDING', {});
    if (found.kind === 'shared') return { isKnown: true, openers: own };
    const until = found.since + settledSeconds;
    if (!found.isLookedFor && until > now())
      throw new SvcError('STANDING_NEW', { until: formatMoment(until) });
    return { isKnown: false, openers: until > now() ? found.holders : own };
  }

  async function isKnownNow({ isUnknown, recipient }: Place, sender: Address): Promise<boolean> {
    return isUnknown && (await standing.loadShared(sender, recipient)).length > 0;
  }

  /**
   * The sender's signature, and the one inside the payload where a key alone disproves it: a wallet with code may still
   * confirm it, so that is left to the readers. The chain is asked for a party with a session only: nobody else can make the
   * gateway ask.
   */
  async function checkSignatures(
    signed: SignedEnvelope,
    { parties }: Place,
    session: Session | null,
    beforeAsking: (wallet: Address) => void,
  ): Promise<void> {
    const mistake = (await verifyKey(senderOf(signed), hashSigned(signed), signed.signature))
      ? await findFalseConsent(signed, verifyKey)
      : refuse('signature', 'It is not signed by its sender’s key.');
    if (mistake === null) return;
    if (session === null)
      throw refused(refuse(mistake.reason, `${mistake.detail} A smart wallet needs a session.`));
    if (!isParty(parties, session.wallet)) throw new SvcError('NOT_A_PARTY', {});
    beforeAsking(session.wallet);
    const isSigned = await contracts.verify(senderOf(signed), hashSigned(signed), signed.signature);
    if (!isSigned) throw refused(refuse('signature'));
    const disproved = await findFalseConsent(signed, contracts.verify);
    const signer = findConsent(signed)?.signer;
    if (disproved !== null && signer !== undefined && !(await contracts.hasCode(signer)))
      throw refused(disproved);
  }

  async function checkBlock(sender: Address, recipient: Address): Promise<void> {
    if (!(await isBlocked(recipient, sender))) return;
    if ((await standing.loadShared(sender, recipient)).some(({ state }) => !isTerminal(state))) return;
    throw new SvcError('RECIPIENT_REFUSES', {});
  }

  /** Terms are read and signed by people and programs that trust what they are called. */
  function checkTerms(envelope: SignedEnvelope['envelope']): void {
    const unwritten = isOffer(envelope.type) ? findUnwritten(envelope) : null;
    if (unwritten !== null) throw refused(unwritten);
    const { terms } = envelope.payload as { readonly terms?: TermsDocument };
    const isKnown = isOffer(envelope.type) || envelope.type === 'TaskAcceptance';
    const mistake = isKnown && terms !== undefined ? findMarketMistake(terms, registries) : null;
    if (mistake !== null) throw refused(refuse('digest', mistake));
  }

  function checkTime({ envelope }: SignedEnvelope): void {
    const time = clock();
    const written = Date.parse(envelope.timestamp) / 1_000;
    if (written > time + maxAheadSeconds) throw refused(refuse('time'));
    // A message that was swept must not come back: it would count against its sender's limits.
    if (envelope.sequence === 1 && written < time - mailLimits.keptSeconds)
      throw refused(refuse('time', 'A first message must not be older than 90 days.'));
  }

  return {
    /** The address whose signature is on receipts. */
    signer: gateway,

    /** Cheap checks come first, and those that ask the chain last. Limits are checked when the message is stored. */
    accept: async (
      wire: string,
      session: Session | null,
      beforeAsking: (wallet: Address) => void,
    ): Promise<Accepted> => {
      const parsed = parseWire(wire);
      if ('refusal' in parsed) throw refused(parsed.refusal);
      const { signed } = parsed;
      const { envelope, hash } = signed;
      const known = await findKnown(hash);
      if (known !== null) return known;
      checkTerms(envelope);
      const time = now();
      checkTime(signed);
      const sender = senderOf(signed);
      const place = await findPlace(signed);
      const { root, recipient } = place;
      const isOpening = envelope.sequence === 1;
      const { isKnown, openers } = isOpening
        ? await findOpening(sender, recipient)
        : { isKnown: await isKnownNow(place, sender), openers: [] };
      await checkSignatures(signed, place, session, beforeAsking);
      await checkBlock(sender, recipient);
      const bytes = Buffer.byteLength(wire);
      const isInDispute = await standing.isInDispute(sender, recipient);
      const hasProposed = !isOpening && (await standing.hasProposed(sender, recipient));
      const isWithdrawal = envelope.type === 'Note' && 'withdraws' in envelope.payload;
      const appended = await store.append(
        {
          hash,
          root,
          negotiationId: envelope.negotiationId,
          sequence: envelope.sequence,
          previousHash: envelope.previousHash.toLowerCase() as Hex,
          sender,
          recipient,
          wire,
          bytes,
          receivedAt: time,
          block: block(),
          keepUntil: time + mailLimits.keptSeconds,
          isKnown,
          isAnswer: !isDecline(envelope),
          ...describeSubject(envelope),
        },
        { since: time - mailLimits.daySeconds, openSince: time - mailLimits.unknownSeconds, openers },
        (counts) => checkMailLimits(counts, { isOpening, bytes, isInDispute, hasProposed, isWithdrawal }),
      );
      if (appended.kind === 'stored')
        return { isNew: true, held: describe(hash, recipient, time, appended.position) };
      const stored = await findKnown(hash);
      if (stored !== null) return stored;
      throw placeError('PLACE_TAKEN', await store.findByRoot(root));
    },
  };
}

/** What the list of conversations shows of a message, and what decides about the terms. */
function describeSubject({ type, payload, taskId }: SignedEnvelope['envelope']) {
  const { settlementDigest, document, about } = payload as Readonly<Record<string, unknown>>;
  const title = isOffer(type) ? (document as { readonly title?: unknown } | undefined)?.title : null;
  const named = [about, taskId].find((value) => typeof value === 'string') as string | undefined;
  return {
    isTerms: isOffer(type) || termTypes.has(type) || termNotes.some((field) => field in payload),
    title: typeof title === 'string' ? title.slice(0, maxTitleCharacters) : null,
    settlementDigest: isOffer(type) ? String(settlementDigest).toLowerCase() : null,
    // Anything longer names nothing that exists.
    about: named !== undefined && named.length <= 100 ? named : null,
  };
}

function refused({ reason, detail }: Refusal): SvcError {
  return new SvcError('ENVELOPE_REFUSED', { detail, reason });
}

function placeError(
  code: 'PLACE_TAKEN' | 'PLACE_GAP',
  conversation: StoredConversation | undefined,
): SvcError {
  return new SvcError(code, { head: conversation?.head ?? noHead });
}
