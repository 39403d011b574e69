// One agent and its negotiations: sends envelopes through an outbox, and checks and records what arrives.

import {
  type Address,
  addressKey,
  isSameAddress,
  SvcError,
  type VerifyDigest,
  verifyPlainAccount,
} from '@svc/sdk/domain';
import {
  type Arrival,
  buildEnvelope,
  buildTranscript,
  checkArrival,
  type EnvelopeTypedData,
  findParties,
  findPlaceMistake,
  formatWire,
  headOf,
  refuse,
  type SignedEnvelope,
  signEnvelope,
  type Transcript,
} from '@svc/sdk/negotiation';
import type { Hex } from 'viem';
import type { Checked, NegotiationStore, StoredEnvelope } from './negotiationStore.ts';
import type { Transport } from './transport.ts';

export type AgentOptions = {
  readonly address: Address;
  readonly store: NegotiationStore;
  readonly transport: Transport;
  readonly verify: VerifyDigest;
  readonly now: () => Date;
};

type Payload = Record<string, unknown>;

export type Message = {
  readonly type: string;
  readonly negotiationId: string;
  /** A function where it depends on the transcript; called again when something arrives in between. */
  readonly payload: Payload | ((transcript: Transcript) => Promise<Payload>);
  /** Where it differs from the task of the negotiation. */
  readonly taskId?: string | undefined;
};

export type Sent = {
  readonly signed: SignedEnvelope;
  readonly to: Address;
  /** Why it is still in the outbox; null where it was sent. */
  readonly kept: string | null;
};

export type Agent = {
  /** The value of `sender.xmtpPublicKey`; the last known one while the transport is unreachable, else empty. */
  readonly readPublicKey: () => Promise<string>;
  /** Undefined where nothing of it was sent or received. */
  readonly findTranscript: (negotiationId: string) => Transcript | undefined;
  readonly listTranscripts: () => Transcript[];
  /** The first message of a negotiation needs a recipient. */
  readonly send: (message: Message, sign: SignEnvelope, to?: Address) => Promise<Sent>;
  /** Sends what is in the outbox; returns the recipients that were not reached, with the reason. */
  readonly flush: () => Promise<ReadonlyMap<Address, string>>;
  /**
   * Reads what arrived. Throws TRANSPORT_UNREACHABLE, or what `verify` throws when it cannot decide. Texts that a key alone
   * proves are recorded even then, and the others are checked the next time.
   */
  readonly receive: () => Promise<void>;
};

export type SignEnvelope = (typedData: EnvelopeTypedData) => Promise<Hex>;

const gapRetryMs = 60_000;
/** Each text with a bad signature is one question to the chain. */
const recheckMs = 30_000;

export function createAgent({ address, store, transport, verify, now }: AgentOptions): Agent {
  let lastGap = '';
  let gapReadAt = 0;
  let recheckedAt = Number.NEGATIVE_INFINITY;

  function findTranscript(negotiationId: string): Transcript | undefined {
    return toTranscript(store.loadEntries(negotiationId));
  }

  function toTranscript(entries: readonly StoredEnvelope[]): Transcript | undefined {
    const first = entries.find(({ signed }) => signed.envelope.sequence === 1) ?? entries[0];
    if (first === undefined) return undefined;
    const arrivals = entries.map(({ signed }) => signed);
    const parties = findParties(arrivals, [first.to ?? address]);
    return buildTranscript(first.signed.envelope.negotiationId, parties, arrivals);
  }

  /** An envelope contains the hash of the one before it, so it is built again when another process was faster. */
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
      if (store.saveOutgoing(transport.name, outgoing, isNext)) {
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
    for (const { position, to, text } of store.loadOutbox(transport.name)) {
      // Messages to one recipient stay in order.
      if (unreachable.has(to)) continue;
      try {
        await transport.send(to, text);
        store.removeFromOutbox(position);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        unreachable.set(to, error.message);
      }
    }
    return unreachable;
  }

  async function receive(): Promise<void> {
    const check = createCheck(verify);
    await checkUndecided(check);
    const read = await readFrom(store.loadCursor(transport.name), check);
    const failure = (await readGap(check)) ?? read;
    if (failure !== null) throw failure.failure;
  }

  /**
   * A gap may be a message that the transport delivered late, before our cursor: everything is read once more. Not on every
   * call, since anybody can leave a gap that nothing will fill.
   */
  async function readGap(check: Check): Promise<Failure | null> {
    const gap = listTranscripts()
      .flatMap(({ waiting }) => waiting.map(({ hash }) => hash))
      .join();
    if (gap === '' || (gap === lastGap && now().getTime() - gapReadAt < gapRetryMs)) return null;
    [lastGap, gapReadAt] = [gap, now().getTime()];
    return readFrom(null, check);
  }

  /** Where a text could not be checked, the cursor stays, and everything is read again the next time. */
  async function readFrom(cursor: string | null, check: Check): Promise<Failure | null> {
    const { texts, cursor: next } = await transport.receive(cursor);
    if (texts.length === 0 && next === cursor) return null;
    const { checked, failure } = await checkAll(texts, check, now());
    store.saveArrivals(
      transport.name,
      checked,
      failure === null ? next : store.loadCursor(transport.name),
      now(),
    );
    return failure;
  }

  /** Checks again what was refused for a reason that may have passed, such as a local clock that was behind. */
  async function checkUndecided(check: Check): Promise<void> {
    const time = now();
    if (Math.abs(time.getTime() - recheckedAt) < recheckMs) return;
    recheckedAt = time.getTime();
    // While the chain is unreachable, these texts stay as they are, and new ones are still read.
    const { checked } = await checkAll(store.loadUndecided(), check, time);
    store.saveCheckedAgain(checked, time);
  }

  function listTranscripts(): Transcript[] {
    const byNegotiation = Map.groupBy(store.loadEntries(), ({ signed }) => signed.envelope.negotiationId);
    return [...byNegotiation.values()].flatMap((entries) => toTranscript(entries) ?? []);
  }

  async function readPublicKey(): Promise<string> {
    const known = store.loadPublicKey(transport.name);
    try {
      const publicKey = await transport.readPublicKey();
      if (publicKey !== known) store.savePublicKey(transport.name, publicKey);
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

/** What `verify` threw: it could not decide. */
type Failure = { readonly failure: unknown };
type Check = (text: string, now: Date) => Promise<Arrival | Failure>;

/**
 * Checks the texts of one reading. A chain that failed once is not asked again for each of them: anybody can send texts
 * that only a chain can check, and those must not hide what a key alone proves. A text on which the check itself fails is
 * refused for the same reason.
 */
function createCheck(verify: VerifyDigest): Check {
  let chainFailure: Failure | null = null;
  const verifyOnce: VerifyDigest = async (...question) => {
    if (chainFailure !== null && (await verifyPlainAccount(...question))) return true;
    if (chainFailure !== null) throw chainFailure.failure;
    return verify(...question).catch((failure: unknown) => {
      chainFailure = { failure };
      throw failure;
    });
  };
  return async (text, now) => {
    try {
      return await checkArrival(text, now, verifyOnce);
    } catch (error) {
      const isChain = error === (chainFailure as Failure | null)?.failure;
      return isChain ? { failure: error } : { refusal: refuse('form') };
    }
  };
}

async function checkAll(texts: readonly string[], check: Check, now: Date) {
  const checked: Checked[] = [];
  let failure: Failure | null = null;
  for (const text of texts) {
    const result = await check(text, now);
    if ('failure' in result) failure = result;
    else checked.push({ text, ...result });
  }
  return { checked, failure };
}
