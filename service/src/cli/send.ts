// `svc send`: sends one message of a negotiation.
import { randomUUID } from 'node:crypto';
import { SvcError } from '@svc/sdk/domain';
import { buildLinkTypedData } from '@svc/sdk/negotiation';
import type { PrivateKeyAccount } from 'viem/accounts';
import { type Mailbox, openMailbox, readAccount } from '#app/mailbox.ts';
import { type Config, readConfig } from '#config.ts';
import type { Message } from '#messages/agent.ts';
import { createAcceptance } from './acceptance.ts';
import { readJsonInput } from './jsonInput.ts';
import { createPlaceCheck } from './placeCheck.ts';
import { parseSendArguments, type SendArguments, sendUsage } from './sendOptions.ts';
import { reportSent } from './sendReport.ts';

export const usage = sendUsage;

export async function run(args: readonly string[]): Promise<number> {
  const given = parseSendArguments(args);
  const config = readConfig();
  const account = readAccount(config);
  const mailbox = openMailbox(config, given.transport, account.address);
  try {
    const { type, taskId, to } = given;
    const negotiationId = given.negotiationId ?? randomUUID();
    const payload = await choosePayload(given, mailbox, account, config);
    const sent = await mailbox.agent.send(
      { type, negotiationId, taskId, payload },
      account.signTypedData,
      to,
    );
    return reportSent(sent, given);
  } finally {
    await mailbox.close();
  }
}

async function choosePayload(
  { type, payloadFile, digest }: SendArguments,
  mailbox: Mailbox,
  account: PrivateKeyAccount,
  config: Config,
): Promise<Message['payload']> {
  if (payloadFile !== undefined) return readJsonInput(payloadFile);
  if (type === 'TaskAcceptance')
    return createAcceptance(account, { digest, check: await createPlaceCheck(config, console.error) });
  if (type === 'IdentityLink') return buildLink(mailbox, account);
  const reason = `svc send ${type} needs --payload <file>; see docs/schemas/${type}.json.`;
  throw new SvcError('USAGE', { reason });
}

async function buildLink({ agent }: Mailbox, account: PrivateKeyAccount) {
  const link = {
    xmtpPublicKey: await agent.readPublicKey(),
    evmAddress: account.address,
    issuedAt: Math.floor(Date.now() / 1_000),
  };
  return { ...link, signature: await account.signTypedData(buildLinkTypedData(link)) };
}
