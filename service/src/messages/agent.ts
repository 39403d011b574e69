// One agent at its mailbox: sends envelopes through an outbox, takes in what arrives, knows its negotiations.

import type { VerifyDigest } from '@svc/sdk/domain';
import { type Address, addressKey, isSameAddress, SvcError } from '@svc/sdk/domain';
import {
  buildEnvelope,
  buildTranscript,
  type EnvelopeTypedData,
  findParties,
  findPlaceMistake,
  formatWire,
  headOf,
  type SignedEnvelope,
  signEnvelope,
  type Transcript,
} from '@svc/sdk/negotiation';
import type { Hex } from 'viem';
import type { Book, BookEntry } from './book.ts';
import { createJudge, type Judge, type Trouble } from './judge.ts';
import type { Transport } from './transport.ts';

export type AgentOptions = {
  readonly address: Address;
  readonly book: Book;
  readonly transport: Transport;
  readonly verify: VerifyDigest;
  readonly now: () => Date;
};

type Payload = Record<string, unknown>;

export type Message = {
  readonly type: string;
  readonly negotiationId: string;
  /** Made from the transcript where it depends on it: it is made anew when something arrives meanwhile. */
  readonly payload: Payload | ((transcript: Transcript) => Promise<Payload>);
  /** Where it differs from the task that the negotiation has led to, if any. */
  readonly taskId?: string | undefined;
};

export type Sent = {
  readonly signed: SignedEnvelope;
  readonly to: Address;
  /** Why it lies in the outbox, or null where it is on its way. */
  readonly kept: string | null;
};

export type Agent = {
  /** What stands in `sender.xmtpPublicKey`; the last that is known while the transport is away, else empty. */
  readonly readPublicKey: () => Promise<string>;
  /** Undefined where nothing of it was sent or received. */
  readonly findTranscript: (negotiationId: string) => Transcript | undefined;
  readonly listTranscripts: () => Transcript[];
  /** The first message of a negotiation needs somebody to send it to. */
  readonly send: (message: Message, sign: SignEnvelope, to?: Address) => Promise<Sent>;
  /** Sends what is in the outbox; answers to whom something stays there, and why. */
  readonly flush: () => Promise<ReadonlyMap<Address, string>>;
  /**
   * Takes in what arrived. Throws TRANSPORT_UNREACHABLE, and what `verify` throws where it could not tell: whatever needs no
   * more than a key to be judged has been taken in then, and the rest is judged the next time.
   */
  readonly receive: () => Promise<void>;
};

export type SignEnvelope = (typedData: EnvelopeTypedData) => Promise<Hex>;

const seekAgainMs = 60_000;
/** Of what strangers have signed badly, each is a question to a chain. */
const judgeAgainMs = 30_000;

export function createAgent({ address, book, transport, verify, now }: AgentOptions): Agent {
  let soughtGap = '';
  let soughtAt = 0;
  let judgedAt = Number.NEGATIVE_INFINITY;

  function findTranscript(negotiationId: string): Transcript | undefined {
    return toTranscript(book.loadEntries(negotiationId));
  }

  function toTranscript(entries: readonly BookEntry[]): Transcript | undefined {
    const first = entries.find(({ signed }) => signed.envelope.sequence === 1) ?? entries[0];
    if (first === undefined) return undefined;
    const arrivals = entries.map(({ signed }) => signed);
    const parties = findParties(arrivals, [first.to ?? address]);
    return buildTranscript(first.signed.envelope.negotiationId, parties, arrivals);
  }

  /** Built anew when another process of this agent was faster: an envelope stands on the one before it. */
  async function send(message: Message, sign: SignEnvelope, to?: Address): Promise<Sent> {
    const sender = { evmAddress: address, xmtpPublicKey: await readPublicKey() };
    for (;;) {
      const transcript = findTranscript(message.negotiationId) ?? open(message.negotiationId, to);
      const { parties } = transcript;
      const recipient = isSameAddress(parties.opener, address) ? parties.other : parties.opener;
      const head = headOf(transcript);
      const payload =
        typeof message.payload === 'function' ? await message.payload(transcript) : message.payload;
      const draft = { ...message, payload, taskId: message.taskId ?? transcript.taskId, sender };
      const signed = await signEnvelope(buildEnvelope(draft, head, now()), sign);
      const mistake = findPlaceMistake(transcript, signed);
      if (mistake !== null) throw new SvcError('ENVELOPE_INVALID', { reason: mistake.detail });
      const isNext = () =>
        headOf(findTranscript(message.negotiationId) ?? { entries: [] }).hash === head.hash;
      const outgoing = { signed, text: formatWire(signed), to: recipient };
      if (book.saveOutgoing(transport.name, outgoing, isNext)) {
        const kept = (await flush()).get(addressKey(recipient)) ?? null;
        return { signed, to: recipient, kept };
      }
    }
  }

  function open(negotiationId: string, to: Address | undefined): Transcript {
    if (to === undefined) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId });
    return buildTranscript(negotiationId, { opener: address, other: to }, []);
  }

  async function flush(): Promise<ReadonlyMap<Address, string>> {
    const unreachable = new Map<Address, string>();
    for (const { position, to, text } of book.loadOutbox(transport.name)) {
      // Later messages to somebody must not overtake an earlier one.
      if (unreachable.has(to)) continue;
      try {
        await transport.send(to, text);
        book.removeFromOutbox(position);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        unreachable.set(to, error.message);
      }
    }
    return unreachable;
  }

  async function receive(): Promise<void> {
    const judge = createJudge(verify);
    await judgeAgain(judge);
    const taken = await take(book.loadCursor(transport.name), judge);
    const trouble = (await seekGap(judge)) ?? taken;
    if (trouble !== null) throw trouble.trouble;
  }

  /**
   * A gap may be a message that the transport brought out of turn, before our cursor: everything is read once more. Not
   * every time, since anybody can leave a gap that nothing will ever fill.
   */
  async function seekGap(judge: Judge): Promise<Trouble | null> {
    const gap = listTranscripts()
      .flatMap(({ waiting }) => waiting.map(({ hash }) => hash))
      .join();
    if (gap === '' || (gap === soughtGap && now().getTime() - soughtAt < seekAgainMs)) return null;
    [soughtGap, soughtAt] = [gap, now().getTime()];
    return take(null, judge);
  }

  /** Where something could not be judged, the cursor stays: it is read again, and what is known by then changes nothing. */
  async function take(cursor: string | null, judge: Judge): Promise<Trouble | null> {
    const { texts, cursor: next } = await transport.receive(cursor);
    if (texts.length === 0 && next === cursor) return null;
    const judged = [];
    let trouble: Trouble | null = null;
    for (const text of texts) {
      const verdict = await judge(text, now());
      if ('trouble' in verdict) trouble = verdict;
      else judged.push({ text, ...verdict });
    }
    const reached = trouble === null ? next : book.loadCursor(transport.name);
    book.saveArrivals(transport.name, judged, reached, now());
    return trouble;
  }

  /** What was refused for a reason that may have passed since, such as a clock of ours that was behind. */
  async function judgeAgain(judge: Judge): Promise<void> {
    const time = now();
    if (Math.abs(time.getTime() - judgedAt) < judgeAgainMs) return;
    judgedAt = time.getTime();
    const judged = [];
    for (const text of book.loadUndecided()) {
      // The chain is away: that keeps nobody from reading what has arrived since, and such ones stay as they are.
      const verdict = await judge(text, time);
      if (!('trouble' in verdict)) judged.push({ text, ...verdict });
    }
    book.saveJudgedAgain(judged, time);
  }

  function listTranscripts(): Transcript[] {
    const byNegotiation = Map.groupBy(book.loadEntries(), ({ signed }) => signed.envelope.negotiationId);
    return [...byNegotiation.values()].flatMap((entries) => toTranscript(entries) ?? []);
  }

  async function readPublicKey(): Promise<string> {
    const known = book.loadPublicKey(transport.name);
    try {
      const publicKey = await transport.readPublicKey();
      if (publicKey !== known) book.savePublicKey(transport.name, publicKey);
      return publicKey;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      return known ?? '';
    }
  }

  return { readPublicKey, findTranscript, listTranscripts, send, flush, receive };
}

function isUnreachable(error: unknown): error is SvcError {
  return error instanceof SvcError && error.code === 'TRANSPORT_UNREACHABLE';
}
