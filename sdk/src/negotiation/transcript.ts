// The transcript of one negotiation: envelopes of both parties in one chain, and what was kept out of it.
import type { Hex } from 'viem';
import { type Address, isSameAddress } from '#domain/address.ts';
import type { TermsDocument } from '#schemas/terms.ts';
import { type Head, noHead, type SignedEnvelope, senderOf } from './envelope.ts';
import { isOffer, isParty, type Parties } from './parties.ts';
import { type Refusal, refuse } from './refusal.ts';

export type Transcript = {
  readonly negotiationId: string;
  readonly parties: Parties;
  readonly entries: readonly SignedEnvelope[];
  /** The task that the negotiation has led to: the first that an entry names. */
  readonly taskId: string | undefined;
  /** Good by themselves, but envelopes before them have not come yet. */
  readonly waiting: readonly SignedEnvelope[];
  readonly refused: readonly { readonly signed: SignedEnvelope; readonly refusal: Refusal }[];
};

type Growing = {
  readonly negotiationId: string;
  readonly parties: Parties;
  readonly entries: SignedEnvelope[];
  /** By sequence, then by hash: anybody may send thousands of them. */
  readonly waiting: Map<number, Map<Hex, SignedEnvelope>>;
  readonly refused: { readonly signed: SignedEnvelope; readonly refusal: Refusal }[];
  taskId: string | undefined;
  /** The entry that named it. */
  taskSequence: number;
};

/** From what one party sent and received, each envelope checked by itself before, in the order of arrival. */
export function buildTranscript(
  negotiationId: string,
  parties: Parties,
  arrivals: readonly SignedEnvelope[],
): Transcript {
  const growing: Growing = {
    negotiationId,
    parties,
    entries: [],
    waiting: new Map(),
    refused: [],
    taskId: undefined,
    taskSequence: 0,
  };
  for (const signed of arrivals) extend(growing, signed);
  const { entries, taskId, waiting, refused } = growing;
  return {
    negotiationId,
    parties,
    entries,
    taskId,
    waiting: [...waiting.values()].flatMap((same) => [...same.values()]).sort(bySequence),
    refused,
  };
}

/** Puts an envelope into its place, and then those that have waited for it. */
function extend(growing: Growing, arrival: SignedEnvelope): void {
  const turn = [arrival];
  for (let signed = turn.pop(); signed !== undefined; signed = turn.pop()) {
    if (!place(growing, signed)) continue;
    const next = signed.envelope.sequence + 1;
    const following = [...(growing.waiting.get(next)?.values() ?? [])];
    growing.waiting.delete(next);
    // The one that came first has its turn first.
    for (const waited of following.reverse()) turn.push(waited);
  }
}

/**
 * Answers whether it is an entry now. When both parties write at the same time, the opener's envelope goes first: it
 * takes the place of envelopes that its writer had not built upon. Nothing else ever leaves a transcript.
 */
function place(growing: Growing, signed: SignedEnvelope): boolean {
  const { waiting, refused } = growing;
  const { sequence } = signed.envelope;
  const mistake = findPlaceMistake(growing, signed);
  if (mistake?.reason === 'duplicate') return false;
  if (mistake?.reason === 'gap') {
    const same = waiting.get(sequence) ?? new Map<Hex, SignedEnvelope>();
    waiting.set(sequence, same.set(signed.hash, signed));
    return false;
  }
  if (mistake?.reason === 'sequence' && isFirst(growing, signed)) {
    const late = cut(growing, sequence);
    if (findPlaceMistake(growing, signed) === null) {
      for (const entry of late) refused.push({ signed: entry, refusal: refuse('overtaken') });
      return append(growing, signed);
    }
    for (const entry of late) append(growing, entry);
  }
  if (mistake === null) return append(growing, signed);
  refused.push({ signed, refusal: mistake });
  return false;
}

function append(growing: Growing, signed: SignedEnvelope): true {
  const { sequence, taskId } = signed.envelope;
  growing.entries.push(signed);
  if (growing.taskId === undefined && taskId !== undefined)
    [growing.taskId, growing.taskSequence] = [taskId, sequence];
  return true;
}

/** Takes the entries from there on out. */
function cut(growing: Growing, sequence: number): SignedEnvelope[] {
  if (growing.taskSequence >= sequence) growing.taskId = undefined;
  return growing.entries.splice(sequence - 1);
}

function bySequence(one: SignedEnvelope, other: SignedEnvelope): number {
  return one.envelope.sequence - other.envelope.sequence;
}

export function headOf({ entries }: Pick<Transcript, 'entries'>): Head {
  const last = entries.at(-1);
  return last === undefined ? noHead : { sequence: last.envelope.sequence, hash: last.hash };
}

/** Null where the envelope is the next one. */
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

/** An envelope must be about this negotiation: about the task it led to, between its parties. */
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

/** The opener's, written before it had seen any of the envelopes that stand there now. */
function isFirst(
  { parties, entries }: Pick<Transcript, 'parties' | 'entries'>,
  signed: SignedEnvelope,
): boolean {
  if (!isSameAddress(senderOf(signed), parties.opener)) return false;
  const last = entries.findLast((entry) => isSameAddress(senderOf(entry), parties.opener));
  return (last?.envelope.sequence ?? 0) < signed.envelope.sequence;
}
