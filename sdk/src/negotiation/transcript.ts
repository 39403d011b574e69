// The transcript of one negotiation: the envelopes of both parties in one hash chain, the refused ones, and its
// verification.
import type { Hex } from 'viem';
import { type Address, isSameAddress } from '#domain/address.ts';
import type { VerifyDigest } from '#domain/verifyDigest.ts';
import type { TermsDocument } from '#schemas/terms.ts';
import { type Head, noHead, type Refusal, refuse, type SignedEnvelope, senderOf } from './envelope.ts';
import { checkArrival } from './verifyEnvelope.ts';

/** The writer of the first envelope and its recipient. */
export type Parties = { readonly opener: Address; readonly other: Address };

/** The other party is a known recipient, else a party of the first offer, else another sender. */
export function findParties(entries: readonly SignedEnvelope[], known: readonly Address[] = []): Parties {
  const first = entries.find(({ envelope }) => envelope.sequence === 1) ?? entries[0];
  if (first === undefined) throw new RangeError('A negotiation without envelopes has no parties.');
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

/** Whether messages of this type offer terms. */
export function isOffer(type: string): boolean {
  return type === 'TaskProposal' || type === 'TaskCounterOffer';
}

export type Transcript = {
  readonly negotiationId: string;
  readonly parties: Parties;
  readonly entries: readonly SignedEnvelope[];
  /** The task of the negotiation: the first that an entry names. */
  readonly taskId: string | undefined;
  /** Valid envelopes whose predecessors have not arrived yet. */
  readonly waiting: readonly SignedEnvelope[];
  readonly refused: readonly { readonly signed: SignedEnvelope; readonly refusal: Refusal }[];
};

type TranscriptBuilder = {
  readonly negotiationId: string;
  readonly parties: Parties;
  readonly entries: SignedEnvelope[];
  /** By sequence, then by hash: an unknown sender may send thousands of them. */
  readonly waiting: Map<number, Map<Hex, SignedEnvelope>>;
  readonly refused: { readonly signed: SignedEnvelope; readonly refusal: Refusal }[];
  taskId: string | undefined;
  /** The entry that named it. */
  taskSequence: number;
};

/** From the envelopes that one party sent and received, each verified before, in the order of arrival. */
export function buildTranscript(
  negotiationId: string,
  parties: Parties,
  arrivals: readonly SignedEnvelope[],
): Transcript {
  const builder: TranscriptBuilder = {
    negotiationId,
    parties,
    entries: [],
    waiting: new Map(),
    refused: [],
    taskId: undefined,
    taskSequence: 0,
  };
  for (const signed of arrivals) extend(builder, signed);
  const { entries, taskId, waiting, refused } = builder;
  return {
    negotiationId,
    parties,
    entries,
    taskId,
    waiting: [...waiting.values()].flatMap((same) => [...same.values()]).sort(bySequence),
    refused,
  };
}

/** Adds an envelope, and then those that waited for it. */
function extend(builder: TranscriptBuilder, arrival: SignedEnvelope): void {
  const stack = [arrival];
  for (let signed = stack.pop(); signed !== undefined; signed = stack.pop()) {
    if (!place(builder, signed)) continue;
    const next = signed.envelope.sequence + 1;
    const following = [...(builder.waiting.get(next)?.values() ?? [])];
    builder.waiting.delete(next);
    // The one that arrived first is handled first.
    for (const waited of following.reverse()) stack.push(waited);
  }
}

/**
 * Returns whether it became an entry. When both parties write at the same time, the opener's envelope takes precedence: it
 * replaces envelopes that its writer had not seen. Nothing else ever leaves a transcript.
 */
function place(builder: TranscriptBuilder, signed: SignedEnvelope): boolean {
  const { waiting, refused } = builder;
  const { sequence } = signed.envelope;
  const mistake = findPlaceMistake(builder, signed);
  if (mistake?.reason === 'duplicate') return false;
  if (mistake?.reason === 'gap') {
    const same = waiting.get(sequence) ?? new Map<Hex, SignedEnvelope>();
    waiting.set(sequence, same.set(signed.hash, signed));
    return false;
  }
  if (mistake?.reason === 'sequence' && takesPrecedence(builder, signed)) {
    const replaced = removeFrom(builder, sequence);
    if (findPlaceMistake(builder, signed) === null) {
      for (const entry of replaced) refused.push({ signed: entry, refusal: refuse('overtaken') });
      return append(builder, signed);
    }
    for (const entry of replaced) append(builder, entry);
  }
  if (mistake === null) return append(builder, signed);
  refused.push({ signed, refusal: mistake });
  return false;
}

function append(builder: TranscriptBuilder, signed: SignedEnvelope): true {
  const { sequence, taskId } = signed.envelope;
  builder.entries.push(signed);
  if (builder.taskId === undefined && taskId !== undefined)
    [builder.taskId, builder.taskSequence] = [taskId, sequence];
  return true;
}

/** Removes and returns the entries from `sequence` on. */
function removeFrom(builder: TranscriptBuilder, sequence: number): SignedEnvelope[] {
  if (builder.taskSequence >= sequence) builder.taskId = undefined;
  return builder.entries.splice(sequence - 1);
}

function bySequence(one: SignedEnvelope, other: SignedEnvelope): number {
  return one.envelope.sequence - other.envelope.sequence;
}

export function headOf({ entries }: Pick<Transcript, 'entries'>): Head {
  const last = entries.at(-1);
  return last === undefined ? noHead : { sequence: last.envelope.sequence, hash: last.hash };
}

/** Null when the envelope is the next one. */
export function findPlaceMistake(
  transcript: Pick<Transcript, 'negotiationId' | 'parties' | 'entries' | 'taskId'>,
  signed: SignedEnvelope,
): Refusal | null {
  const { negotiationId, parties, entries } = transcript;
  const { envelope } = signed;
  const head = headOf(transcript);
  if (envelope.negotiationId !== negotiationId) return refuse('negotiation');
  if (entries[envelope.sequence - 1]?.hash === signed.hash) return refuse('duplicate');
  if (!isParty(parties, senderOf(signed))) return refuse('stranger');
  if (envelope.sequence === 1 && !isSameAddress(senderOf(signed), parties.opener)) return refuse('stranger');
  if (envelope.sequence <= head.sequence) return refuse('sequence');
  if (envelope.sequence > head.sequence + 1) return refuse('gap');
  if (envelope.previousHash.toLowerCase() !== head.hash) return refuse('chain');
  return findSubjectMistake(transcript, signed);
}

/** An envelope must be about the task and the parties of this negotiation. */
function findSubjectMistake(
  { parties, taskId }: Pick<Transcript, 'parties' | 'taskId'>,
  { envelope }: SignedEnvelope,
): Refusal | null {
  if (isOffer(envelope.type)) {
    const { poster, worker } = envelope.payload.terms as TermsDocument;
    const isBetween = isParty(parties, poster as Address) && isParty(parties, worker as Address);
    return isBetween ? null : refuse('stranger', 'Its terms are between other wallets than the parties.');
  }
  return taskId === undefined || envelope.taskId === taskId
    ? null
    : refuse('task', `It must name the task ${taskId}.`);
}

/** Whether the opener wrote it before seeing any of the entries at its place and after it. */
function takesPrecedence(
  { parties, entries }: Pick<Transcript, 'parties' | 'entries'>,
  signed: SignedEnvelope,
): boolean {
  if (!isSameAddress(senderOf(signed), parties.opener)) return false;
  const last = entries.findLast((entry) => isSameAddress(senderOf(entry), parties.opener));
  return (last?.envelope.sequence ?? 0) < signed.envelope.sequence;
}

/** `index` is that of the text; one past the last means that the end is missing. */
export type Finding = { readonly index: number; readonly refusal: Refusal };

export type VerifiedTranscript = {
  readonly entries: readonly SignedEnvelope[];
  readonly findings: readonly Finding[];
};

export type TranscriptExpectations = {
  readonly now: Date;
  readonly verify: VerifyDigest;
  /** Hash of the last envelope. Without it a missing end cannot be detected. */
  readonly head?: Hex;
  readonly parties?: Parties;
};

/** Without findings, these are the envelopes of the negotiation, in order and each signed by the party it names. */
export async function verifyTranscript(
  texts: readonly string[],
  { now, verify, head, parties }: TranscriptExpectations,
): Promise<VerifiedTranscript> {
  const arrivals = await Promise.all(texts.map((text) => checkArrival(text, now, verify)));
  const good = arrivals.flatMap((arrival) => ('signed' in arrival ? [arrival.signed] : []));
  const entries: SignedEnvelope[] = [];
  const findings: Finding[] = [];
  let expected: Parties | undefined = parties;
  let taskId: string | undefined;
  const findPlace = (signed: SignedEnvelope) => {
    const { negotiationId } = (good[0] as SignedEnvelope).envelope;
    expected ??= findParties(good);
    return findPlaceMistake({ negotiationId, parties: expected, entries, taskId }, signed);
  };
  for (const [index, arrival] of arrivals.entries()) {
    const refusal = 'refusal' in arrival ? arrival.refusal : findPlace(arrival.signed);
    if (refusal !== null) findings.push({ index, refusal });
    else if ('signed' in arrival) {
      entries.push(arrival.signed);
      taskId ??= arrival.signed.envelope.taskId;
    }
  }
  if (head !== undefined && headOf({ entries }).hash !== head.toLowerCase())
    findings.push({
      index: texts.length,
      refusal: refuse('gap', 'It does not end with the expected envelope.'),
    });
  return { entries, findings };
}
