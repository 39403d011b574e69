// What the commands of a negotiation share: the wallet's mailbox, acceptances, JSON input and the report of a message.

import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { createDigestReader, createRpc } from '@svc/sdk/chain';
import { signDocument } from '@svc/sdk/client';
import { type Address, SvcError, verifyPlainAccount } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { toShown } from '@svc/sdk/internal/domain/text';
import { buildAgreementTypedData } from '@svc/sdk/internal/rules/terms';
import { messageRoutes } from '@svc/sdk/internal/schemas/messages';
import type { Transcript } from '@svc/sdk/negotiation';
import { findMeant } from '@svc/sdk/negotiation';
import { type Hex, keccak256, stringToBytes } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import * as z from 'zod';
import { requireFile } from '../app/durableFile.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { createAgent, type Message, type Sent } from '../messages/agent.ts';
import { createNegotiationStore } from '../messages/negotiationStore.ts';
import { createBothTransport, createRelayTransport } from '../messages/relayTransport.ts';
import {
  createLocalTransport,
  type Transport,
  type TransportName,
  transportNames,
} from '../messages/transport.ts';
import { connectXmtp, createXmtpTransport } from '../messages/xmtp.ts';
import { parseOneOf, text, usageError } from './options.ts';

export const transportOption = text(
  '<name>',
  'relay (default where a gateway answers at SVC_GATEWAY_URL), local (default otherwise), xmtp, or relay+xmtp',
  parseOneOf(transportNames),
);

/** Throws KEY_MISSING without PRIVATE_KEY. */
export function readAccount({ privateKey }: Config): PrivateKeyAccount {
  if (privateKey === undefined) throw new OperatorError('KEY_MISSING', {});
  return privateKeyToAccount(privateKey.reveal() as Hex);
}

export type Mailbox = ReturnType<typeof openMailbox>;

const probeMs = 2_000;

/** The transport that was asked for, else the relay where a gateway answers, else the local mailbox. */
export async function chooseTransport(
  { gatewayUrl }: Config,
  given: TransportName | undefined,
): Promise<TransportName> {
  if (given !== undefined) return given;
  const url = new URL(messageRoutes.mailbox.path, gatewayUrl);
  const answer = await fetch(url, { signal: AbortSignal.timeout(probeMs) }).catch(() => null);
  const body = (await answer?.json().catch(() => null)) as { readonly code?: unknown } | null;
  return body?.code === 'SESSION_REQUIRED' ? 'relay' : 'local';
}

export function openMailbox(config: Config, transportName: TransportName, address: Address) {
  const { dataDir, rpcUrls } = config;
  const store = createNegotiationStore(join(dataDir, 'negotiations.sqlite'), address);
  const transport = openTransport(config, transportName, address);
  // Signatures of plain accounts need no chain. Smart wallets are asked where RPCs are configured.
  const verify =
    rpcUrls.length === 0
      ? verifyPlainAccount
      : createDigestReader(createRpc({ urls: rpcUrls.map((url) => url.reveal()), rounds: 1 }));
  return {
    address,
    agent: createAgent({ address, store, transport, verify, now: () => new Date() }),
    store,
    transport: transportName,
    close: async (): Promise<void> => {
      await transport.close();
      store.close();
    },
  };
}

function openTransport(config: Config, name: TransportName, address: Address): Transport {
  if (name === 'local') return createLocalTransport(join(config.dataDir, 'mail.sqlite'), address);
  if (name === 'xmtp') return openXmtp(config);
  const relay = createRelayTransport({ gatewayUrl: config.gatewayUrl, wallet: readAccount(config) });
  return name === 'relay' ? relay : createBothTransport(relay, openXmtp(config));
}

function openXmtp(config: Config): Transport {
  const account = readAccount(config);
  const { xmtpEnv: network } = config;
  const databasePath = placeXmtpDatabase(config, account.address);
  // Derived from the wallet's key, so that only that key is needed to open the database again.
  const databaseKey = keccak256(stringToBytes(`svc xmtp database ${config.privateKey?.reveal()}`));
  const signMessage = (message: string) => account.signMessage({ message });
  return createXmtpTransport({ network }, () =>
    connectXmtp({ address: account.address, signMessage, network, databasePath, databaseKey }),
  );
}

export function placeXmtpDatabase({ xmtpDbPath, xmtpEnv, dataDir }: Config, wallet: Address): string {
  return xmtpDbPath ?? join(dataDir, `xmtp-${xmtpEnv}-${addressKey(wallet)}.db3`);
}

export function findTranscript({ agent }: Mailbox, negotiationId: string): Transcript {
  const transcript = agent.findTranscript(negotiationId);
  if (transcript === undefined) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId });
  return transcript;
}

/**
 * Signs the offer with this digest, which the user has read: the payload of a TaskAcceptance. Throws OFFER_CHANGED where another one
 * is open, NEGOTIATION_CLOSED after a veto and where none is, TERMS_INVALID for terms of another market.
 */
export async function acceptOffer(
  account: PrivateKeyAccount,
  transcript: Transcript,
  settlementDigest: Hex,
  market: Parameters<typeof findMeant>[3],
) {
  const { hash: offerHash, terms } = findMeant(transcript, account.address, { settlementDigest }, market);
  const signature = await signDocument(account, buildAgreementTypedData(terms));
  return { offerHash, settlementDigest, signature };
}

/** "-" is standard input. Throws USAGE where it is no JSON object, FILE_UNUSABLE where there is no file. */
export async function readJsonInput(path: string): Promise<Record<string, unknown>> {
  const source = path === '-' ? await readAll(process.stdin) : requireFile(path);
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(source));
  } catch {
    const where = path === '-' ? 'Standard input' : path;
    throw usageError(`${where} must hold one JSON object.`);
  }
}

/** Sends the message that `build` returns, with the key in PRIVATE_KEY. Returns the exit code. */
export async function sendMessage(
  config: Config,
  given: { transport: TransportName | undefined; to: Address | undefined; json: boolean },
  build: (mailbox: Mailbox, account: PrivateKeyAccount) => Promise<Message>,
): Promise<number> {
  const account = readAccount(config);
  const transport = await chooseTransport(config, given.transport);
  const mailbox = openMailbox(config, transport, account.address);
  try {
    const message = await build(mailbox, account);
    const sent = await mailbox.agent.send(message, account.signTypedData, given.to);
    return reportSent(sent, transport, given.json);
  } finally {
    await mailbox.close();
  }
}

/** Returns the exit code: 1 while the message is in the outbox. */
function reportSent({ signed, to, kept }: Sent, transport: TransportName, json: boolean): number {
  const { hash, envelope } = signed;
  const { type, negotiationId, sequence, payload } = envelope;
  const { settlementDigest } = payload;
  // JSON leaves out what is undefined.
  const state = { transport, settlementDigest, delivered: kept === null, kept: kept ?? undefined };
  const words = `${toShown(type)}, message ${sequence} of the negotiation ${negotiationId}, to ${to}`;
  console.log(json ? JSON.stringify({ negotiationId, type, sequence, hash, to, ...state }) : words);
  if (kept === null) return 0;
  console.error(
    `${kept}\nIt is kept in the outbox; the next svc send or svc inbox sends it. Do not send it again.`,
  );
  return 1;
}
