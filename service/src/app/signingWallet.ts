// Opens the wallets that sign without a page of the gateway, a key or a wallet tool server, each behind the spending
// policy if there is one.

import { realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SvcError } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { createLedger, type Ledger } from '../policy/decisionLog.ts';
import { createPolicyGuard } from '../policy/guard.ts';
import { type Policy, parsePolicy } from '../policy/policyFile.ts';
import { createSecret, type Secret } from '../secrets.ts';
import { createKeyWallet } from '../wallet/keyWallet.ts';
import { createLocalWallet, createRequestPages } from '../wallet/localWallet.ts';
import { isAddressOfServer } from '../wallet/toolClient.ts';
import type { Wallet, WalletGuard } from '../wallet/walletInterface.ts';
import { buildMarketAccess, type Connection, isOnThisMachine, requireGatewayOf } from './connect.ts';
import { requireFile } from './durableFile.ts';
import { connectRequestChain, openRequestFile, openToolWallet } from './walletRequests.ts';

export type SigningOptions = {
  readonly wallet: 'key' | 'mcp';
  readonly walletServer: string | undefined;
  /** Whether a key may sign for another chain than the embedded one. */
  readonly isConsented: boolean;
  /** Null signs everything. */
  readonly policy: Policy | null;
  /** Prints where the owner of a hosted wallet allows svc; null where no user is present. */
  readonly show: ((text: string) => void) | null;
};

export async function openSigningWallet(
  options: SigningOptions,
  config: Config,
  connection: Connection,
): Promise<Wallet> {
  const guard = options.policy === null ? undefined : openGuard(options.policy, config, connection);
  return options.wallet === 'key'
    ? openKeyWallet(options, config, connection, guard)
    : openNamedServer(options, config, connection, guard);
}

/** Throws FILE_UNUSABLE, also for a file that others can change or replace, and POLICY_INVALID. */
export function loadPolicy(file: string): Policy {
  const text = requireFile(file);
  const shared = findShared(file);
  if (shared !== undefined)
    throw new OperatorError('FILE_UNUSABLE', {
      file,
      reason: `other users can change ${shared}; chmod go-w it`,
    });
  return parsePolicy(text, file);
}

/** The file, or a folder above it in which others can put another one in its place; in a sticky folder they cannot. */
function findShared(file: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const isShared = (path: string, kept = 0) => {
    const { mode } = statSync(path);
    return (mode & 0o022) !== 0 && (mode & kept) === 0;
  };
  const real = realpathSync(file);
  if (isShared(real)) return real;
  return [resolve(file), real].flatMap(listFolders).find((folder) => isShared(folder, 0o1000));
}

function listFolders(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...listFolders(folder)];
}

export function openLedger({ dataDir }: Config): Ledger {
  return createLedger(join(dataDir, 'policy.sqlite'));
}

export function openGuard(policy: Policy, config: Config, connection: Connection): WalletGuard {
  return createPolicyGuard({
    policy,
    ledger: openLedger(config),
    access: buildMarketAccess(connection),
    requests: openRequestFile(config),
    ownerWallet: createLocalWallet(config.gatewayUrl, () => requireGatewayOf(connection, config.gatewayUrl)),
  });
}

/** From SVC_KEY_FILE, else PRIVATE_KEY. Throws KEY_MISSING, and FILE_UNUSABLE for a file that others can read. */
export function readSigningKey({ keyFile, privateKey }: Config): Secret {
  if (keyFile === undefined) {
    if (privateKey === undefined) throw new OperatorError('KEY_MISSING', {});
    return privateKey;
  }
  const text = requireFile(keyFile).trim();
  const refuse = (reason: string) => new OperatorError('FILE_UNUSABLE', { file: keyFile, reason });
  const isShared = process.platform !== 'win32' && (statSync(keyFile).mode & 0o077) !== 0;
  if (isShared) throw refuse('other users can read it; chmod 600 it');
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw refuse('it must hold one key, 0x and 64 hexadecimal digits');
  return createSecret(text);
}

async function openKeyWallet(
  { isConsented }: SigningOptions,
  config: Config,
  connection: Connection,
  guard: WalletGuard | undefined,
): Promise<Wallet> {
  const { isEmbedded, rpc, chainId, genesisHash: chain } = connection;
  const privateKey = readSigningKey(config).reveal() as Hex;
  if (!isConsented && !(await isEmbedded())) throw new OperatorError('KEY_NEEDS_CONSENT', {});
  // Its own receipt is the first confirmation; only the chain knows of more.
  const requestChain = config.confirmations > 1 ? connectRequestChain(connection, config) : undefined;
  const requests = openRequestFile(config);
  const pages = createRequestPages(config.gatewayUrl, () => requireGatewayOf(connection, config.gatewayUrl));
  return createKeyWallet({ privateKey, rpc, chainId, chain, requests, requestChain, guard, pages });
}

async function openNamedServer(
  { walletServer: server, show }: SigningOptions,
  config: Config,
  connection: Connection,
  guard: WalletGuard | undefined,
): Promise<Wallet> {
  if (server === undefined)
    throw new SvcError('USAGE', { reason: '--wallet mcp needs --wallet-server <url or command>.' });
  if (isAddressOfServer(server)) checkAddress(server);
  // It would send calls for the embedded chain to the real one.
  const isElsewhere = isAddressOfServer(server) && !isOnThisMachine(server);
  if (isElsewhere && (await connection.isEmbedded()))
    throw new OperatorError('WALLET_REFUSED', {
      reason: 'it is elsewhere and cannot reach the embedded chain',
    });
  return openToolWallet(server, config, connection, show, guard);
}

function checkAddress(server: string): void {
  const url = URL.parse(server);
  const isOpen = url?.protocol === 'http:' && !isOnThisMachine(server);
  const mistakes: readonly (readonly [boolean, string])[] = [
    [url === null, 'is no address'],
    // Messages show the address.
    [`${url?.username}${url?.password}` !== '', 'must not hold a name or a password'],
    // Plain HTTP could change the calls and the page where the owner decides.
    [isOpen, 'has to begin with https://, unless it is on this machine'],
  ];
  const mistake = mistakes.find(([isMade]) => isMade)?.[1];
  if (mistake !== undefined)
    throw new SvcError('USAGE', { reason: `The address of --wallet-server ${mistake}.` });
}
