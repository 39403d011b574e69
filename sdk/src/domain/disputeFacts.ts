// What only the logs of a dispute hold: its times, the evidence of both sides, the ruling, and how it ended.
import type { Address } from './address.ts';
import type { ChainEvent } from './event.ts';
import { disputePhases, nameOf, type SettlementKind, settlementKinds } from './state.ts';

/** A hash that a party filed, and where its document is. */
export type Evidence = Readonly<ReturnType<typeof readEvidence>>;
export type Ruling = Readonly<ReturnType<typeof readRuling>>;

/** How a dispute ended: `default` without an answer, `silence` without a ruling of the fallback arbitrator. */
export const disputeOutcomes = [
  'ruling',
  'default',
  'concededByPoster',
  'concededByWorker',
  'settled',
  'silence',
] as const;
export type DisputeOutcome = (typeof disputeOutcomes)[number];

export type DisputeFacts = {
  readonly openedAt: number | null;
  readonly answerEndsAt: number | null;
  /** Oldest first; of each wallet the newest ones only. */
  readonly evidence: readonly Evidence[];
  /** All that was filed. */
  readonly evidenceCount: number;
  readonly ruling: Ruling | null;
  readonly outcome: DisputeOutcome | null;
  readonly settlementKind: SettlementKind | null;
  /** The worker's share as ruled, conceded, agreed or set by a timeout. */
  readonly workerBps: number | null;
  /** Whom the bonds were paid to: their payers, a party, and the judge. */
  readonly bondsTo: readonly Address[];
};

export const noDisputeFacts: DisputeFacts = {
  openedAt: null,
  answerEndsAt: null,
  evidence: [],
  evidenceCount: 0,
  ruling: null,
  outcome: null,
  settlementKind: null,
  workerBps: null,
  bondsTo: [],
};

/** Filing evidence costs only gas, so a record keeps a bounded part of it. */
const maxEvidencePerWallet = 10;
const maxEvidenceUriLength = 8_192;

/** The same facts where the event says nothing about a dispute. */
export function readDisputeEvent(facts: DisputeFacts, event: ChainEvent): DisputeFacts {
  const { args } = event;
  switch (event.name) {
    case 'DisputeOpened':
      return { ...addEvidence(facts, event, args.opener), openedAt: event.blockTime };
    case 'DisputeCreated': {
      // Nobody answers a dispute that was opened without a bond.
      const isAnswered = nameOf(disputePhases, Number(args.phase)) === 'ANSWERING';
      return isAnswered ? { ...facts, answerEndsAt: Number(args.phaseEnds) } : facts;
    }
    case 'DisputeAnswered':
    case 'EvidenceSubmitted':
      return addEvidence(facts, event, args.by);
    case 'DisputeResolved':
      return { ...facts, outcome: 'ruling', ruling: readRuling(event) };
    case 'DisputeTimedOut': {
      const isUnanswered = nameOf(disputePhases, Number(args.phase)) === 'ANSWERING';
      return { ...facts, outcome: isUnanswered ? 'default' : 'silence' };
    }
    case 'DisputeBondPaid':
      return { ...facts, bondsTo: [...facts.bondsTo, args.to as Address] };
    case 'MutuallySettled':
      return { ...facts, outcome: 'settled' };
    case 'DisputeSettled':
      return readSettlement(facts, Number(args.kind), Number(args.workerBps));
    default:
      return facts;
  }
}

/** A concession gives all to the other side, so the share names who conceded. */
function readSettlement(facts: DisputeFacts, kind: number, workerBps: number): DisputeFacts {
  const conceded = workerBps === 0 ? 'concededByWorker' : 'concededByPoster';
  return {
    ...facts,
    outcome: facts.outcome ?? conceded,
    settlementKind: nameOf(settlementKinds, kind),
    workerBps,
  };
}

/** Not viem's: schemas import this file, and pages load them without viem. */
const noEvidence = `0x${'0'.repeat(64)}`;

/** A hash of zero is an answer by a sponsor, or says that a side has nothing to add. */
function addEvidence(facts: DisputeFacts, event: ChainEvent, by: unknown): DisputeFacts {
  if (event.args.evidenceHash === noEvidence) return facts;
  const added = readEvidence(event, by as Address);
  const ofWallet = facts.evidence.filter((one) => one.by === added.by);
  const [oldest] = ofWallet.length < maxEvidencePerWallet ? [] : ofWallet;
  return {
    ...facts,
    evidence: [...facts.evidence.filter((one) => one !== oldest), added],
    evidenceCount: facts.evidenceCount + 1,
  };
}

function readEvidence({ args, blockTime, txHash }: ChainEvent, by: Address) {
  return {
    by,
    evidenceHash: args.evidenceHash as `0x${string}`,
    uri: shorten(args.uri),
    submittedAt: blockTime,
    transactionHash: txHash,
  };
}

function readRuling({ args, blockTime, txHash }: ChainEvent) {
  return {
    workerBps: Number(args.workerBps),
    reasonHash: args.reasonHash as `0x${string}`,
    uri: shorten(args.reasonUri),
    by: args.arbitrator as Address,
    at: blockTime,
    transactionHash: txHash,
  };
}

/** Null where the text is longer than records carry; the event holds it. */
function shorten(uri: unknown): string | null {
  const text = String(uri);
  return text.length > maxEvidenceUriLength ? null : text;
}
