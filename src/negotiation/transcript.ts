// The transcript of one negotiation: envelopes of both parties in one chain, and what was kept out of it.
import { type Address, isSameAddress } from '#domain/address.ts';
import type { TermsDocument } from '#schemas/terms.ts';
import { type Head, noHead, type SignedEnvelope, senderOf } from './envelope.ts';
import { isOffer, isParty, type Parties } from './parties.ts';
import { type Refusal, refuse } from './refusal.ts';

export type Transcript = {
  readonly negotiationId: string;
  readonly parties: Parties;
  readonly entries: readonly SignedEnvelope[];
  /** Good by themselves, but envelopes before them have not come yet. */
  readonly waiting: readonly SignedEnvelope[];
  readonly refused: readonly { readonly signed: SignedEnvelope; readonly refusal: Refusal }[];
};

/** From what one party sent and received, each envelope checked by itself before, in the order of arrival. */
export function buildTranscript(
  negotiationId: string,
  parties: Parties,
  arrivals: readonly SignedEnvelope[],
): Transcript {
  const empty: Transcript = { negotiationId, parties, entries: [], waiting: [], refused: [] };
  return arrivals.reduce(extendTranscript, empty);
}

/**
 * Puts an envelope into its place. When both parties write at the same time, the opener's envelope goes first: it
 * takes the place of envelopes that its writer had not built upon. Nothing else ever leaves a transcript.
 */
export function extendTranscript(transcript: Transcript, signed: SignedEnvelope): Transcript {
  const { entries, waiting, refused } = transcript;
  const { sequence } = signed.envelope;
  const mistake = findPlaceMistake(transcript, signed);
  if (mistake?.reason === 'duplicate') return transcript;
  if (mistake?.reason === 'gap') {
    const isKnown = waiting.some(({ hash }) => hash === signed.hash);
    return isKnown ? transcript : { ...transcript, waiting: [...waiting, signed] };
  }
  if (mistake?.reason === 'sequence' && isFirst(transcript, signed)) {
    const late = entries.slice(sequence - 1);
    const overtaken = late.map((entry) => ({ signed: entry, refusal: refuse('overtaken') }));
    const shorter = { ...transcript, entries: entries.slice(0, sequence - 1) };
    const longer = extendTranscript(shorter, signed);
    const hasGrown = longer.entries.length > shorter.entries.length;
    return hasGrown
      ? { ...longer, refused: [...overtaken, ...longer.refused] }
      : reject(transcript, signed, mistake);
  }
  if (mistake !== null) return reject(transcript, signed, mistake);
  // One that waited for this one has its turn now.
  const following = waiting.filter(({ envelope }) => envelope.sequence === sequence + 1);
  const rest = waiting.filter(({ envelope }) => envelope.sequence !== sequence + 1);
  return following.reduce(extendTranscript, {
    ...transcript,
    refused,
    entries: [...entries, signed],
    waiting: rest,
  });
}

export function headOf({ entries }: Pick<Transcript, 'entries'>): Head {
  const last = entries.at(-1);
  return last === undefined ? noHead : { sequence: last.envelope.sequence, hash: last.hash };
}

/** The task that the negotiation has led to: the first that an envelope names. */
export function taskOf({ entries }: Pick<Transcript, 'entries'>): string | undefined {
  return entries.find(({ envelope }) => envelope.taskId !== undefined)?.envelope.taskId;
}

/** Null where the envelope is the next one. */
export function findPlaceMistake(
  transcript: Pick<Transcript, 'negotiationId' | 'parties' | 'entries'>,
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
  { parties, entries }: Pick<Transcript, 'parties' | 'entries'>,
  { envelope }: SignedEnvelope,
): Refusal | null {
  if (isOffer(envelope.type)) {
    const { poster, worker } = envelope.payload.terms as TermsDocument;
    const isBetween = isParty(parties, poster as Address) && isParty(parties, worker as Address);
    return isBetween ? null : refuse('stranger', 'Its terms are between other wallets than the parties.');
  }
  const task = taskOf({ entries });
  return task === undefined || envelope.taskId === task
    ? null
    : refuse('task', `It must name the task ${task}.`);
}

/** The opener's, written before it had seen any of the envelopes that stand there now. */
function isFirst({ parties, entries }: Transcript, signed: SignedEnvelope): boolean {
  const late = entries.slice(signed.envelope.sequence - 1);
  return (
    isSameAddress(senderOf(signed), parties.opener) &&
    late.every((entry) => !isSameAddress(senderOf(entry), parties.opener))
  );
}

function reject(transcript: Transcript, signed: SignedEnvelope, refusal: Refusal): Transcript {
  return { ...transcript, refused: [...transcript.refused, { signed, refusal }] };
}
