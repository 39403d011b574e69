// Messages over the XMTP network, by its own SDK, which is loaded only when somebody uses it.

import { type Address, addressKey, SvcError, toShown } from '@svc/sdk/domain';
import type { Client, Signer } from '@xmtp/node-sdk';
import { type Hex, hexToBytes } from 'viem';
import type { Transport } from './transport.ts';
import { envelopeCodec, isEnvelopeContent } from './xmtpCodec.ts';

export type XmtpNetwork = 'production' | 'dev' | 'local';

export type XmtpOptions = {
  readonly address: Address;
  readonly signMessage: (message: string) => Promise<Hex>;
  readonly network: XmtpNetwork;
  /** The same file and key every time: each new pair is a new installation, and an inbox has ten at most. */
  readonly databasePath: string;
  readonly databaseKey: Hex;
};

/** What is used of the SDK's client. */
export type XmtpClient = {
  readonly installationId: string;
  readonly send: (to: Address, text: string) => Promise<void>;
  /** Envelopes that this database has taken in after that moment, in nanoseconds. */
  readonly listSince: (insertedAfterNs: bigint) => Promise<readonly string[]>;
};

/** Far more than a good network needs. */
const connectTimeoutMs = 30_000;
/** Read again every time; what is known already is recognised by its hash. */
const overlapNs = 60_000_000_000n;

export function createXmtpTransport(
  { network }: Pick<XmtpOptions, 'network'>,
  connect: () => Promise<XmtpClient>,
): Transport {
  let connection: Promise<XmtpClient> | undefined;

  /** One attempt for all that is under way; the next call after a failure tries anew. */
  async function use<Result>(work: (client: XmtpClient) => Promise<Result>): Promise<Result> {
    connection ??= connect();
    const current = connection;
    try {
      return await work(await current);
    } catch (error) {
      if (connection === current && (await isBroken(current))) connection = undefined;
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

/** A moment that has not come yet was told by a clock that was set back since: what came in between lies before it. */
function findStart(cursor: string | null, nowNs: bigint): bigint {
  const reached = BigInt(cursor ?? 0);
  return reached > nowNs || reached < overlapNs ? 0n : reached - overlapNs;
}

export async function connectXmtp(options: XmtpOptions): Promise<XmtpClient> {
  const sdk = await loadSdk();
  const client = await within(
    connectTimeoutMs,
    sdk.Client.create(buildSigner(options), {
      env: options.network,
      dbPath: options.databasePath,
      dbEncryptionKey: hexToBytes(options.databaseKey),
      codecs: [envelopeCodec],
    }) as Promise<Client<unknown>>,
  );
  return {
    installationId: client.installationId,
    async send(to, text) {
      const dm = await client.conversations.createDmWithIdentifier(toIdentifier(to));
      await dm.send(envelopeCodec.encode(text), { shouldPush: true });
    },
    async listSince(insertedAfterNs) {
      await client.conversations.syncAll();
      const texts = [];
      for (const dm of client.conversations.listDms()) {
        for (const { contentType, content } of await dm.messages({ insertedAfterNs }))
          if (isEnvelopeContent(contentType) && typeof content === 'string') texts.push(content);
      }
      return texts;
    },
  };
}

async function loadSdk() {
  try {
    return await import('@xmtp/node-sdk');
  } catch (error) {
    throw new SvcError('TRANSPORT_MISSING', {}, error);
  }
}

function buildSigner({ address, signMessage }: XmtpOptions): Signer {
  return {
    type: 'EOA',
    getIdentifier: () => toIdentifier(address),
    signMessage: async (message) => hexToBytes(await signMessage(message)),
  };
}

/** Kind 0 is Ethereum; the SDK's own name for it exists for the compiler only. */
function toIdentifier(address: Address) {
  return { identifier: addressKey(address), identifierKind: 0 };
}

async function isBroken(connection: Promise<unknown>): Promise<boolean> {
  return connection.then(
    () => false,
    () => true,
  );
}

function within<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), limitMs);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** The SDK's own words name endpoints; whoever runs the command needs the fact. */
function explain(error: unknown, network: XmtpNetwork): SvcError {
  if (error instanceof SvcError) return error;
  const words = error instanceof Error ? error.message : String(error);
  const isNetwork = /api client error|unavailable|dns error|transport error|connect|no answer/i.test(words);
  const reason = isNetwork ? `the network "${network}" does not answer` : toShown(words);
  return new SvcError('TRANSPORT_UNREACHABLE', { transport: 'XMTP', reason }, error);
}
