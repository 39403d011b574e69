// The command line of `svc send-proposal`.
import { type Address, parseAddress } from '#domain/address.ts';
import { parseTok } from '#domain/amount.ts';
import { SvcError } from '#domain/errors.ts';
import { type Market, parseMarket } from '#domain/market.ts';
import type { TransportName } from '#negotiation/transport/transport.ts';
import { parseTransport } from './mailbox.ts';
import { flag, helpFlag, parseOptions, text } from './options.ts';

export const sendProposalHelp = `Usage: svc send-proposal --to <address> [options]
       svc send-proposal --negotiation <id> [options]

Offers terms to another wallet (TaskProposal) or other terms in a negotiation (TaskCounterOffer), signed with the key
in PRIVATE_KEY. A counter-offer starts from the terms of the last offer and changes what the options say.

  --to <address>          whom to offer a task
  --negotiation <id>      the negotiation in which to offer other terms
  --terms <file>          take the terms from a file, as build-task-terms prints them; - is standard input
  --as <role>             poster (default) or worker: what the sender is in the terms
  --market <name>         standard (default) or micro
  --total <TOK>           what the task pays
  --milestones <TOK,…>    two to ten parts of the total; without it one single milestone
  --criteria <text>       when the work is done
  --deadline <moment>     until when it is to be delivered; default +7d
  --review <hours>        how long the poster may look at a delivery; default 48
  --accept-by <moment>    until when signatures under the terms count; default +1d
  --expires <moment>      until when the offer may be accepted; default as --accept-by
  --rationale <text>      why these terms
  --transport <name>      local (default) or xmtp
  --json                  print the result as one line of JSON

A moment is +7d (m, h, d), 2026-12-01T12:00:00Z or Unix seconds.
Example: svc send-proposal --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --total 500 --criteria "All tests pass."`;

export type SendProposalArguments = {
  readonly help: boolean;
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

const known = {
  to: text,
  negotiation: text,
  terms: text,
  as: { ...text, default: 'poster' },
  market: { ...text, default: 'standard' },
  total: text,
  milestones: text,
  criteria: text,
  deadline: text,
  review: text,
  'accept-by': text,
  expires: text,
  rationale: text,
  transport: { ...text, default: 'local' },
  json: flag,
  help: helpFlag,
} as const;

/** Throws USAGE that names the option which is unknown or has a wrong value. */
export function parseSendProposalArguments(args: readonly string[]): SendProposalArguments {
  const values = parseOptions(args, known);
  const read = <Value>(name: keyof typeof known, parse: (value: string) => Value): Value | undefined => {
    const value = values[name];
    if (typeof value !== 'string') return undefined;
    try {
      return parse(value);
    } catch (error) {
      throw usage(`--${name}: ${(error as Error).message}`);
    }
  };
  const changes = {
    total: read('total', parseTok),
    milestones: read('milestones', (list) => list.split(',').map((amount) => parseTok(amount.trim()))),
    criteria: values.criteria,
    deadline: values.deadline,
    reviewSeconds: read('review', parseHours),
    acceptBy: values['accept-by'],
  };
  if (!values.help && (values.to === undefined) === (values.negotiation === undefined))
    throw usage('svc send-proposal needs either --to <address> or --negotiation <id>.');
  if (values.terms !== undefined && Object.values(changes).some((change) => change !== undefined))
    throw usage('--terms brings all terms; leave the options about single ones out.');
  return {
    help: values.help,
    to: read('to', parseAddress),
    negotiationId: values.negotiation,
    termsFile: values.terms,
    role: read('as', parseRole) ?? 'poster',
    market: read('market', parseMarket) ?? 'standard',
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
