// The command line of `svc send`.

import type { Hash } from '@svc/sdk/domain';
import { type Address, formatTaskId, parseAddress, parseTaskId, SvcError } from '@svc/sdk/domain';
import { isMessageType, type MessageType, messageTypes } from '@svc/sdk/schemas';
import { parseTransport, transportOption } from '#app/mailbox.ts';
import type { TransportName } from '#messages/transport.ts';
import { parseOptions, readValue, text } from './options.ts';
import type { Usage } from './usage.ts';

export const sendUsage = {
  command: 'send',
  synopsis: ['<type> --negotiation <id> [options]', '<type> --to <address> [options]'],
  about: 'Sends one message of a negotiation, signed with the key in PRIVATE_KEY.',
  words: 1,
  wordList: { type: `one of ${messageTypes.join(', ')}` },
  options: {
    negotiation: text('<id>', 'the negotiation; svc inbox lists them'),
    to: text('<address>', 'start a negotiation with this wallet instead'),
    payload: text(
      '<file>',
      'JSON of the payload; - is standard input; docs/schemas tells what each type requires',
    ),
    digest: text(
      '<digest>',
      'with TaskAcceptance: accept the offer with this settlementDigest and no other; svc inbox shows it',
    ),
    task: text(
      '<id>',
      'the task that the negotiation has led to, once there is one; later messages name it again',
    ),
    transport: transportOption,
  },
  json: 'print the result as one line of JSON',
  notes: [
    'Without a payload: TaskAcceptance accepts the last offer and signs its terms, if they are for the chain and the registry of the market at SVC_SITE_URL or in SVC_DEPLOYMENT; IdentityLink links this wallet to its XMTP key.',
  ],
  examples: ['svc send TaskAcceptance --negotiation 5f0c9a52-6a3e-4a53-9c6c-0d9b8a1f7f10 --digest "$DIGEST"'],
} as const satisfies Usage;

export type SendArguments = {
  readonly type: MessageType;
  readonly negotiationId: string | undefined;
  readonly to: Address | undefined;
  readonly payloadFile: string | undefined;
  readonly digest: Hash | undefined;
  readonly taskId: string | undefined;
  readonly transport: TransportName;
  readonly asJson: boolean;
};

/** Throws USAGE that names what is missing, unknown or wrong. */
export function parseSendArguments(args: readonly string[]): SendArguments {
  const { values, words } = parseOptions(sendUsage, args);
  const [type = ''] = words;
  if (!isMessageType(type)) throw usage(`svc send needs a type: ${messageTypes.join(', ')}.`);
  if ((values.negotiation === undefined) === (values.to === undefined))
    throw usage('svc send needs either --negotiation <id> or --to <address>.');
  if (values.digest !== undefined && (type !== 'TaskAcceptance' || values.payload !== undefined))
    throw usage('--digest goes with TaskAcceptance, without --payload.');
  return {
    type,
    negotiationId: values.negotiation,
    to: readValue('to', values.to, parseAddress),
    payloadFile: values.payload,
    digest: readValue('digest', values.digest, parseDigest),
    taskId: readValue('task', values.task, (id) => formatTaskId(parseTaskId(id))),
    transport: parseTransport(values.transport),
    asJson: values.json,
  };
}

function parseDigest(value: string): Hash {
  if (!/^0x[0-9a-fA-F]{64}$/.test(value)) throw usage('must be 0x and 64 hexadecimal digits.');
  return value.toLowerCase() as Hash;
}

function usage(reason: string): SvcError {
  return new SvcError('USAGE', { reason });
}
