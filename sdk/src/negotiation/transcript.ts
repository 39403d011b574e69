// The transcript of one conversation: the envelopes of both parties in one hash chain, and those beside it.
import type { Hex } from 'viem';
import { isSameAddress } from '../domain/address.ts';
import type { TermsDocument } from '../schemas/terms.ts';
import {
  findParties,
  type Head,
  isOffer,
  isParty,
  noHead,
  type Parties,
  type Refusal,
  refuse,
  type SignedEnvelope,
  senderOf,
} from './envelope.ts';

export type Transcript = {
  /** The hash of the first envelope: the key of the conversation. Nobody else can take it, unlike `negotiationId`. */
  readonly root: Hex;
  readonly negotiationId: string;
  readonly parties: Parties;
  /** The chain, from the first envelope to the head. */
  readonly entries: readonly SignedEnvelope[];
  /** Valid, but not in the chain: the other party wrote at the same time, or the sender twice. They count, except offers. */
  readonly aside: readonly SignedEnvelope[];
  /** Envelopes of one sender at one place of the chain: two devices, or a sender that says two things. */
  readonly forks: readonly (readonly SignedEnvelope[])[];
  /** Envelopes whose predecessor has not arrived yet. */
  readonly waiting: readonly SignedEnvelope[];
  readonly refused: readonly { readonly signed: SignedEnvelope; readonly refusal: Refusal }[];
  /** In their places, but without effect: a signature inside them fails. By their hash. */
  readonly unusable: ReadonlyMap<Hex, Refusal>;
};

export type Transcripts = {
  readonly transcripts: readonly Transcript[];
  /** Envelopes of conversations whose first envelope has not arrived. */
  readonly unrooted: readonly SignedEnvelope[];
};

/** Everything that a relay must know about a conversation to decide on the next envelope. */
export type Conversation = Pick<Transcript, 'negotiationId' | 'parties'> & { readonly head: Head };

/** The conversation that a first envelope opens, before that envelope is added. */
export function openConversation({ envelope }: SignedEnvelope): Conversation {
  const parties = findParties(envelope);
  if (parties === null) throw new RangeError('The first envelope names no recipient.');
  return { negotiationId: envelope.negotiationId, parties, head: noHead };
}

/** The newest message of a transcript: what the next envelope continues. */
export function headOf({ entries }: Pick<Transcript, 'entries'>): Head {
  const last = entries.at(-1);
  return last === undefined ? noHead : { sequence: last.envelope.sequence, hash: last.hash };
}

/** Null when the envelope is the next one: its place continues the head, and it is between the parties. */
export function findPlaceMistake(conversation: Conversation, signed: SignedEnvelope): Refusal | null {
  const { head } = conversation;
  const { sequence, previousHash } = signed.envelope;
  const foreign = findForeign(conversation, signed);
  if (foreign !== null) return foreign;
  if (sequence <= head.sequence) return refuse('sequence');
  if (sequence > head.sequence + 1) return refuse('gap');
  return previousHash.toLowerCase() === head.hash ? null : refuse('chain');
}

/** Whether it is between other parties, or belongs to another negotiation. */
function findForeign(
  { negotiationId, parties }: Pick<Conversation, 'negotiationId' | 'parties'>,
  signed: SignedEnvelope,
): Refusal | null {
  const { envelope } = signed;
  if (envelope.negotiationId !== negotiationId) return refuse('negotiation');
  if (!isParty(parties, senderOf(signed))) return refuse('stranger');
  if (!isOffer(envelope.type)) return null;
  const { poster, worker } = envelope.payload.terms as TermsDocument;
  const isBetween = isParty(parties, poster) && isParty(parties, worker);
  return isBetween ? null : refuse('stranger', 'Its terms are between other wallets than the parties.');
}

/** An envelope in its place, with those that were written on top of it. */
type Node = {
  readonly signed: SignedEnvelope;
  readonly isOpeners: boolean;
  readonly children: Node[];
  /** Whether the party that did not write it has built upon it, which fixes its place. */
  isSeen: boolean;
};

/**
 * Sorts verified envelopes into conversations. Pure, and independent of the order of arrival: all devices that hold the same
 * envelopes see the same chain. `unusable` names those without effect; their places count as any other.
 */
export function buildTranscripts(
  arrivals: readonly SignedEnvelope[],
  unusable: ReadonlyMap<Hex, Refusal> = new Map(),
): Transcripts {
  const known = new Map(arrivals.map((signed) => [signed.hash, signed]));
  const byPrevious = Map.groupBy(known.values(), ({ envelope }) => envelope.previousHash.toLowerCase());
  const placed = new Set<Hex>();
  const built = [...known.values()].flatMap((first) => {
    const parties = first.envelope.sequence === 1 ? findParties(first.envelope) : null;
    return parties === null ? [] : [growTranscript(first, parties, { byPrevious, placed, unusable })];
  });
  const left = [...known.values()].filter(({ hash }) => !placed.has(hash)).sort(bySequence);
  const leftOf = Map.groupBy(left, ({ envelope }) => envelope.negotiationId);
  const transcripts = built.map((transcript) => {
    const same = leftOf.get(transcript.negotiationId) ?? [];
    return { ...transcript, waiting: same.filter((signed) => findForeign(transcript, signed) === null) };
  });
  const waiting = new Set(transcripts.flatMap((transcript) => transcript.waiting));
  return { transcripts, unrooted: left.filter((signed) => !waiting.has(signed)) };
}

type Arrived = {
  readonly byPrevious: ReadonlyMap<string, readonly SignedEnvelope[]>;
  readonly placed: Set<Hex>;
  readonly unusable: ReadonlyMap<Hex, Refusal>;
};

function growTranscript(
  first: SignedEnvelope,
  parties: Parties,
  { byPrevious, placed, unusable }: Arrived,
): Transcript {
  const { negotiationId } = first.envelope;
  const toNode = (signed: SignedEnvelope): Node => ({
    signed,
    isOpeners: isSameAddress(senderOf(signed), parties.opener),
    children: [],
    isSeen: false,
  });
  const root = toNode(first);
  const nodes = [root];
  const refused: Transcript['refused'][number][] = [];
  // Grows while it is walked through: parents always stand before their children.
  for (const node of nodes) {
    const { signed } = node;
    placed.add(signed.hash);
    const head = { sequence: signed.envelope.sequence, hash: signed.hash };
    for (const next of byPrevious.get(signed.hash) ?? []) {
      const refusal = findPlaceMistake({ negotiationId, parties, head }, next);
      if (refusal === null) {
        const child = toNode(next);
        node.children.push(child);
        nodes.push(child);
      } else {
        refused.push({ signed: next, refusal });
        placed.add(next.hash);
      }
    }
  }
  markSeen(nodes);
  const entries = chooseChain(root);
  const chain = new Set(entries.map(({ hash }) => hash));
  return {
    root: first.hash,
    negotiationId,
    parties,
    entries,
    aside: nodes
      .map(({ signed }) => signed)
      .filter(({ hash }) => !chain.has(hash))
      .sort(bySequence),
    forks: nodes.flatMap(findForks),
    waiting: [],
    refused,
    unusable: new Map(
      nodes.flatMap(({ signed: { hash } }) => {
        const refusal = unusable.get(hash);
        return refusal === undefined ? [] : [[hash, refusal] as const];
      }),
    ),
  };
}

/** Children stand behind their parents, so one walk from the end is enough. */
function markSeen(nodes: readonly Node[]): void {
  for (const node of nodes.toReversed())
    node.isSeen = node.children.some((child) => child.isOpeners !== node.isOpeners || child.isSeen);
}

/**
 * Where both parties wrote at the same place, the envelope that the other party has built upon stays. Otherwise the opener's
 * goes first. Two of one sender: the lower hash, so that all devices continue the same one.
 */
function chooseChain(root: Node): SignedEnvelope[] {
  const entries: SignedEnvelope[] = [];
  for (let node: Node | undefined = root; node !== undefined; [node] = node.children.sort(byPrecedence))
    entries.push(node.signed);
  return entries;
}

function byPrecedence(one: Node, other: Node): number {
  return (
    Number(other.isSeen) - Number(one.isSeen) ||
    Number(other.isOpeners) - Number(one.isOpeners) ||
    (one.signed.hash < other.signed.hash ? -1 : 1)
  );
}

function findForks({ children }: Node): SignedEnvelope[][] {
  return [...Map.groupBy(children, ({ isOpeners }) => isOpeners).values()]
    .filter((same) => same.length > 1)
    .map((same) => same.map(({ signed }) => signed));
}

function bySequence(one: SignedEnvelope, other: SignedEnvelope): number {
  return one.envelope.sequence - other.envelope.sequence || (one.hash < other.hash ? -1 : 1);
}
