// `svc send-proposal`: offers terms to another wallet, or other terms in a negotiation.
import { randomBytes, randomUUID } from 'node:crypto';
import { type Address, hashMilestones, parseAddress, parseMarket, parseTok, SvcError } from '@svc/sdk/domain';
import { latestBlock } from '@svc/sdk/internal/chain/rpcRequests';
import { hashCanonical } from '@svc/sdk/internal/domain/canonical';
import { findDocumentMistake, findTermsMistake, withDigest } from '@svc/sdk/internal/negotiation/terms';
import {
  buildTermsDocument,
  hashTermsDocument,
  type Offer,
  readNegotiation,
  type TaskDocument,
} from '@svc/sdk/negotiation';
import { type TermsDocument, taskDocumentSchema } from '@svc/sdk/schemas';
import { connect } from '#app/connect.ts';
import { readConfig } from '#config.ts';
import {
  findTranscript,
  type Mailbox,
  parseMoment,
  readJsonInput,
  sendMessage,
  transportOption,
} from './negotiation.ts';
import { parseOptions, text, type Usage, usageError, type Values } from './options.ts';

export const usage = {
  command: 'send-proposal',
  synopsis: ['--to <address> [options]', '--negotiation <id> [options]'],
  about:
    'Offers terms to another wallet (TaskProposal) or other terms in a negotiation (TaskCounterOffer), signed with the key in PRIVATE_KEY. A counter-offer starts from the terms of the last offer and changes what the options say.',
  options: {
    to: text('<address>', 'the wallet to offer a task to', parseAddress),
    negotiation: text('<id>', 'the negotiation in which to offer other terms'),
    terms: text(
      '<file>',
      'read terms and document from a file, as build-task-terms prints them; - is standard input',
    ),
    as: text('<role>', 'poster (default) or worker: the role of the sender', parseRole, 'poster'),
    market: text('<name>', 'standard (default) or micro', parseMarket, 'standard'),
    total: text('<TOK>', 'what the task pays', parseTok),
    milestones: text('<TOK,…>', 'two to ten parts of the total; default one milestone', (list) =>
      list.split(',').map((amount) => parseTok(amount.trim())),
    ),
    'milestone-texts': text('<text|…>', 'what each milestone delivers, separated by |', (list) =>
      list.split('|').map((part) => part.trim()),
    ),
    title: text('<text>', 'title of the task'),
    description: text('<text>', 'what is to be done'),
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
    'svc send-proposal --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --total 500 --title "Test the parser"',
  ],
} as const satisfies Usage;

type Given = Values<typeof usage.options>;

/** The options about single terms, which --terms excludes. */
const termOptions = [
  'total',
  'milestones',
  'milestone-texts',
  'title',
  'description',
  'criteria',
  'deadline',
  'review',
  'accept-by',
] as const;

/** Throws USAGE that names the option that is unknown or has a wrong value. */
export function parseSendProposalArguments(args: readonly string[]): Given {
  const { values } = parseOptions(usage, args);
  if ((values.to === undefined) === (values.negotiation === undefined))
    throw usageError('svc send-proposal needs either --to <address> or --negotiation <id>.');
  if (values.terms !== undefined && termOptions.some((name) => values[name] !== undefined))
    throw usageError('--terms brings all terms; leave out the options about single terms.');
  return values;
}

function parseRole(value: string): 'poster' | 'worker' {
  if (value === 'poster' || value === 'worker') return value;
  throw usageError('must be poster or worker');
}

/** Hours -> seconds. */
function parseHours(value: string): number {
  if (!/^[0-9]{1,4}$/.test(value)) throw usageError('must be a whole number of hours');
  return Number(value) * 3_600;
}

export async function run(args: readonly string[]): Promise<number> {
  const given = parseSendProposalArguments(args);
  return sendMessage(readConfig(), given, async (mailbox, { address }) => {
    const negotiationId = given.negotiation ?? randomUUID();
    const { terms, document } = await chooseTerms(given, address, negotiationId, mailbox);
    const mistake = findTermsMistake(terms) ?? findDocumentMistake(terms, document);
    if (mistake !== null) throw new SvcError('ENVELOPE_INVALID', { reason: mistake });
    const { rationale } = given;
    const payload = {
      terms,
      document,
      settlementDigest: hashTermsDocument(terms),
      expiresAt: terms.acceptBy,
      ...(rationale !== undefined && { rationale }),
    };
    const type = given.negotiation === undefined ? 'TaskProposal' : 'TaskCounterOffer';
    return { type, negotiationId, payload };
  });
}

type Proposed = Pick<Offer, 'terms' | 'document'>;

async function chooseTerms(
  given: Given,
  self: Address,
  negotiationId: string,
  mailbox: Mailbox,
): Promise<Proposed> {
  if (given.terms !== undefined) {
    const input = await readJsonInput(given.terms);
    const mistake = findTermsMistake(input.terms);
    if (mistake !== null) throw new SvcError('ENVELOPE_INVALID', { reason: mistake });
    const document = taskDocumentSchema.safeParse(input.document);
    if (!document.success)
      throw usageError(`${given.terms} must hold the document as well, next to the terms.`);
    return { terms: input.terms as TermsDocument, document: document.data };
  }
  if (given.to !== undefined) return buildTerms(given, self, given.to, negotiationId);
  const last = readNegotiation(findTranscript(mailbox, negotiationId)).offer;
  const reason = 'There is no offer to change; give all terms with --terms.';
  if (last === null) throw new SvcError('NEGOTIATION_CLOSED', { reason });
  return changeTerms(last, given);
}

/** Moments are relative to the chain's clock, because the chain decides about deadlines. */
async function buildTerms(
  given: Given,
  self: Address,
  to: Address,
  negotiationId: string,
): Promise<Proposed> {
  const { market, total, title, milestones = [] } = given;
  if (total === undefined || title === undefined)
    throw usageError('svc send-proposal needs --terms, or --total and --title.');
  const blind = `0x${randomBytes(32).toString('hex')}`;
  const empty = { description: '', criteria: '', milestones: [], tags: [] };
  const words: TaskDocument = { schema: 'svc-task-v1', title, ...empty, blind };
  const document = changeWords(words, given, milestones.length);
  const { chainId, contracts, rpc, close } = await connect(readConfig());
  try {
    const { time: now } = await rpc.ask(latestBlock());
    const terms = buildTermsDocument({
      market,
      place: { chainId, registry: contracts[market].taskRegistry },
      poster: given.as === 'poster' ? self : to,
      worker: given.as === 'poster' ? to : self,
      totalAmount: total,
      milestones: milestones.map((amount) => ({ amount })),
      criteriaHash: hashCanonical(document),
      deadline: parseMoment('deadline', given.deadline ?? '+7d', now),
      reviewPeriod: given.review ?? parseHours('48'),
      scope: 'private',
      negotiationId,
      acceptBy: parseMoment('accept-by', given['accept-by'] ?? '+1d', now),
    });
    return { terms, document };
  } finally {
    close();
  }
}

/** Words that the options do not name stay; those of the milestones only while there are as many as before. */
function changeWords(last: TaskDocument, given: Given, count: number): TaskDocument {
  const { title, description, criteria, 'milestone-texts': texts } = given;
  if (texts !== undefined && texts.length !== count)
    throw usageError(`--milestone-texts must name ${count} milestones, as many as there are amounts.`);
  const kept = last.milestones.length === count ? last.milestones : Array<string>(count).fill('');
  return {
    ...last,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(criteria !== undefined && { criteria }),
    milestones: texts ?? kept,
  };
}

/** Terms that the options do not name stay as they were offered. */
function changeTerms({ terms: last, document }: Proposed, given: Given): Proposed {
  const { total, milestones, deadline, review, 'accept-by': acceptBy } = given;
  // The old milestones would not add up to a new total.
  const amounts = milestones ?? (total === undefined ? undefined : []);
  const words = changeWords(document, given, (amounts ?? last.milestones).length);
  const terms = {
    ...last,
    criteriaHash: hashCanonical(words),
    ...(total !== undefined && { totalAmountTokWei: String(total) }),
    ...(amounts !== undefined && {
      milestones: amounts.map((amount) => ({ amountTokWei: String(amount) })),
      milestonesHash: hashMilestones(amounts),
    }),
    ...(deadline !== undefined && { deadline: parseMoment('deadline', deadline, nowSeconds()) }),
    ...(review !== undefined && { reviewPeriod: review }),
    ...(acceptBy !== undefined && { acceptBy: parseMoment('accept-by', acceptBy, nowSeconds()) }),
  };
  return { terms: withDigest(terms), document: words };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
