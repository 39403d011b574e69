// `svc send`: sends one message of a negotiation.

import { randomUUID } from 'node:crypto';
import { signDocument } from '@svc/sdk/client';
import { formatTaskId, parseAddress, parseTaskId, SvcError } from '@svc/sdk/domain';
import { toJsonTypedData } from '@svc/sdk/internal/actions/action';
import { latestBlock } from '@svc/sdk/internal/chain/rpcRequests';
import { buildLinkTypedData } from '@svc/sdk/internal/negotiation/verifyEnvelope';
import { isMessageType, type MessageType, messageTypes, readNegotiation } from '@svc/sdk/negotiation';
import type { Hex, TypedDataDefinition } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { connect } from '../app/connect.ts';
import { loadPolicy, openGuard } from '../app/signingWallet.ts';
import { type Config, readConfig } from '../config.ts';
import { OperatorError } from '../errors/operatorError.ts';
import type { Message } from '../messages/agent.ts';
import type { Policy } from '../policy/policyFile.ts';
import { createRequestId } from '../wallet/requestFile.ts';
import { acceptOffer, type Mailbox, readJsonInput, sendMessage, transportOption } from './negotiation.ts';
import { parseOptions, text, type Usage, usageError } from './options.ts';
import { policyOption } from './prepareOptions.ts';

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
    text: text('<text>', 'with Note: the message, instead of a payload'),
    digest: text(
      '<digest>',
      'with TaskAcceptance: accept the offer with this settlementDigest, which svc inbox shows, and no other',
      parseDigest,
    ),
    task: text(
      '<id>',
      'the task that the message is about, if there is one; later messages name it again',
      (id) => formatTaskId(parseTaskId(id)),
    ),
    policy: policyOption,
    transport: transportOption,
  },
  json: 'print the result as one line of JSON',
  notes: [
    'Without a payload: TaskAcceptance signs the terms of the offer with --digest, if it is still the last one and for the market at SVC_SITE_URL or in SVC_DEPLOYMENT; without an answer of site and chain it signs nothing. IdentityLink links this wallet to its XMTP key.',
  ],
  examples: ['svc send TaskAcceptance --negotiation 5f0c9a52-6a3e-4a53-9c6c-0d9b8a1f7f10 --digest "$DIGEST"'],
} as const satisfies Usage;

const digestMissing =
  'svc send TaskAcceptance needs --digest <settlementDigest>, that of the offer that you have read; svc inbox shows it.';

type SendArguments = ReturnType<typeof parseSendArguments>;

/** Throws USAGE that names what is missing, unknown or wrong. */
export function parseSendArguments(args: readonly string[]) {
  const { values, words } = parseOptions(usage, args);
  const [type = ''] = words;
  if (!isMessageType(type)) throw usageError(`svc send needs a type: ${messageTypes.join(', ')}.`);
  if ((values.negotiation === undefined) === (values.to === undefined))
    throw usageError('svc send needs either --negotiation <id> or --to <address>.');
  if (values.digest !== undefined && (type !== 'TaskAcceptance' || values.payload !== undefined))
    throw usageError('--digest goes with TaskAcceptance, without --payload.');
  if (type === 'TaskAcceptance' && values.payload === undefined && values.digest === undefined)
    throw usageError(digestMissing);
  if (values.text !== undefined && (type !== 'Note' || values.payload !== undefined))
    throw usageError('--text goes with Note, without --payload.');
  return { ...values, type: type as MessageType };
}

function parseDigest(value: string): Hex {
  if (!/^0x[0-9a-fA-F]{64}$/.test(value)) throw usageError('must be 0x and 64 hexadecimal digits.');
  return value.toLowerCase() as Hex;
}

export async function run(args: readonly string[]): Promise<number> {
  const given = parseSendArguments(args);
  const config = readConfig();
  const code = await sendMessage(config, given, async (mailbox, account) => ({
    type: given.type,
    negotiationId: given.negotiation ?? randomUUID(),
    taskId: given.task,
    payload: await choosePayload(given, mailbox, account, config),
  }));
  if (given.type === 'RevisionRequest') console.error(reviewRunsOn);
  return code;
}

const reviewRunsOn =
  'The review period runs on: the contracts know nothing of this request. Dispute or settle before it ends, else the delivery counts as accepted.';

async function choosePayload(
  { type, payload, digest, text: words, task, to, policy }: SendArguments,
  mailbox: Mailbox,
  account: PrivateKeyAccount,
  config: Config,
): Promise<Message['payload']> {
  if (words !== undefined) return { text: words, ...(task !== undefined && { about: task }) };
  if (payload !== undefined) {
    const given = await readJsonInput(payload);
    return to === undefined ? withDocument(type, given) : given;
  }
  if (type === 'TaskAcceptance') {
    if (digest === undefined) throw usageError(digestMissing);
    const file = policy ?? config.policyFile;
    const signer = file === undefined ? account : guardAccount(account, loadPolicy(file), config);
    // What is signed binds: without the market and the clock of its chain nothing is.
    return async (transcript) => {
      const registries = await connect(config);
      try {
        const { time } = await registries.rpc.ask(latestBlock());
        return await acceptOffer(signer, transcript, digest, { registries, time });
      } finally {
        registries.close();
      }
    };
  }
  if (type === 'IdentityLink') return buildLink(mailbox, account);
  throw usageError(`svc send ${type} needs --payload <file>; see docs/schemas/${type}.json.`);
}

/** The account, which signs only what the policy allows. Throws POLICY_ASKS_OWNER with the request to the owner. */
function guardAccount(account: PrivateKeyAccount, policy: Policy, config: Config): PrivateKeyAccount {
  const { address: from } = account;
  const signTypedData = async (typedData: TypedDataDefinition) => {
    const connection = await connect(config);
    try {
      const id = createRequestId('key');
      const guard = openGuard(policy, config, connection);
      const request = {
        kind: 'signature',
        action: 'create-task',
        summary: 'Accept the terms of a task',
        chainId: connection.chainId,
        from,
        typedData: toJsonTypedData(typedData),
      } as const;
      const asked = await guard.admit({ id, wallet: 'key', request });
      if (asked === null) return await signDocument(account, typedData);
      const { requestId, approvalUrl, askedBecause: reasons = [] } = asked;
      const details = { requestId, approvalUrl: String(approvalUrl), reasons: reasons.join(' ') };
      throw new OperatorError('POLICY_ASKS_OWNER', details);
    } finally {
      connection.close();
    }
  };
  return { ...account, signTypedData: signTypedData as PrivateKeyAccount['signTypedData'] };
}

/** For a private task the chain shows only a hash: the document reaches the other party with this message or never. */
function withDocument(type: MessageType, payload: Record<string, unknown>): Message['payload'] {
  if (type !== 'DeliveryNotice' && type !== 'DisputeEvidence') return payload;
  return async (transcript) => {
    const { offer, agreement } = readNegotiation(transcript);
    const { scope } = agreement?.terms ?? offer?.terms ?? {};
    const reason = `The task is private, so ${type} must carry the document that the hash on chain is of.`;
    if (scope === 'private' && payload.document === undefined)
      throw new SvcError('ENVELOPE_INVALID', { reason });
    return payload;
  };
}

async function buildLink({ agent }: Mailbox, account: PrivateKeyAccount) {
  const link = {
    xmtpPublicKey: await agent.readPublicKey(),
    evmAddress: account.address,
    issuedAt: Math.floor(Date.now() / 1_000),
  };
  return { ...link, signature: await signDocument(account, buildLinkTypedData(link)) };
}
