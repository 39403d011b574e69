// `svc send-proposal`: offers terms to another wallet, or other terms in a negotiation.
import { randomUUID } from 'node:crypto';
import { latestBlock } from '@svc/sdk/chain';
import {
  type Address,
  hashCriteria,
  hashMilestones,
  parseAddress,
  parseMarket,
  parseTok,
  SvcError,
} from '@svc/sdk/domain';
import {
  buildTermsDocument,
  findTermsMistake,
  hashTermsDocument,
  readNegotiation,
} from '@svc/sdk/negotiation';
import type { TermsDocument } from '@svc/sdk/schemas';
import { connect } from '#app/connect.ts';
import { readConfig } from '#config.ts';
import {
  findTranscript,
  type Mailbox,
  openMailbox,
  parseMoment,
  readAccount,
  readJsonInput,
  reportSent,
  transportOption,
} from './negotiation.ts';
import { parseOptions, text, type Usage, type Values } from './options.ts';

export const usage = {
  command: 'send-proposal',
  synopsis: ['--to <address> [options]', '--negotiation <id> [options]'],
  about:
    'Offers terms to another wallet (TaskProposal) or other terms in a negotiation (TaskCounterOffer), signed with the key in PRIVATE_KEY. A counter-offer starts from the terms of the last offer and changes what the options say.',
  options: {
    to: text('<address>', 'the wallet to offer a task to', parseAddress),
    negotiation: text('<id>', 'the negotiation in which to offer other terms'),
    terms: text('<file>', 'read all terms from a file, as build-task-terms prints them; - is standard input'),
    as: text('<role>', 'poster (default) or worker: the role of the sender', parseRole, 'poster'),
    market: text('<name>', 'standard (default) or micro', parseMarket, 'standard'),
    total: text('<TOK>', 'what the task pays', parseTok),
    milestones: text('<TOK,…>', 'two to ten parts of the total; default one milestone', (list) =>
      list.split(',').map((amount) => parseTok(amount.trim())),
    ),
    criteria: text('<text>', 'acceptance criteria of the work'),
    deadline: text('<moment>', 'deadline of the delivery; default +7d'),
    review: text('<hours>', 'time the poster has to review a delivery; default 48', parseHours),
    'accept-by': text('<moment>', 'end of the offer and of all signatures under it; default +1d'),
    rationale: text('<text>', 'reason for these terms'),
    transport: transportOption,
  },
  json: 'print the result as one line of JSON',
  notes: ['A moment is +7d (m, h, d), 2026-12-01T12:00:00Z or Unix seconds.'],
  examples: [
    'svc send-proposal --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --total 500 --criteria "All tests pass."',
  ],
} as const satisfies Usage;

type Given = Values<typeof usage.options>;

/** The options about single terms, which --terms excludes. */
const termOptions = ['total', 'milestones', 'criteria', 'deadline', 'review', 'accept-by'] as const;

/** Throws USAGE that names the option that is unknown or has a wrong value. */
export function parseSendProposalArguments(args: readonly string[]): Given {
  const { values } = parseOptions(usage, args);
  if ((values.to === undefined) === (values.negotiation === undefined))
    throw wrong('svc send-proposal needs either --to <address> or --negotiation <id>.');
  if (values.terms !== undefined && termOptions.some((name) => values[name] !== undefined))
    throw wrong('--terms brings all terms; leave out the options about single terms.');
  return values;
}

function parseRole(value: string): 'poster' | 'worker' {
  if (value === 'poster' || value === 'worker') return value;
  throw wrong('must be poster or worker');
}

/** Hours -> seconds. */
function parseHours(value: string): number {
  if (!/^[0-9]{1,4}$/.test(value)) throw wrong('must be a whole number of hours');
  return Number(value) * 3_600;
}

function wrong(reason: string): SvcError {
  return new SvcError('USAGE', { reason });
}

export async function run(args: readonly string[]): Promise<number> {
  const given = parseSendProposalArguments(args);
  const config = readConfig();
  const account = readAccount(config);
  const mailbox = openMailbox(config, given.transport, account.address);
  try {
    const negotiationId = given.negotiation ?? randomUUID();
    const terms = await chooseTerms(given, account.address, negotiationId, mailbox);
    const mistake = findTermsMistake(terms);
    if (mistake !== null) throw new SvcError('ENVELOPE_INVALID', { reason: mistake });
    const { rationale } = given;
    const payload = {
      terms,
      settlementDigest: hashTermsDocument(terms),
      expiresAt: terms.acceptBy,
      ...(rationale !== undefined && { rationale }),
    };
    const type = given.negotiation === undefined ? 'TaskProposal' : 'TaskCounterOffer';
    const sent = await mailbox.agent.send({ type, negotiationId, payload }, account.signTypedData, given.to);
    return reportSent(sent, given);
  } finally {
    await mailbox.close();
  }
}

async function chooseTerms(
  given: Given,
  self: Address,
  negotiationId: string,
  mailbox: Mailbox,
): Promise<TermsDocument> {
  if (given.terms !== undefined) {
    const input = await readJsonInput(given.terms);
    // build-task-terms prints the terms beside other fields.
    return (input.terms ?? input) as TermsDocument;
  }
  if (given.to !== undefined) return buildTerms(given, self, given.to, negotiationId);
  const last = readNegotiation(findTranscript(mailbox, negotiationId)).offer?.terms;
  if (last === undefined)
    throw new SvcError('NEGOTIATION_CLOSED', {
      reason: 'There is no offer to change; give all terms with --terms.',
    });
  return changeTerms(last, given);
}

/** Moments are relative to the chain's clock, because the chain decides about deadlines. */
async function buildTerms(
  given: Given,
  self: Address,
  to: Address,
  negotiationId: string,
): Promise<TermsDocument> {
  const { market, total, criteria } = given;
  if (total === undefined || criteria === undefined)
    throw wrong('svc send-proposal needs --terms, or --total and --criteria.');
  const { chainId, contracts, rpc, close } = await connect(readConfig());
  try {
    const { time: now } = await rpc.ask(latestBlock());
    return buildTermsDocument({
      market,
      place: { chainId, registry: contracts[market].taskRegistry },
      poster: given.as === 'poster' ? self : to,
      worker: given.as === 'poster' ? to : self,
      totalAmount: total,
      milestones: (given.milestones ?? []).map((amount) => ({ amount })),
      criteria: { text: criteria },
      deadline: parseMoment('deadline', given.deadline ?? '+7d', now),
      reviewPeriod: given.review ?? parseHours('48'),
      scope: 'private',
      negotiationId,
      acceptBy: parseMoment('accept-by', given['accept-by'] ?? '+1d', now),
    });
  } finally {
    close();
  }
}

/** Terms that the options do not name stay as they were offered. */
function changeTerms(last: TermsDocument, given: Given): TermsDocument {
  const { total, milestones, criteria, deadline, review, 'accept-by': acceptBy } = given;
  // The old milestones would not add up to a new total.
  const amounts = milestones ?? (total === undefined ? undefined : []);
  const { criteriaText: _, ...rest } = last;
  const { criteriaHash } = criteria === undefined ? last : { criteriaHash: hashCriteria(criteria) };
  return {
    ...(criteria === undefined ? last : { ...rest, criteriaText: criteria }),
    criteriaHash,
    ...(total !== undefined && { totalAmountTokWei: String(total) }),
    ...(amounts !== undefined && {
      milestones: amounts.map((amount) => ({ amountTokWei: String(amount) })),
      milestonesHash: hashMilestones(amounts),
    }),
    ...(deadline !== undefined && { deadline: parseMoment('deadline', deadline, nowSeconds()) }),
    ...(review !== undefined && { reviewPeriod: review }),
    ...(acceptBy !== undefined && { acceptBy: parseMoment('accept-by', acceptBy, nowSeconds()) }),
  };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
