// The command line of `svc send`.
import { parseArgs } from 'node:util';
import { type Address, parseAddress } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import { formatTaskId, parseTaskId } from '#domain/taskId.ts';
import type { TransportName } from '#negotiation/transport/transport.ts';
import { isMessageType, type MessageType, messageTypes } from '#schemas/envelopePayloads.ts';
import { parseTransport } from './mailbox.ts';

export const sendHelp = `Usage: svc send <type> --negotiation <id> [options]

Sends one message of a negotiation, signed with the key in PRIVATE_KEY.

  --negotiation <id>      the negotiation; svc inbox lists them
  --to <address>          start a negotiation with this wallet instead
  --payload <file>        JSON of the payload; - is standard input; docs/schemas tells what each type requires
  --task <id>             the task that the negotiation has led to, once there is one; later messages name it again
  --transport <name>      local (default) or xmtp
  --json                  print the result as one line of JSON

Without a payload: TaskAcceptance accepts the last offer and signs its terms, IdentityLink links this wallet to its
XMTP key.

Types: ${messageTypes.join(', ')}.
Example: svc send TaskAcceptance --negotiation 5f0c9a52-6a3e-4a53-9c6c-0d9b8a1f7f10`;

export type SendArguments = {
  readonly help: boolean;
  readonly type: MessageType;
  readonly negotiationId: string | undefined;
  readonly to: Address | undefined;
  readonly payloadFile: string | undefined;
  readonly taskId: string | undefined;
  readonly transport: TransportName;
  readonly asJson: boolean;
};

/** Throws USAGE that names what is missing, unknown or wrong. */
export function parseSendArguments(args: readonly string[]): SendArguments {
  const { values, positionals } = readValues(args);
  const [type = '', ...more] = positionals;
  const read = <Value>(name: 'to' | 'task', parse: (value: string) => Value): Value | undefined => {
    try {
      return values[name] === undefined ? undefined : parse(values[name]);
    } catch (error) {
      throw usage(`--${name}: ${(error as Error).message}`);
    }
  };
  if (!values.help) {
    // A stray argument may be a key that lost its option, so it is not repeated.
    if (more.length > 0) throw usage('svc send takes one type and options; see --help.');
    if (!isMessageType(type)) throw usage(`svc send needs a type: ${messageTypes.join(', ')}.`);
    if ((values.negotiation === undefined) === (values.to === undefined))
      throw usage('svc send needs either --negotiation <id> or --to <address>.');
  }
  return {
    help: values.help,
    type: type as MessageType,
    negotiationId: values.negotiation,
    to: read('to', parseAddress),
    payloadFile: values.payload,
    taskId: read('task', (id) => formatTaskId(parseTaskId(id))),
    transport: parseTransport(values.transport),
    asJson: values.json,
  };
}

function readValues(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean', default: false } as const;
    const options = {
      negotiation: text,
      to: text,
      payload: text,
      task: text,
      transport: { ...text, default: 'local' },
      json: flag,
      help: { ...flag, short: 'h' },
    } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new SvcError('USAGE', { reason: (error as Error).message }, error);
  }
}

function usage(reason: string): SvcError {
  return new SvcError('USAGE', { reason });
}
