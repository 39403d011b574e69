// What a reader has of a mailbox: each message is checked once, and again while a reason against it may pass.
import type { Hex } from 'viem';
import type { Address } from '../domain/address.ts';
import type { VerifyDigest } from '../domain/verifyDigest.ts';
import type { Mail } from '../schemas/messages.ts';
import { isParty, type Refusal, type SignedEnvelope } from './envelope.ts';
import { buildTranscripts, headOf, type Transcript } from './transcript.ts';
import { checkArrival } from './verifyEnvelope.ts';

/** A message as a gateway gives it. */
type HeldMail = Omit<Mail, 'block'>;

export type ReadMail = ReturnType<ReturnType<typeof createMailReader>['read']>;

/** Each of them may be a question to the chain. */
const maxChecked = 32;
const recheckMs = 30_000;

/**
 * Messages may be added in any order, and with gaps: a relay has one message for each place, so what stands after a gap keeps its
 * place. Nothing follows a message that is hidden. `verify` must not throw: what it cannot decide now is checked again later. */
export function createMailReader(own: Address, verify: VerifyDigest) {
  const known = new Map<string, { readonly mail: HeldMail; readonly signed: SignedEnvelope }>();
  const unusable = new Map<Hex, Refusal>();
  const hidden = new Map<string, HeldMail>();
  /** Those that may count later; the one whose last check was the longest ago comes first. */
  const undecided = new Map<string, HeldMail>();
  const places = new Map<string, Set<number>>();
  let checkedAt = 0;

  async function check(mail: HeldMail, now: Date): Promise<void> {
    const arrival = mail.wire === null ? null : await checkArrival(mail.wire, now, verify);
    undecided.delete(mail.hash);
    const isUsable = arrival !== null && 'signed' in arrival && arrival.unusable === undefined;
    if (!isUsable && mail.wire !== null) undecided.set(mail.hash, mail);
    if (arrival === null || !('signed' in arrival)) {
      hidden.set(mail.hash, mail);
      return;
    }
    const { signed } = arrival;
    hidden.delete(mail.hash);
    known.set(mail.hash, { mail, signed });
    if (arrival.unusable === undefined) unusable.delete(signed.hash);
    else unusable.set(signed.hash, arrival.unusable);
  }

  /** A clock that was behind, a chain that was away, a wallet that was not deployed. */
  async function checkAgain(now: Date): Promise<void> {
    if (Math.abs(now.getTime() - checkedAt) < recheckMs) return;
    checkedAt = now.getTime();
    for (const mail of [...undecided.values()].slice(0, maxChecked)) await check(mail, now);
  }

  return {
    /** Messages that are known already change nothing. */
    add: async (mails: readonly HeldMail[], now: Date): Promise<void> => {
      await checkAgain(now);
      for (const mail of mails) {
        if (known.has(mail.hash) || hidden.has(mail.hash)) continue;
        places.set(mail.root, (places.get(mail.root) ?? new Set()).add(mail.sequence));
        await check(mail, now);
      }
    },

    /** The places of a conversation whose messages were added. */
    places: (root: string): ReadonlySet<number> => places.get(root) ?? new Set(),

    read: () => {
      const all = [...known.values()];
      const { transcripts } = buildTranscripts(
        all.map(({ signed }) => signed),
        unusable,
      );
      const ends = new Map<string, number>();
      const starts = new Map<string, number>();
      for (const { root, sequence } of hidden.values()) {
        ends.set(root, Math.max(sequence, ends.get(root) ?? 0));
        starts.set(root, Math.min(sequence, starts.get(root) ?? sequence));
      }
      const bridge = (transcript: Transcript): Transcript => {
        const entries = [...transcript.entries];
        const end = starts.get(transcript.root) ?? Number.POSITIVE_INFINITY;
        for (const signed of transcript.waiting) {
          const { sequence, previousHash } = signed.envelope;
          const head = headOf({ entries });
          const isNext = sequence > head.sequence + 1 || previousHash.toLowerCase() === head.hash;
          const isHere = known.get(signed.hash)?.mail.root === transcript.root;
          if (isHere && isNext && sequence > head.sequence && sequence < end) entries.push(signed);
        }
        const placed = new Set(entries);
        return { ...transcript, entries, waiting: transcript.waiting.filter((one) => !placed.has(one)) };
      };
      return {
        transcripts: transcripts.filter(({ parties }) => isParty(parties, own)).map(bridge),
        /** The place of each message in the mailbox, by its hash; newer messages have higher ones. */
        positions: new Map(all.map(({ mail }) => [mail.hash, mail.position])),
        /** When the gateway received each message, by its hash. */
        receivedAt: new Map(all.map(({ mail }) => [mail.hash, mail.receivedAt])),
        /** Messages that were removed, or that are not proved to be of their sender. */
        hidden: hidden.size,
        /** Whether the newest message of the conversation is hidden, so that nothing can be written after it. */
        isStuck: (transcript: Transcript): boolean =>
          (ends.get(transcript.root) ?? 0) > headOf(transcript).sequence,
      };
    },
  };
}

/** The newest ones, up to the first that was not read. */
export function takeUnbroken(entries: readonly SignedEnvelope[]): readonly SignedEnvelope[] {
  const gap = entries.findLastIndex(
    ({ envelope }, at) => at > 0 && envelope.sequence !== (entries[at - 1]?.envelope.sequence ?? 0) + 1,
  );
  return gap === -1 ? entries : entries.slice(gap);
}
