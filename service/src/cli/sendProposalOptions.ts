// The command line of `svc send-proposal`.
import { type Address, type Market, parseAddress, parseMarket, parseTok, SvcError } from '@svc/sdk/domain';
import { parseTransport, transportOption } from '#app/mailbox.ts';
import type { TransportName } from '#messages/transport.ts';
import { parseOptions, readValue, text } from './options.ts';
import type { Usage } from './usage.ts';

export const sendProposalUsage = {
  command: 'send-proposal',
  synopsis: ['--to <address> [options]', '--negotiation <id> [options]'],
  about:
    'Offers terms to another wallet (TaskProposal) or other terms in a negotiation (TaskCounterOffer), signed with the key in PRIVATE_KEY. A counter-offer starts from the terms of the last offer and changes what the options say.',
  options: {
    to: text('<address>', 'whom to offer a task'),
    negotiation: text('<id>', 'the negotiation in which to offer other terms'),
    terms: text('<file>', 'take the terms from a file, as build-task-terms prints them; - is standard input'),
    as: {
      ...text('<role>', 'poster (default) or worker: what the sender is in the terms'),
      default: 'poster',
    },
    market: { ...text('<name>', 'standard (default) or micro'), default: 'standard' },
    total: text('<TOK>', 'what the task pays'),
    milestones: text('<TOK,…>', 'two to ten parts of the total; without it one single milestone'),
    criteria: text('<text>', 'when the work is done'),
    deadline: text('<moment>', 'until when it is to be delivered; default +7d'),
    review: text('<hours>', 'how long the poster may look at a delivery; default 48'),
    'accept-by': text('<moment>', 'until when signatures under the terms count; default +1d'),
    expires: text('<moment>', 'until when the offer may be accepted; default as --accept-by'),
    rationale: text('<text>', 'why these terms'),
    transport: transportOption,
  },
  json: 'print the result as one line of JSON',
  notes: ['A moment is +7d (m, h, d), 2026-12-01T12:00:00Z or Unix seconds.'],
  examples: [
    'svc send-proposal --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --total 500 --criteria "All tests pass."',
  ],
} as const satisfies Usage;

export type SendProposalArguments = {
  readonly to: Address | undefined;
  readonly negotiationId: string | undefined;
  readonly termsFile: string | undefined;
  readonly role: 'poster' | 'worker';
  readonly market: Market;
  readonly changes: TermsChanges;
  readonly expires: string | undefined;
  readonly rationale: string | undefined;
  readonly transport: TransportName;
  readonly asJson: boolean;
};

/** What the options say about the terms; moments are read once the chain's clock is known. */
export type TermsChanges = {
  readonly total: bigint | undefined;
  /** Empty for one single milestone. */
  readonly milestones: readonly bigint[] | undefined;
  readonly criteria: string | undefined;
  readonly deadline: string | undefined;
  readonly reviewSeconds: number | undefined;
  readonly acceptBy: string | undefined;
};

/** Throws USAGE that names the option which is unknown or has a wrong value. */
export function parseSendProposalArguments(args: readonly string[]): SendProposalArguments {
  const { values } = parseOptions(sendProposalUsage, args);
  const changes = {
    total: readValue('total', values.total, parseTok),
    milestones: readValue('milestones', values.milestones, (list) =>
      list.split(',').map((amount) => parseTok(amount.trim())),
    ),
    criteria: values.criteria,
    deadline: values.deadline,
    reviewSeconds: readValue('review', values.review, parseHours),
    acceptBy: values['accept-by'],
  };
  if ((values.to === undefined) === (values.negotiation === undefined))
    throw usage('svc send-proposal needs either --to <address> or --negotiation <id>.');
  if (values.terms !== undefined && Object.values(changes).some((change) => change !== undefined))
    throw usage('--terms brings all terms; leave the options about single ones out.');
  return {
    to: readValue('to', values.to, parseAddress),
    negotiationId: values.negotiation,
    termsFile: values.terms,
    role: readValue('as', values.as, parseRole) ?? 'poster',
    market: readValue('market', values.market, parseMarket) ?? 'standard',
    changes,
    expires: values.expires,
    rationale: values.rationale,
    transport: parseTransport(values.transport),
    asJson: values.json,
  };
}

function parseRole(value: string): 'poster' | 'worker' {
  if (value === 'poster' || value === 'worker') return value;
  throw usage('must be poster or worker');
}

function parseHours(value: string): number {
  if (!/^[0-9]{1,4}$/.test(value)) throw usage('must be a whole number of hours');
  return Number(value) * 3_600;
}

function usage(reason: string): SvcError {
  return new SvcError('USAGE', { reason });
}
