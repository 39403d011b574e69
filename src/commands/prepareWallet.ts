// The wallet that a command line names.
import { join } from 'node:path';
import type { Hex, TypedDataDefinition } from 'viem';
import { type AskedCalls, readCallsOutcome } from '#chain/callsOutcome.ts';
import { createSignatureReader } from '#chain/signedBy.ts';
import type { Config } from '#config.ts';
import type { Address } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import type { Hash } from '#domain/task.ts';
import { createAuthorization } from '#tools/wallet/authorization.ts';
import { createKeyWallet } from '#tools/wallet/keyWallet.ts';
import { createLocalWallet } from '#tools/wallet/localWallet.ts';
import { isAddressOfServer, openToolClient } from '#tools/wallet/toolClient.ts';
import { createToolWallet, type Proof } from '#tools/wallet/toolWallet.ts';
import type { Wallet } from '#tools/wallet/wallet.ts';
import { type Connection, isOnThisMachine } from './connect.ts';
import type { PrepareOptions } from './prepareOptions.ts';
import { createSecretFile } from './secretFile.ts';
import { readVersion } from './version.ts';

/** Null where nobody is to be asked. */
export async function openWallet(
  options: PrepareOptions,
  config: Config,
  connection: Connection,
): Promise<Wallet | null> {
  switch (options.wallet) {
    case 'none':
      return null;
    case 'local':
      return createLocalWallet(config.gatewayUrl);
    case 'key':
      return openKeyWallet(options, config, connection);
    case 'mcp':
      return openToolWallet(options, config, connection);
  }
}

async function openKeyWallet(
  { isConsented }: PrepareOptions,
  { privateKey }: Config,
  { isEmbedded, rpcUrls }: Connection,
): Promise<Wallet> {
  if (privateKey === undefined) throw new SvcError('KEY_MISSING', {});
  if (!isConsented && !(await isEmbedded())) throw new SvcError('KEY_NEEDS_CONSENT', {});
  return createKeyWallet({ privateKey: privateKey.reveal() as Hex, rpcUrls });
}

async function openToolWallet(
  { walletServer: server }: PrepareOptions,
  config: Config,
  connection: Connection,
): Promise<Wallet> {
  if (server === undefined)
    throw new SvcError('USAGE', { reason: '--wallet mcp needs --wallet-server <url or command>.' });
  // It would send what is meant for the embedded chain to the real one, where it means something else or nothing.
  const isElsewhere = isAddressOfServer(server) && !isOnThisMachine(server);
  if (isElsewhere && (await connection.isEmbedded()))
    throw new SvcError('WALLET_REFUSED', { reason: 'it is elsewhere and cannot reach the embedded chain' });
  const grants = createSecretFile(join(config.dataDir, 'wallet-grants.json'));
  const authorization = createAuthorization(server, grants, (text) => console.error(text));
  const client = await openToolClient({ server, version: readVersion(), authorization });
  return createToolWallet(client, createProof(connection, config));
}

function createProof({ rpc, rpcUrls }: Connection, { confirmations }: Config): Proof {
  const isSignedBy = createSignatureReader(rpcUrls);
  return {
    ofCalls: ({ from, calls }, hashes, since) =>
      readCallsOutcome(rpc, { from, calls, since } as unknown as AskedCalls, hashes as Hash[], confirmations),
    ofSignature: ({ from, typedData }, signature) =>
      isSignedBy(from as Address, typedData as unknown as TypedDataDefinition, signature as Hash),
  };
}
