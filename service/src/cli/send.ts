// `svc send`: sends one message of a negotiation.
import { randomUUID } from 'node:crypto';
import { formatTaskId, type Hash, parseAddress, parseTaskId, SvcError } from '@svc/sdk/domain';
import { buildLinkTypedData } from '@svc/sdk/negotiation';
import { isMessageType, type MessageType, messageTypes } from '@svc/sdk/schemas';
import type { PrivateKeyAccount } from 'viem/accounts';
import { type Config, readConfig } from '#config.ts';
import type { Message } from '#messages/agent.ts';
import {
  chooseTransport,
  createAcceptance,
  createPlaceCheck,
  type Mailbox,
  openMailbox,
  readAccount,
  readJsonInput,
  reportSent,
  transportOption,
} from './negotiation.ts';
import { parseOptions, text, type Usage } from './options.ts';

export const usage = {
  command: 'send',
  synopsis: ['<type> --negotiation <id> [options]', '<type> --to <address> [options]'],
  about: 'Sends one message of a negotiation, signed with the key in PRIVATE_KEY.',
  words: 1,
  wordList: { type: `one of ${messageTypes.join(', ')}` },
  options: {
    negotiation: text('<id>', 'the negotiation; svc inbox lists them'),
    to: text('<address>', 'start a negotiation with this wallet instead', parseAddress),
    payload: text(
      '<file>',
      'JSON of the payload; - is standard input; docs/schemas describes the payload of each type',
    ),
    digest: text(
      '<digest>',
      'with TaskAcceptance: accept the offer with this settlementDigest and no other; svc inbox shows it',
      parseDigest,
    ),
    task: text(
      '<id>',
      'the task that the negotiation has led to, if there is one; later messages name it again',
      (id) => formatTaskId(parseTaskId(id)),
    ),
    transport: transportOption,
  },
  json: 'print the result as one line of JSON',
  notes: [
    'Without a payload: TaskAcceptance accepts the last offer and signs its terms, if they are for the chain and the registry of the market at SVC_SITE_URL or in SVC_DEPLOYMENT; IdentityLink links this wallet to its XMTP key.',
  ],
  examples: ['svc send TaskAcceptance --negotiation 5f0c9a52-6a3e-4a53-9c6c-0d9b8a1f7f10 --digest "$DIGEST"'],
} as const satisfies Usage;

type SendArguments = ReturnType<typeof parseSendArguments>;

/** Throws USAGE that names what is missing, unknown or wrong. */
export function parseSendArguments(args: readonly string[]) {
  const { values, words } = parseOptions(usage, args);
  const [type = ''] = words;
  if (!isMessageType(type)) throw wrong(`svc send needs a type: ${messageTypes.join(', ')}.`);
  if ((values.negotiation === undefined) === (values.to === undefined))
    throw wrong('svc send needs either --negotiation <id> or --to <address>.');
  if (values.digest !== undefined && (type !== 'TaskAcceptance' || values.payload !== undefined))
    throw wrong('--digest goes with TaskAcceptance, without --payload.');
  return { ...values, type: type as MessageType };
}

function parseDigest(value: string): Hash {
  if (!/^0x[0-9a-fA-F]{64}$/.test(value)) throw wrong('must be 0x and 64 hexadecimal digits.');
  return value.toLowerCase() as Hash;
}

function wrong(reason: string): SvcError {
  return new SvcError('USAGE', { reason });
}

export async function run(args: readonly string[]): Promise<number> {
  const given = parseSendArguments(args);
  const config = readConfig();
  const account = readAccount(config);
  const transport = await chooseTransport(config, given.transport);
  const mailbox = openMailbox(config, transport, account.address);
  try {
    const message = {
      type: given.type,
      negotiationId: given.negotiation ?? randomUUID(),
      taskId: given.task,
      payload: await choosePayload(given, mailbox, account, config),
    };
    return reportSent(await mailbox.agent.send(message, account.signTypedData, given.to), {
      ...given,
      transport,
    });
  } finally {
    await mailbox.close();
  }
}

async function choosePayload(
  { type, payload, digest }: SendArguments,
  mailbox: Mailbox,
  account: PrivateKeyAccount,
  config: Config,
): Promise<Message['payload']> {
  if (payload !== undefined) return readJsonInput(payload);
  if (type === 'TaskAcceptance')
    return createAcceptance(account, { digest, check: await createPlaceCheck(config, console.error) });
  if (type === 'IdentityLink') return buildLink(mailbox, account);
  throw wrong(`svc send ${type} needs --payload <file>; see docs/schemas/${type}.json.`);
}

async function buildLink({ agent }: Mailbox, account: PrivateKeyAccount) {
  const link = {
    xmtpPublicKey: await agent.readPublicKey(),
    evmAddress: account.address,
    issuedAt: Math.floor(Date.now() / 1_000),
  };
  return { ...link, signature: await account.signTypedData(buildLinkTypedData(link)) };
}
