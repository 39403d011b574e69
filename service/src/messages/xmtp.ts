// Messages over the XMTP network. Its SDK is not part of the installation and is loaded when the transport is used. A
// signed envelope is a message of the content type svc/negotiation-envelope:1.0 with the text as UTF-8.

import { type Address, SvcError } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { within } from '@svc/sdk/internal/domain/backoff';
import { toShown } from '@svc/sdk/internal/domain/text';
import { parseWire } from '@svc/sdk/negotiation';
import type { ContentCodec, ContentTypeId, Signer } from '@xmtp/node-sdk';
import { type Hex, hexToBytes } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import { keepFor } from '../store/keepFor.ts';
import type { Transport } from './transport.ts';

export type XmtpNetwork = 'production' | 'dev' | 'local';
export type XmtpSdk = Pick<typeof import('@xmtp/node-sdk'), 'Client'>;

export type XmtpOptions = {
  readonly address: Address;
  readonly signMessage: (message: string) => Promise<Hex>;
  readonly network: XmtpNetwork;
  /** The same file and key every time: each new pair is a new installation, and an inbox has ten at most. */
  readonly databasePath: string;
  readonly databaseKey: Hex;
};

export type XmtpClient = {
  readonly installationId: string;
  readonly send: (to: Address, text: string) => Promise<void>;
  /** Envelopes that the local database has stored after that time, in nanoseconds. */
  readonly listSince: (insertedAfterNs: bigint) => Promise<readonly string[]>;
};

/** Far more than a good network takes. */
const connectTimeoutMs = 30_000;
/** Read again every time; known envelopes are recognised by their hash. */
const overlapNs = 60_000_000_000n;

export function createXmtpTransport(
  { network }: Pick<XmtpOptions, 'network'>,
  connect: () => Promise<XmtpClient>,
): Transport {
  /** One attempt for all calls that are running; the next call after a failure tries again. */
  const connectOnce = keepFor(Number.POSITIVE_INFINITY, connect);

  async function use<Result>(work: (client: XmtpClient) => Promise<Result>): Promise<Result> {
    try {
      return await work(await connectOnce());
    } catch (error) {
      throw explain(error, network);
    }
  }

  return {
    name: 'xmtp',
    readPublicKey: () => use(async ({ installationId }) => installationId),
    send: (to, text) => use((client) => client.send(to, text)),
    receive: (cursor) =>
      use(async (client) => {
        const startedNs = BigInt(Date.now()) * 1_000_000n;
        return { texts: await client.listSince(findStart(cursor, startedNs)), cursor: String(startedNs) };
      }),
    close: async () => undefined,
  };
}

/** A cursor in the future comes from a clock that was set back since: everything is read again. */
function findStart(cursor: string | null, nowNs: bigint): bigint {
  const reached = BigInt(cursor ?? 0);
  return reached > nowNs || reached < overlapNs ? 0n : reached - overlapNs;
}

/** Throws TRANSPORT_MISSING where the package is not installed. */
export async function connectXmtp(
  options: XmtpOptions,
  load: () => Promise<XmtpSdk> = () => import('@xmtp/node-sdk'),
): Promise<XmtpClient> {
  const { Client } = await load().catch((error: unknown) => {
    const isMissing = (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND';
    throw isMissing ? new OperatorError('TRANSPORT_MISSING', {}, error) : error;
  });
  const client = await within(
    connectTimeoutMs,
    Client.create(buildSigner(options), {
      env: options.network,
      dbPath: options.databasePath,
      dbEncryptionKey: hexToBytes(options.databaseKey),
      codecs: [envelopeCodec],
    }),
    () => new Error('no answer in time'),
  );
  const { conversations } = client;
  return {
    installationId: client.installationId,
    async send(to, text) {
      const dm = await conversations.createDmWithIdentifier(toIdentifier(to));
      await dm.send(envelopeCodec.encode(text), { shouldPush: true });
    },
    async listSince(insertedAfterNs) {
      await conversations.syncAll();
      const texts = [];
      for (const dm of conversations.listDms()) {
        for (const { contentType, content } of await dm.messages({ insertedAfterNs }))
          if (isEnvelopeContent(contentType) && typeof content === 'string') texts.push(content);
      }
      return texts;
    },
  };
}

function buildSigner({ address, signMessage }: XmtpOptions): Signer {
  return {
    type: 'EOA',
    getIdentifier: () => toIdentifier(address),
    signMessage: async (message) => hexToBytes(await signMessage(message)),
  };
}

/** Kind 0 is Ethereum; the SDK's enum for it exists only at compile time. */
function toIdentifier(address: Address) {
  return { identifier: addressKey(address), identifierKind: 0 };
}

/** The SDK's network errors name endpoints; users need the fact. */
function explain(error: unknown, network: XmtpNetwork): SvcError | OperatorError {
  if (error instanceof SvcError) return error;
  const words = error instanceof Error ? error.message : String(error);
  const isNetwork = /api client error|unavailable|dns error|transport error|connect|no answer/i.test(words);
  const reason = isNetwork ? `the network "${network}" does not answer` : toShown(words);
  return new OperatorError('TRANSPORT_UNREACHABLE', { transport: 'XMTP', reason }, error);
}

const envelopeContentType: ContentTypeId = {
  authorityId: 'svc',
  typeId: 'negotiation-envelope',
  versionMajor: 1,
  versionMinor: 0,
};

/** Carries the wire text unchanged. Whether it is an envelope is checked where all arrivals are. */
export const envelopeCodec: ContentCodec = {
  contentType: envelopeContentType,
  encode: (text) => ({
    type: envelopeContentType,
    parameters: {},
    fallback: describe(text),
    content: new TextEncoder().encode(text),
  }),
  /** Invalid UTF-8 becomes a text that the check refuses. A byte order mark stays, so it is refused as well. */
  decode: ({ content }) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(content),
  fallback: describe,
  shouldPush: () => true,
};

export function isEnvelopeContent(type: ContentTypeId | undefined): boolean {
  const { authorityId, typeId, versionMajor } = envelopeContentType;
  return type?.authorityId === authorityId && type.typeId === typeId && type.versionMajor === versionMajor;
}

/** One line for messengers that do not know the content type. */
function describe(text: string): string {
  const parsed = parseWire(text);
  if ('refusal' in parsed) return 'A message of a task negotiation.';
  const { type, sequence, negotiationId } = parsed.signed.envelope;
  return `${toShown(type)}, message ${sequence} of the task negotiation ${negotiationId}.`;
}
