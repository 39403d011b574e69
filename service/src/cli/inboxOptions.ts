// The command line of `svc inbox`.
import { type Address, parseAddress, SvcError } from '@svc/sdk/domain';
import { parseTransport, transportOption } from '#app/mailbox.ts';
import type { TransportName } from '#messages/transport.ts';
import { flag, parseOptions, readValue, text } from './options.ts';
import type { Usage } from './usage.ts';

export const inboxUsage = {
  command: 'inbox',
  synopsis: ['[options]'],
  about:
    'Takes in what arrived for the wallet of PRIVATE_KEY, sends what lies in its outbox, and shows its negotiations: the transcript, what is offered and agreed, what may come next, and what was refused and why.',
  options: {
    negotiation: text('<id>', 'show this negotiation only'),
    address: text(
      '<address>',
      "another wallet's mailbox on this machine, without its key; local transport only",
    ),
    follow: flag('go on and tell what arrives, until Ctrl-C'),
    transport: transportOption,
  },
  json: 'one line of JSON; with --follow one more for each envelope that arrives',
  examples: ['svc inbox', 'svc inbox --follow --json'],
} as const satisfies Usage;

export type InboxArguments = {
  readonly negotiationId: string | undefined;
  readonly address: Address | undefined;
  readonly isFollowing: boolean;
  readonly transport: TransportName;
  readonly asJson: boolean;
};

/** Throws USAGE that names the option which is unknown or has a wrong value. */
export function parseInboxArguments(args: readonly string[]): InboxArguments {
  const { values } = parseOptions(inboxUsage, args);
  const transport = parseTransport(values.transport);
  if (values.address !== undefined && transport !== 'local')
    throw new SvcError('USAGE', { reason: '--address goes with the local transport only.' });
  return {
    negotiationId: values.negotiation,
    address: readValue('address', values.address, parseAddress),
    isFollowing: values.follow,
    transport,
    asJson: values.json,
  };
}
