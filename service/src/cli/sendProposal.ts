// `svc send-proposal`: offers terms to another wallet, or other terms in a negotiation.
import { randomUUID } from 'node:crypto';
import { taskDocumentSchema } from '@svc/sdk/documents';
import { type Address, parseAddress, parseMarket, parseTok, SvcError } from '@svc/sdk/domain';
import { toShown } from '@svc/sdk/internal/domain/text';
import { findDocumentMistake, findTermsMistake } from '@svc/sdk/internal/rules/terms';
import { momentArgument } from '@svc/sdk/internal/rules/values';
import {
  changeOffer,
  hashTermsDocument,
  type Offer,
  type OfferFields,
  readNegotiation,
  type TermsDocument,
} from '@svc/sdk/negotiation';

import { buildMarketAccess, connect } from '../app/connect.ts';
import { type Config, readConfig } from '../config.ts';
import { buildPayload } from '../mcp/offer.ts';
import { findTranscript, type Mailbox, readJsonInput, sendMessage, transportOption } from './negotiation.ts';
import { parseOneOf, parseOptions, text, type Usage, usageError, type Values } from './options.ts';

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
    as: text(
      '<role>',
      'poster (default) or worker: the role of the sender',
      parseOneOf(['poster', 'worker']),
    ),
    market: text('<name>', 'standard (default) or micro', parseMarket),
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
    deadline: text('<moment>', 'deadline of the delivery; default +7d', checkMoment),
    review: text('<hours>', 'time the poster has to review a delivery; default 72', parseHours),
    'accept-by': text(
      '<moment>',
      'end of the offer and of all signatures under it; default +1d',
      checkMoment,
    ),
    rationale: text('<text>', 'reason for these terms'),
    transport: transportOption,
  },
  json: 'print the result as one line of JSON',
  notes: [
    'A moment is +7d (s, m, h, d), 2026-12-01T12:00:00Z or Unix seconds.',
    'What it offers is a private task, where svc prepare build-task-terms builds an open one unless it gets --scope private; --terms brings either.',
  ],
  examples: [
    'svc send-proposal --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --total 50 --title Parser --criteria "Tests pass."',
  ],
} as const satisfies Usage;

type Given = Values<typeof usage.options>;

/** All others are about single terms, which --terms excludes. */
const otherOptions = ['to', 'negotiation', 'terms', 'rationale', 'transport', 'json'];

/** Throws USAGE that names the option that is unknown or has a wrong value. */
export function parseSendProposalArguments(args: readonly string[]): Given {
  const { values } = parseOptions(usage, args);
  if ((values.to === undefined) === (values.negotiation === undefined))
    throw usageError('svc send-proposal needs either --to <address> or --negotiation <id>.');
  const isTerm = ([name, value]: readonly [string, unknown]) =>
    value !== undefined && !otherOptions.includes(name);
  if (values.terms !== undefined && Object.entries(values).some(isTerm))
    throw usageError('--terms brings all terms; leave out the options about single terms.');
  if (values.negotiation !== undefined && (values.as ?? values.market) !== undefined)
    throw usageError('--as and --market go with --to; a counter-offer keeps those of the last offer.');
  return values;
}

/** Returns the text: `build-task-terms` reads it by the clock of the chain. */
function checkMoment(value: string): string {
  const { error } = momentArgument.safeParse(value);
  if (error !== undefined) throw usageError(`${error.issues[0]?.message}.`);
  return value;
}

/** Hours -> seconds. */
function parseHours(value: string): number {
  if (!/^[0-9]{1,4}$/.test(value)) throw usageError('must be a whole number of hours');
  return Number(value) * 3_600;
}

export async function run(args: readonly string[]): Promise<number> {
  const given = parseSendProposalArguments(args);
  const config = readConfig();
  return sendMessage(config, given, async (mailbox, { address }) => {
    const negotiationId = given.negotiation ?? randomUUID();
    const offer =
      given.terms === undefined
        ? await buildOffer(given, address, negotiationId, mailbox, config)
        : await readOffer(given.terms);
    const { rationale } = given;
    const payload = { ...offer, ...(rationale !== undefined && { rationale }) };
    const type = given.negotiation === undefined ? 'TaskProposal' : 'TaskCounterOffer';
    return { type, negotiationId, payload };
  });
}

/** Of what build-task-terms and svc inbox print. Only terms and document are sent. */
const termsFileFields = new Set([
  ...[
    'terms',
    'document',
    'settlementDigest',
    'negotiationId',
    'criteriaHash',
    'milestonesHash',
    'typedData',
    'uri',
  ],
  ...['action', 'kind', 'market', 'chainId', 'warnings', 'by', 'sequence', 'hash', 'expiresAt'],
  ...['offerHash', 'posterSignature', 'workerSignature'],
]);

async function readOffer(path: string) {
  const input = await readJsonInput(path);
  const refuse = (reason: string) => new SvcError('ENVELOPE_INVALID', { reason });
  const mistake = findTermsMistake(input.terms);
  if (mistake !== null) throw refuse(mistake);
  const terms = input.terms as TermsDocument;
  if (input.document == null) throw usageError(`${path} must hold the document as well, next to the terms.`);
  const { data: document, error } = taskDocumentSchema.safeParse(input.document);
  if (error !== undefined) {
    const lines = error.issues.map(({ path: at, message }) => `${['document', ...at].join('.')}: ${message}`);
    throw refuse(toShown(lines.join('; ')));
  }
  const unknown = Object.keys(input).filter((field) => !termsFileFields.has(field));
  if (unknown.length > 0) throw refuse(`${toShown(unknown.join(', '))}: there is no such field`);
  const difference = findDocumentMistake(terms, document);
  if (difference !== null) throw refuse(difference);
  return { terms, document, settlementDigest: hashTermsDocument(terms), expiresAt: terms.acceptBy };
}

/** New terms, or the last offer with what the options say. */
async function buildOffer(
  given: Given,
  self: Address,
  negotiationId: string,
  mailbox: Mailbox,
  config: Config,
) {
  const last = given.to === undefined ? findLastOffer(mailbox, negotiationId) : null;
  const args = last === null ? listFirst(given, self) : changeLast(given, last);
  const connection = await connect(config);
  try {
    return await buildPayload({ ...args, negotiationId }, async () => buildMarketAccess(connection));
  } finally {
    connection.close();
  }
}

function findLastOffer(mailbox: Mailbox, negotiationId: string): Offer {
  const { offer } = readNegotiation(findTranscript(mailbox, negotiationId));
  const reason = 'There is no offer to change; give all terms with --terms.';
  if (offer === null) throw new SvcError('NEGOTIATION_CLOSED', { reason });
  return offer;
}

/** The fields of the first offer. */
function listFirst(given: Given, self: Address): OfferFields {
  const { as = 'poster', to, market = 'standard', total, title } = given;
  if (total === undefined || title === undefined)
    throw usageError('svc send-proposal needs --terms, or --total and --title.');
  const [poster, worker] = as === 'poster' ? [self, to] : [to, self];
  return { market, poster, worker, scope: 'private', deadline: '+7d', ...listChanged(given, null) };
}

/** Those of the last offer, with what the options say. Its end and its total stay unless they name others. */
export function changeLast(given: Given, last: Offer): OfferFields {
  const { acceptBy, totalAmountTokWei } = last.terms;
  const total = given.milestones !== undefined && { totalAmountTokWei };
  return changeOffer(last, { acceptBy: String(acceptBy), ...total, ...listChanged(given, last) });
}

/** The fields that the options name. */
function listChanged(given: Given, last: Offer | null): OfferFields {
  const { title, description, criteria, total, deadline, review, 'accept-by': acceptBy } = given;
  const all = {
    ...{ title, description, criteria, deadline, acceptBy },
    totalAmountTokWei: total?.toString(),
    reviewPeriod: review?.toString(),
    milestones: listMilestones(given, last),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Each with its text, so that its parties and a judge know what it delivers. Undefined where they stay as they are. */
function listMilestones({ total, milestones, 'milestone-texts': texts }: Given, last: Offer | null) {
  if (milestones === undefined && texts === undefined) return undefined;
  // The old milestones would not add up to a new total.
  const before = total === undefined ? (last?.terms.milestones ?? []) : [];
  const amounts = milestones?.map(String) ?? before.map(({ amountTokWei }) => amountTokWei);
  const old = last?.document.milestones ?? [];
  const known = texts ?? (old.length === amounts.length ? old : []);
  if (amounts.length < 2 && known.length > 0)
    throw usageError(
      '--milestone-texts: a single milestone has no text of its own; describe the work instead.',
    );
  const isWhole = known.length === amounts.length && known.every((text) => text.trim() !== '');
  if (amounts.length > 1 && !isWhole)
    throw usageError(`--milestone-texts must say what each of the ${amounts.length} milestones delivers.`);
  return amounts.map((amountTokWei, at) => ({ amountTokWei, description: known[at] }));
}
