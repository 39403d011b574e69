// What was handed to a key or to a wallet tool server, found again by a later process in the data folder.
import { join } from 'node:path';
import { type AskedCalls, createSignatureReader, readCallsOutcome } from '@svc/sdk/chain';
import type { Address, Hash } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import type { TypedDataDefinition } from 'viem';
import type { Config } from '#config.ts';
import { createAuthorization, type ShowPage } from '#wallet/authorization.ts';
import { readKeyRequest, toAnswer } from '#wallet/keptRequest.ts';
import { createLocalWallet } from '#wallet/localWallet.ts';
import type { Proof } from '#wallet/proof.ts';
import { createRequestBook, type RequestBook } from '#wallet/requestBook.ts';
import { openToolClient } from '#wallet/toolClient.ts';
import { createToolWallet } from '#wallet/toolWallet.ts';
import type { Wallet } from '#wallet/wallet.ts';
import type { Connection } from './connect.ts';
import { createGrantFile } from './grantFile.ts';
import { readVersion } from './packageFiles.ts';

export function openRequestBook({ dataDir }: Config): RequestBook {
  return createRequestBook(join(dataDir, 'wallet-requests.sqlite'));
}

/** `show` is told where the owner allows it; null where nobody is there to read that. */
export async function openToolWallet(
  server: string,
  config: Config,
  connection: Connection,
  show: ShowPage | null,
): Promise<Wallet> {
  const grants = createGrantFile(join(config.dataDir, 'wallet-grants.json'));
  const authorization = createAuthorization(server, grants, show);
  const client = await openToolClient({ server, version: readVersion(), authorization });
  return createToolWallet(client, {
    proof: createProof(connection, config),
    book: openRequestBook(config),
    server,
    chain: connection.genesisHash,
  });
}

/**
 * Reads what became of a request, whichever wallet was handed it: in the book where it is kept there, at the gateway
 * otherwise. `connect` is called where the chain has to be asked.
 */
export function createRequestReader(
  config: Config,
  connect: () => Promise<Connection>,
  show: ShowPage | null,
): Pick<Wallet, 'readStatus'> {
  const book = openRequestBook(config);
  return {
    readStatus: async (requestId) => {
      const kept = book.load(requestId);
      if (kept === undefined) return createLocalWallet(config.gatewayUrl).readStatus(requestId);
      const isDecided = kept.status !== 'pending' && kept.status !== 'submitted';
      if (isDecided) return toAnswer(kept);
      const connection = await connect();
      // Perhaps an embedded one that is gone. It stays as it is: on the chain it was meant for it may yet be done.
      if (kept.chain !== connection.genesisHash)
        throw new SvcError('WALLET_REQUEST_ELSEWHERE', { requestId, status: kept.status });
      if (kept.wallet === 'key' || kept.server === null)
        return toAnswer(await readKeyRequest(kept, book, createProof(connection, config)));
      const wallet = await openToolWallet(kept.server, config, connection, show);
      return wallet.readStatus(requestId).finally(wallet.close);
    },
  };
}

export function createProof({ rpc, rpcUrls }: Connection, { confirmations }: Config): Proof {
  const isSignedBy = createSignatureReader(rpcUrls);
  return {
    ofCalls: ({ from, calls }, hashes, since) =>
      readCallsOutcome(rpc, { from, calls, since } as unknown as AskedCalls, hashes as Hash[], confirmations),
    ofSignature: ({ from, typedData }, signature) =>
      isSignedBy(from as Address, typedData as unknown as TypedDataDefinition, signature as Hash),
  };
}
