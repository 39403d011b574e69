// Opens wallets whose requests are saved in the data folder, and reads requests that an earlier process made.

import { join } from 'node:path';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { withLock } from '../store/localFiles.ts';
import { createAuthorization, type ShowPage } from '../wallet/authorization.ts';
import { type GrantStore, renewalTimeoutMs } from '../wallet/grants.ts';
import { checkKeyRequest } from '../wallet/keyWallet.ts';
import { createLocalWallet, createRequestPages } from '../wallet/localWallet.ts';
import { createRequestFile, type RequestFile, type SavedRequest, toAnswer } from '../wallet/requestFile.ts';
import { createRequestChain, isOpen, type RequestChain } from '../wallet/requestMachine.ts';
import { openToolClient } from '../wallet/toolClient.ts';
import { createToolWallet } from '../wallet/toolWallet.ts';
import type { Wallet, WalletGuard } from '../wallet/walletInterface.ts';
import { type Connection, requireGatewayOf } from './connect.ts';
import { ownerOnly, readFile, replaceFile } from './durableFile.ts';
import { readVersion } from './packageFiles.ts';

export function openRequestFile({ dataDir }: Config): RequestFile {
  return createRequestFile(join(dataDir, 'wallet-requests.sqlite'));
}

/** `show` prints where the owner allows it; null where no user is present. */
export async function openToolWallet(
  server: string,
  config: Config,
  connection: Connection,
  show: ShowPage | null,
  guard?: WalletGuard,
): Promise<Wallet> {
  const grants = createGrantFile(join(config.dataDir, 'wallet-grants.json'));
  const authorization = createAuthorization(server, grants, show);
  const client = await openToolClient({ server, version: readVersion(), authorization });
  return createToolWallet(client, {
    requests: openRequestFile(config),
    requestChain: connectRequestChain(connection, config),
    server,
    chainId: connection.chainId,
    chain: connection.genesisHash,
    guard,
    pages: createRequestPages(config.gatewayUrl, () => requireGatewayOf(connection, config.gatewayUrl)),
  });
}

/**
 * Reads what became of a request, whichever wallet got it: from the data folder where it is saved there, otherwise from
 * the gateway. `connect` is called where the chain has to be asked.
 */
export function createRequestReader(
  config: Config,
  connect: () => Promise<Connection>,
  show: ShowPage | null,
): Pick<Wallet, 'readStatus'> {
  const requests = openRequestFile(config);
  return {
    readStatus: async (requestId) => {
      const saved = requests.load(requestId);
      if (saved === undefined) return createLocalWallet(config.gatewayUrl).readStatus(requestId);
      if (!isOpen(saved)) return toAnswer(saved);
      const connection = await connect();
      // It stays open: it may still be executed on the chain it was made for.
      if (saved.chain !== connection.genesisHash)
        throw new OperatorError('WALLET_REQUEST_ELSEWHERE', { requestId, status: saved.status });
      if (saved.wallet === 'key' || saved.server === null) {
        const checked = await checkKeyRequest(saved, requests, connectRequestChain(connection, config));
        if (!isOpen(checked)) await reportToPage(checked, config);
        return toAnswer(checked);
      }
      const wallet = await openToolWallet(saved.server, config, connection, show);
      return wallet.readStatus(requestId).finally(wallet.close);
    },
  };
}

/** For a request whose own process may have ended before it could. */
export async function reportToPage(saved: SavedRequest, { gatewayUrl }: Config): Promise<void> {
  await createRequestPages(gatewayUrl).report(saved);
}

export function connectRequestChain({ rpc }: Connection, { confirmations }: Config): RequestChain {
  return createRequestChain(rpc, confirmations);
}

/** Longer than any renewal takes. */
const lockWaitMs = renewalTimeoutMs * 1.5;

/** What hosted wallet tool servers have granted; several processes share the file. */
export function createGrantFile(path: string): GrantStore {
  return {
    load: () => readFile(path),
    save: (text) => replaceFile(path, text, ownerOnly),
    locked: async (work) => {
      const done = await withLock(`${path}.turn`, lockWaitMs, async () => ({ result: await work() }));
      if (done !== undefined) return done.result;
      const reason = 'another process is renewing its permission; try again later';
      throw new OperatorError('WALLET_REFUSED', { reason });
    },
  };
}
