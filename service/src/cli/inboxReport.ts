// What `svc inbox` shows: as a document for programs and as text for people.
import { type Address, formatTok, isSameAddress, toShown } from '@svc/sdk/domain';
import type { Refusal, SignedEnvelope, Transcript } from '@svc/sdk/negotiation';
import {
  listNext,
  type Negotiation,
  type NegotiationStatus,
  type NextMessage,
  type Offer,
  readNegotiation,
  statusOf,
} from '@svc/sdk/negotiation';
import type { RefusedText } from '#messages/book.ts';
import type { TransportName } from '#messages/transport.ts';

export type NegotiationReport = Negotiation & {
  readonly status: NegotiationStatus;
  readonly next: readonly NextMessage[];
  /** Each as it travelled: what verifyTranscript takes once it is written as canonical JSON. */
  readonly transcript: readonly SignedEnvelope[];
  /** Sequences that arrived before something they stand on. */
  readonly waiting: readonly number[];
  readonly refused: readonly (Refusal & { readonly signed: SignedEnvelope })[];
};

export type InboxReport = {
  readonly address: Address;
  readonly transport: TransportName;
  readonly negotiations: readonly NegotiationReport[];
  /** What belongs to no negotiation, since it is no good envelope by itself. */
  readonly refused: readonly RefusedText[];
  readonly outbox: number;
  /** Why something could not be sent, taken in or judged. */
  readonly trouble: string | null;
};

export function buildNegotiationReport(transcript: Transcript, now: Date): NegotiationReport {
  const state = readNegotiation(transcript);
  return {
    ...state,
    status: statusOf(state, now),
    next: listNext(state, now),
    transcript: transcript.entries,
    waiting: transcript.waiting.map(({ envelope }) => envelope.sequence),
    refused: transcript.refused.map(({ signed, refusal }) => ({ ...refusal, signed })),
  };
}

export function describeInbox({ address, transport, negotiations, refused, outbox }: InboxReport): string {
  const count = `${negotiations.length} ${negotiations.length === 1 ? 'negotiation' : 'negotiations'}`;
  const lines = [`${address}, ${transport}: ${count}, ${outbox === 0 ? 'nothing' : outbox} in the outbox`];
  for (const negotiation of negotiations) lines.push('', ...describeNegotiation(negotiation, address));
  if (refused.length > 0) {
    lines.push('', 'Refused, and in no transcript');
    for (const { at, reason, detail, isUndecided } of refused)
      lines.push(
        `  ${formatTime(at)}  ${reason}: ${detail}${isUndecided ? ' It is judged again for a week.' : ''}`,
      );
  }
  return lines.join('\n');
}

export function describeEntry({ envelope }: SignedEnvelope, self: Address): string {
  const { sequence, type, timestamp, sender, payload } = envelope;
  const by = isSameAddress(sender.evmAddress as Address, self) ? 'you' : sender.evmAddress;
  const words = [payload.rationale, payload.reason, payload.statement, payload.requestedChanges].find(
    (text) => typeof text === 'string',
  );
  const quote = words === undefined ? '' : `  "${toShown(words as string)}"`;
  return `  ${String(sequence).padStart(3)}  ${toShown(type)} by ${by}, ${timestamp}${quote}`;
}

/** All that is to be looked at before it is accepted: what is paid, where it counts, and the digest that binds both. */
export function describeOffer({ terms, settlementDigest, expiresAt }: Offer, self: Address): string {
  const role = isSameAddress(terms.poster as Address, self) ? 'poster' : 'worker';
  const total = `${formatTok(BigInt(terms.totalAmountTokWei))} TOK`;
  return [
    `  offered: ${total}, you as ${role}, until ${formatTime(expiresAt)}`,
    `           on ${terms.market}, chain ${terms.chainId}, registry ${terms.registryAddress}`,
    `           settlementDigest ${settlementDigest}`,
  ].join('\n');
}

function describeNegotiation(report: NegotiationReport, self: Address): string[] {
  const { negotiationId, status, parties, taskId, offer, agreement, transcript } = report;
  const other = isSameAddress(parties.opener, self) ? parties.other : parties.opener;
  const task = taskId === undefined ? '' : `, task ${toShown(taskId)}`;
  const lines = [`${negotiationId}: ${status}, with ${other}${task}`];
  lines.push(...transcript.map((entry) => describeEntry(entry, self)));
  if (offer !== null) lines.push(describeOffer(offer, self));
  if (agreement !== null) lines.push(`  agreed:  settlementDigest ${agreement.settlementDigest}`);
  for (const { by, supervisor, reason } of report.vetoes)
    lines.push(`  veto:    by ${supervisor}, told by ${by}: "${toShown(reason)}"`);
  for (const { settlementDigest, by, acceptBy } of report.loose) {
    const worth =
      acceptBy === null
        ? 'terms that were not offered here'
        : `which the chain takes until ${formatTime(acceptBy)}`;
    lines.push(`  note:    ${by} signed ${settlementDigest}, ${worth}`);
  }
  for (const { signed, reason, detail } of report.refused)
    lines.push(`  refused: message ${signed.envelope.sequence}, ${reason}: ${detail}`);
  if (report.waiting.length > 0)
    lines.push(`  waiting: messages ${report.waiting.join(', ')} for one that has not arrived`);
  for (const { by, type, why, until } of report.next) {
    const end = until === null ? '' : ` until ${formatTime(until)}`;
    lines.push(`  next:    ${isSameAddress(by, self) ? 'you' : by}: ${type}${end}. ${why}`);
  }
  return lines;
}

function formatTime(seconds: number): string {
  const time = new Date(seconds * 1_000);
  // Anybody may have written the number.
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString();
}
