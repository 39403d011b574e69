// `svc mcp`: serves the svc_ tools to an agent over stdio.

import { join } from 'node:path';
import { createDigestReader } from '@svc/sdk/chain';
import { type VerifyDigest, verifyPlainAccount } from '@svc/sdk/domain';
import { latestBlock } from '@svc/sdk/internal/chain/rpcRequests';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import {
  awaitShown,
  buildMarketAccess,
  type Connection,
  connect,
  createSiteClient,
  findPostedTask,
  requireGatewayOf,
} from '../app/connect.ts';
import { buildAttachment, readOutgoingFileBelow } from '../app/outgoingFile.ts';
import { readVersion } from '../app/packageFiles.ts';
import { loadPolicy, openSigningWallet, readSigningKey, type SigningOptions } from '../app/signingWallet.ts';
import { createRequestReader } from '../app/walletRequests.ts';
import type { Config } from '../config.ts';
import { isOperatorError, OperatorError } from '../errors/operatorError.ts';
import { createToolServer } from '../mcp/server.ts';
import type { ToolContext } from '../mcp/tool.ts';
import { createToolMail } from '../mcp/toolMail.ts';
import { tools } from '../mcp/tools.ts';
import { redact } from '../secrets.ts';
import { createGatewaySessions } from '../wallet/gatewaySessions.ts';
import { createLocalWallet } from '../wallet/localWallet.ts';
import { createPaperFile } from '../wallet/paperFile.ts';
import { takeTurn, type Wallet } from '../wallet/walletInterface.ts';
import { defineRun, parseOneOf, text, type Usage, usageError, type Values } from './options.ts';
import { signingOptions } from './prepareOptions.ts';
import { serveOverStdio } from './serveTools.ts';

/** A site shows a block within a second or two. */

export const usage = {
  command: 'mcp',
  synopsis: ['', '--wallet <kind> --policy <file>'],
  about:
    'Serves the tools of the market to an agent (Model Context Protocol) over stdio, as clients start it. A gateway serves those that need no wallet of the agent at /mcp.',
  options: {
    wallet: text(
      '<kind>',
      "local (default): the gateway's page asks the wallet's owner; key: sign with SVC_KEY_FILE or PRIVATE_KEY; mcp: send to a wallet tool server. key and mcp need a policy",
      parseOneOf(['local', 'key', 'mcp']),
      'local',
    ),
    ...signingOptions,
  },
  json: 'changes nothing: only the protocol is printed',
  notes: [
    'With --wallet key or mcp the agent needs nobody as long as it stays within the policy (docs/policy.md); what exceeds it becomes a request to the owner.',
    'The market is the one at SVC_SITE_URL (http://127.0.0.1:8080). It may start later than the tools.',
  ],
  examples: ['svc mcp', 'SVC_KEY_FILE=agent.key svc mcp --wallet key --policy policy.json'],
} as const satisfies Usage;

export const run = defineRun(usage, async ({ values: given }, config) => {
  const signing = readSigning(given, config);
  const { needs, close } = createToolNeeds(config, signing);
  // On stdio only the protocol may be written to standard output.
  const onError = (what: string, error: unknown) =>
    console.error(redact(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : error}`));
  const signsAtOnce = signing !== null && !needs.isDryRun;
  const options = { version: readVersion(), tools, needs, onError, signsAtOnce };
  try {
    await serveOverStdio(() => createToolServer(options));
  } finally {
    close();
  }
});

/** What the operator has chosen; null where every request goes to an owner. Mistakes in key and policy end the start. */
export function readSigning(given: Partial<Values<typeof usage.options>>, config: Config) {
  const { wallet = 'local' } = given;
  if (wallet === 'local') return null;
  const file = given.policy ?? config.policyFile;
  if (file === undefined) throw new OperatorError('POLICY_MISSING', {});
  const walletServer = given['wallet-server'];
  if (wallet === 'mcp' && walletServer === undefined)
    throw usageError('--wallet mcp needs --wallet-server <url or command>.');
  const isConsented = given['yes-real-chain'] === true;
  const { keyFile, dataDir } = config;
  return {
    options: { wallet, walletServer, isConsented, policy: loadPolicy(file), show: null },
    /** Null where only the wallet tool server knows it. */
    address: wallet === 'key' ? privateKeyToAddress(readSigningKey(config).reveal() as Hex) : null,
    /** Files that no tool may read. */
    files: [file, dataDir, ...(keyFile === undefined ? [] : [keyFile])],
  };
}

/** Connects at the first call, so that the tools can start before the market. Until then calls end in an error. */
export function createToolNeeds(
  config: Config,
  signing: ReturnType<typeof readSigning> = null,
): { readonly needs: ToolContext; readonly close: () => void } {
  let connecting: Promise<Connection> | null = null;
  const connected = () => {
    if (connecting !== null) return connecting;
    const forget = () => {
      if (connecting === attempt) connecting = null;
    };
    const attempt = connect(config).then((connection) => watchChain(connection, forget));
    attempt.catch(forget);
    connecting = attempt;
    return attempt;
  };
  const { gatewayUrl } = config;
  const requireOwn = async () => requireGatewayOf(await connected(), gatewayUrl);
  const localWallet = createLocalWallet(gatewayUrl, requireOwn);
  const requests = createRequestReader(config, connected, null);
  const now = async () => (await (await connected()).rpc.ask(latestBlock())).time;
  const own = signing === null ? null : createOwnWallet(signing.options, config, connected);
  const readOwnAddress = async () => signing?.address ?? (await own?.open())?.findAddress() ?? null;
  const chooseWallet = async (from: unknown): Promise<Wallet> => {
    const address = await readOwnAddress();
    const isOwn = typeof from === 'string' && address?.toLowerCase() === from.toLowerCase();
    return own !== null && isOwn ? own.open() : localWallet;
  };
  const wallet: ToolContext['wallet'] = {
    submit: async (request) => (await chooseWallet(request.from)).submit(request),
    inTurn: async (from, work) => takeTurn(await chooseWallet(from), work),
    tryPolicy: async (requests) => (await chooseWallet(requests[0]?.from)).tryPolicy?.(requests) ?? [],
    readStatus: (requestId) =>
      requests.readStatus(requestId).catch((error: unknown) => {
        if (!isOperatorError(error, 'WALLET_REQUEST_ELSEWHERE')) throw error;
        // Its chain may have started after this connection was made.
        connecting = null;
        return requests.readStatus(requestId);
      }),
  };
  const readChainId = async () => (await connected()).chainId;
  const sessions = createGatewaySessions({ gatewayUrl, wallet, readChainId, now });
  const verify: VerifyDigest = async (...question) => {
    if (await verifyPlainAccount(...question)) return true;
    const asked = connected().then(({ rpc }) => createDigestReader(rpc)(...question));
    return asked.catch(() => false);
  };
  const mail = createToolMail({ verify, gatewayUrl, readChainId, sessions, wallet });
  const papers = createPaperFile(join(config.dataDir, 'papers.sqlite'));
  const site = createSiteClient(config.siteUrl);
  return {
    needs: {
      market: site,
      connectChain: connected,
      connectPrepare: async () => buildMarketAccess(await connected()),
      wallet,
      ownerWallet: localWallet,
      readOwnAddress,
      isDryRun: signing?.options.policy?.mode === 'dry-run',
      mail,
      papers,
      findPostedTask: async (hashes) => findPostedTask(await connected(), hashes),
      awaitShown: async (hashes) => awaitShown(await connected(), hashes),
      now,
      files: {
        gatewayUrl,
        signIn: sessions.signIn,
        attach: async ({ path, ...use }) =>
          buildAttachment(readOutgoingFileBelow(process.cwd(), path, signing?.files), use, site),
      },
    },
    close: () => {
      papers.close();
      sessions.close();
      own?.close();
      void connecting?.then(({ close }) => close()).catch(() => undefined);
    },
  };
}

/** The operator's wallet on the current connection: one that was opened for an earlier chain is closed. */
function createOwnWallet(options: SigningOptions, config: Config, connected: () => Promise<Connection>) {
  let current: { readonly connection: Connection; readonly wallet: Promise<Wallet> } | null = null;
  const close = () => {
    const ended = current;
    current = null;
    void ended?.wallet.then((wallet) => wallet.close()).catch(() => undefined);
  };
  return {
    close,
    open: async (): Promise<Wallet> => {
      const connection = await connected();
      if (current?.connection === connection) return current.wallet;
      close();
      const opened = { connection, wallet: openSigningWallet(options, config, connection) };
      current = opened;
      return opened.wallet.catch((error: unknown) => {
        if (current === opened) current = null;
        throw error;
      });
    },
  };
}

/**
 * A market that was restarted may be on another chain at another address, so an unreachable chain is looked up again. The
 * connection is not closed: calls that still wait for it must get their error.
 */
function watchChain({ rpc, ...connection }: Connection, onUnreachable: () => void): Connection {
  const check = (error: unknown): never => {
    if (isErrorOf(error, 'CHAIN_UNREACHABLE')) onUnreachable();
    throw error;
  };
  return {
    ...connection,
    rpc: {
      ...rpc,
      ask: (question) => rpc.ask(question).catch(check),
      askAll: (questions) => rpc.askAll(questions).catch(check),
      callLatest: (call) => rpc.callLatest(call).catch(check),
    },
  };
}
