// One agent and its negotiations: sends envelopes through an outbox, and checks and records what arrives.

import {
  type Address,
  isSameAddress,
  SvcError,
  type VerifyDigest,
  verifyPlainAccount,
} from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import {
  type EnvelopeTypedData,
  findParties,
  isParty,
  refuse,
  senderOf,
} from '@svc/sdk/internal/negotiation/envelope';
import {
  buildTranscripts,
  checkArrival,
  createWriter,
  formatWire,
  headOf,
  type SignedEnvelope,
  type Transcript,
} from '@svc/sdk/negotiation';
import type { Hex } from 'viem';
import { isOperatorError, OperatorError } from '../errors/operatorError.ts';
import type { Checked, NegotiationStore, OutboxItem } from './negotiationStore.ts';
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
  /** Or the root, where several conversations have this id. */
  readonly negotiationId: string;
  /** A function where it depends on the transcript; called again when something arrives in between. */
  readonly payload: Payload | ((transcript: Transcript) => Promise<Payload>);
  /** Default: the one that this wallet named last in the negotiation. */
  readonly taskId?: string | undefined;
};

export type Sent = {
  readonly signed: SignedEnvelope;
  readonly to: Address;
  /** Why it is still in the outbox; null where it was sent. */
  readonly kept: string | null;
};

export type Agent = ReturnType<typeof createAgent>;

export type SignEnvelope = (typedData: EnvelopeTypedData) => Promise<Hex>;

const tooBusy =
  'Other messages of this negotiation arrive all the time, or its newest one was removed from the gateway or cannot be ' +
  'verified. Read them with svc inbox, then try again; if it stays so, start a new negotiation.';

const gapRetryMs = 60_000;
/** Each text with a bad signature is one question to the chain. */
const recheckMs = 30_000;

export function createAgent({ address, store, transport, verify, now }: AgentOptions) {
  let lastGap = '';
  let gapReadAt = 0;
  let recheckedAt = Number.NEGATIVE_INFINITY;

  function load(negotiationId?: string) {
    const { transcripts, unrooted } = buildTranscripts(
      store.loadEntries(negotiationId),
      store.loadUnusable(),
    );
    return { transcripts: transcripts.filter(({ parties }) => isParty(parties, address)), unrooted };
  }

  /**
   * By root, or by negotiation id. Anybody may use a known id: then the conversation that this wallet opened counts, else the
   * one that it has written in. Throws NEGOTIATION_AMBIGUOUS where that leaves several. Undefined where there is none.
   */
  function findTranscript(key: string, other?: Address): Transcript | undefined {
    const isRoot = key.startsWith('0x');
    const negotiationId = isRoot ? store.findNegotiation(key.toLowerCase()) : key;
    if (negotiationId === undefined) return undefined;
    const found = load(negotiationId).transcripts.filter(
      ({ root, parties }) =>
        (!isRoot || root === key.toLowerCase()) && (other === undefined || isParty(parties, other)),
    );
    const opened = found.filter(({ parties }) => isSameAddress(parties.opener, address));
    const answered = found.filter(({ entries }) => entries.some(isOwn));
    const [chosen = []] = [opened, answered, found].filter(({ length }) => length > 0);
    if (chosen.length > 1) {
      const roots = chosen.map(({ root }) => root).join(', ');
      throw new OperatorError('NEGOTIATION_AMBIGUOUS', { negotiationId, roots });
    }
    return chosen[0];
  }

  const isOwn = (signed: SignedEnvelope) => isSameAddress(senderOf(signed), address);

  /** The first message of a negotiation needs a recipient. Where another process or device was faster, it is written again. */
  async function send(message: Message, sign: SignEnvelope, to?: Address): Promise<Sent> {
    const { type, negotiationId, payload } = message;
    const find = () => findTranscript(negotiationId, to);
    let isBehind = false;
    const writer = createWriter({
      address,
      readPublicKey,
      now,
      find: async () => {
        if (isBehind) await receive();
        isBehind = false;
        return find();
      },
      sign: ({ typedData }) => sign(typedData),
      send: async (signed, recipient) => {
        const isNext = () => headOf(find() ?? { entries: [] }).hash === signed.envelope.previousHash;
        const outgoing = { signed, text: formatWire(signed), to: recipient };
        const isKept = store.hasEntry(signed.hash) || store.saveOutgoing(transport.name, outgoing, isNext);
        if (!isKept) throw new SvcError('PLACE_TAKEN', {});
        const kept = (await flush()).get(addressKey(recipient)) ?? null;
        isBehind = !store.hasEntry(signed.hash);
        if (isBehind) throw new SvcError('PLACE_TAKEN', {});
        return { to: recipient, kept };
      },
    });
    const written = writer.write({
      type,
      place: to === undefined ? { root: negotiationId } : { to, negotiationId },
      taskId: message.taskId ?? find()?.entries.findLast(namesTask)?.envelope.taskId,
      payload: async (transcript) => {
        if (typeof payload !== 'function') return payload;
        if (transcript === undefined) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId });
        return payload(transcript);
      },
    });
    const { signed, sent } = await written.catch((error: unknown) => {
      if (!isErrorOf(error, 'PLACE_TAKEN')) throw error;
      throw new SvcError('NEGOTIATION_CLOSED', { reason: tooBusy }, error);
    });
    return { signed, ...sent };
  }

  const namesTask = (signed: SignedEnvelope) => isOwn(signed) && signed.envelope.taskId !== undefined;

  /** Sends what is in the outbox; returns the recipients that were not reached, with the reason. */
  async function flush(): Promise<ReadonlyMap<Address, string>> {
    const unreachable = new Map<Address, string>();
    for (const item of store.loadOutbox(transport.name)) {
      // Messages to one recipient stay in order.
      if (unreachable.has(item.to)) continue;
      try {
        await deliver(item);
        store.removeFromOutbox(item.position);
      } catch (error) {
        if (isErrorOf(error, 'PLACE_TAKEN')) store.withdraw(item, refuse('overtaken'), now());
        else if (isOperatorError(error, 'TRANSPORT_UNREACHABLE')) unreachable.set(item.to, error.message);
        else {
          // A relay that refuses it now refuses it always: it must not hold up what comes after it.
          if (isErrorOf(error, 'API_REFUSED')) store.withdraw(item, refuse('relay', error.message), now());
          throw error;
        }
      }
    }
    return unreachable;
  }

  /** A relay that lacks earlier messages of the conversation gets them first. Throws PLACE_TAKEN where it has others. */
  async function deliver({ to, text }: OutboxItem): Promise<void> {
    try {
      await transport.send(to, text);
    } catch (error) {
      // A relay may know another conversation with this id, so its word that a place is gone is tried as well.
      if (!isErrorOf(error, 'PLACE_GAP') && !isErrorOf(error, 'PLACE_GONE')) throw error;
      const { envelope, hash } = JSON.parse(text) as SignedEnvelope;
      const { transcripts } = load(envelope.negotiationId);
      const entries = transcripts.find((one) => one.entries.some((entry) => entry.hash === hash))?.entries;
      // Its predecessor was withdrawn: another message has that place.
      if (entries === undefined) throw new SvcError('PLACE_TAKEN', {}, error);
      for (const entry of entries.slice(0, envelope.sequence)) await transport.send(to, formatWire(entry));
    }
  }

  /**
   * Reads what arrived. Throws TRANSPORT_UNREACHABLE, or what `verify` throws when it cannot decide. Texts that a key alone
   * proves are recorded even then, and the others are checked the next time.
   */
  async function receive(): Promise<void> {
    const check = createCheck(verify, address);
    await checkUndecided(check);
    const read = await readFrom(store.loadCursor(transport.name), check);
    const failure = (await readGap(check)) ?? read;
    if (failure !== null) throw failure.error;
  }

  /**
   * A gap may be a message that the transport delivered late, before our cursor: everything is read once more. Not on every
   * call, since anybody can leave a gap that nothing will fill.
   */
  async function readGap(check: Check): Promise<Failure | null> {
    const { transcripts, unrooted } = load();
    const missing = [...transcripts.flatMap(({ waiting }) => waiting), ...unrooted];
    const gap = missing.map(({ hash }) => hash).join();
    if (gap === '' || (gap === lastGap && now().getTime() - gapReadAt < gapRetryMs)) return null;
    [lastGap, gapReadAt] = [gap, now().getTime()];
    return readFrom(null, check);
  }

  /** Where a text could not be checked, the cursor stays, and everything is read again the next time. */
  async function readFrom(cursor: string | null, check: Check): Promise<Failure | null> {
    const { texts, cursor: next } = await transport.receive(cursor);
    if (texts.length === 0 && next === cursor) return null;
    const { checked, failure } = await check(texts, now());
    const reached = failure === null ? next : store.loadCursor(transport.name);
    store.saveArrivals(transport.name, checked, reached, now());
    return failure;
  }

  /** Checks again what was refused for a reason that may have passed, such as a local clock that was behind. */
  async function checkUndecided(check: Check): Promise<void> {
    const time = now();
    if (Math.abs(time.getTime() - recheckedAt) < recheckMs) return;
    recheckedAt = time.getTime();
    // While the chain is unreachable, these texts stay as they are, and new ones are still read.
    const { checked } = await check(store.loadUndecided(), time);
    store.saveCheckedAgain(checked, time);
  }

  /** The value of `sender.xmtpPublicKey`; the last known one while the transport is unreachable, else empty. */
  async function readPublicKey(): Promise<string> {
    const known = store.loadPublicKey(transport.name);
    try {
      const publicKey = await transport.readPublicKey();
      if (publicKey !== known) store.savePublicKey(transport.name, publicKey);
      return publicKey;
    } catch (error) {
      if (!isOperatorError(error, 'TRANSPORT_UNREACHABLE')) throw error;
      return known ?? '';
    }
  }

  return {
    readPublicKey,
    findTranscript,
    listTranscripts: (): readonly Transcript[] => load().transcripts,
    /** Envelopes of conversations whose first envelope has not arrived. */
    listUnrooted: (): readonly SignedEnvelope[] => load().unrooted,
    send,
    flush,
    receive,
  };
}

/** What `verify` threw: it could not decide. */
type Failure = { readonly error: unknown };
type Check = ReturnType<typeof createCheck>;

/**
 * Checks texts that arrived. A chain that failed once is not asked again for each of them: anybody can send texts that only a
 * chain can check, and those must not hide what a key alone proves. A text on which the check itself fails is refused for the
 * same reason.
 */
function createCheck(verify: VerifyDigest, self: Address) {
  let chainFailure = null as Failure | null;
  const verifyOnce: VerifyDigest = async (...question) => {
    if (chainFailure === null)
      return verify(...question).catch((error: unknown) => {
        chainFailure = { error };
        throw error;
      });
    if (await verifyPlainAccount(...question)) return true;
    throw chainFailure.error;
  };
  /** `failure` is not null where a text could not be checked. */
  return async (texts: readonly string[], now: Date) => {
    const checked: Checked[] = [];
    let failure: Failure | null = null;
    for (const text of texts) {
      try {
        const arrival = await checkArrival(text, now, verifyOnce);
        const isForOther = 'signed' in arrival && !isFor(self, arrival.signed);
        checked.push({ text, ...(isForOther ? { refusal: refuse('addressee') } : arrival) });
      } catch (error) {
        if (error === chainFailure?.error) failure = chainFailure;
        else checked.push({ text, refusal: refuse('form') });
      }
    }
    return { checked, failure };
  };
}

/** The first envelope names both parties; those after it are sorted into its conversation. */
function isFor(self: Address, { envelope }: SignedEnvelope): boolean {
  const parties = envelope.sequence === 1 ? findParties(envelope) : null;
  return parties === null || isParty(parties, self);
}
