// The command line of `svc inbox`.
import { type Address, parseAddress } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import type { TransportName } from '#negotiation/transport/transport.ts';
import { parseTransport } from './mailbox.ts';
import { flag, helpFlag, parseOptions, text } from './options.ts';

export const inboxHelp = `Usage: svc inbox [options]

Takes in what arrived for the wallet of PRIVATE_KEY, sends what lies in its outbox, and shows its negotiations: the
transcript, what is offered and agreed, what may come next, and what was refused and why.

  --negotiation <id>      show this negotiation only
  --address <address>     another wallet's mailbox on this machine, without its key; local transport only
  --follow                go on and tell what arrives, until Ctrl-C
  --transport <name>      local (default) or xmtp
  --json                  one line of JSON; with --follow one more for each envelope that arrives`;

export type InboxArguments = {
  readonly help: boolean;
  readonly negotiationId: string | undefined;
  readonly address: Address | undefined;
  readonly isFollowing: boolean;
  readonly transport: TransportName;
  readonly asJson: boolean;
};

/** Throws USAGE that names the option which is unknown or has a wrong value. */
export function parseInboxArguments(args: readonly string[]): InboxArguments {
  const values = parseOptions(args, {
    negotiation: text,
    address: text,
    follow: flag,
    transport: { ...text, default: 'local' },
    json: flag,
    help: helpFlag,
  });
  const transport = parseTransport(values.transport);
  if (values.address !== undefined && transport !== 'local')
    throw new SvcError('USAGE', { reason: '--address goes with the local transport only.' });
  return {
    help: values.help,
    negotiationId: values.negotiation,
    address: values.address === undefined ? undefined : readAddress(values.address),
    isFollowing: values.follow,
    transport,
    asJson: values.json,
  };
}

function readAddress(value: string): Address {
  try {
    return parseAddress(value);
  } catch (error) {
    throw new SvcError('USAGE', { reason: `--address: ${(error as Error).message}` }, error);
  }
}
