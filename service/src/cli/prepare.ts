// `svc prepare`: builds the unsigned calls of one action, tries them, and sends them to a wallet.
import { text } from 'node:stream/consumers';
import {
  findAction,
  type PreparedAction,
  type PreparedCalls,
  type PreparedSignature,
  prepareAction,
  readPostedTask,
  requireAction,
} from '@svc/sdk/actions';
import type { Market } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import type { RequestStatus } from '@svc/sdk/schemas';
import type { Hex } from 'viem';
import { buildMarketAccess, type Connection, connect, isOnThisMachine } from '#app/connect.ts';
import { watchSignals } from '#app/serve.ts';
import { connectRequestChain, openRequestFile, openToolWallet } from '#app/walletRequests.ts';
import { type Config, readConfig } from '#config.ts';
import { createKeyWallet } from '#wallet/keyWallet.ts';
import { createLocalWallet } from '#wallet/localWallet.ts';
import { isAddressOfServer } from '#wallet/toolClient.ts';
import { buildWalletRequest, type Wallet, type WalletAnswer, waitForDecision } from '#wallet/wallet.ts';
import { exitCodes, reportFailure } from './failure.ts';
import type { Usage } from './options.ts';
import { parseOptions } from './options.ts';
import {
  buildActionUsage,
  type PrepareOptions,
  parsePrepareOptions,
  prepareUsage,
} from './prepareOptions.ts';

export const usage = prepareUsage;

/** The help of the action that is named, if any. */
export function findUsage([name = '']: readonly string[]): Usage {
  const action = findAction(name);
  return action === undefined ? usage : buildActionUsage(action);
}

export async function run([name, ...argv]: readonly string[]): Promise<number> {
  if (name === undefined || name.startsWith('-')) {
    parseOptions(usage, name === undefined ? [] : [name, ...argv]);
    throw new SvcError('USAGE', { reason: 'svc prepare needs an action; svc prepare --help lists them.' });
  }
  return prepare(name, argv);
}

async function prepare(name: string, argv: readonly string[]): Promise<number> {
  const action = requireAction(name);
  const options = await parsePrepareOptions(action, argv, () => text(process.stdin));
  const config = readConfig();
  let connection: Connection | undefined;
  let wallet: Wallet | null = null;
  const connectOnce = async () => {
    connection ??= await connect(config);
    return connection;
  };
  try {
    if (action.kind === 'write') {
      // A key and a tool server know their address, so `from` may be left out.
      const knowsAddress = options.args.from === undefined && ['key', 'mcp'].includes(options.wallet);
      if (knowsAddress) wallet = await openWallet(options, config, await connectOnce());
      const from = options.args.from ?? (await wallet?.findAddress()) ?? undefined;
      if (from !== undefined) options.args.from = from;
    }
    const prepared = await prepareAction(name, options.args, async () =>
      buildMarketAccess(await connectOnce()),
    );
    if (prepared.kind === 'document' || options.wallet === 'none') return report(prepared, null);
    if (isReverting(prepared)) return report(prepared, null);
    wallet ??= await openWallet(options, config, await connectOnce());
    if (wallet === null) return report(prepared, null);
    const submitted = await wallet.submit(buildWalletRequest(prepared));
    if (submitted.approvalUrl !== null) console.error(`Approve it at ${submitted.approvalUrl}`);
    const answer = options.wait ? await follow(wallet, submitted) : submitted;
    if (answer === null) return exitCodes.failed;
    return report(prepared, await addTask(prepared, answer, await connectOnce()), options.wait);
  } finally {
    await wallet?.close();
    connection?.close();
  }
}

type Submitted = WalletAnswer & { readonly taskId?: string };

async function addTask(
  prepared: PreparedCalls | PreparedSignature,
  answer: WalletAnswer,
  { rpc, contracts }: Connection,
): Promise<Submitted> {
  if (answer.status !== 'settled' || prepared.kind === 'signature') return answer;
  const market = prepared.market as Market;
  const { taskRegistry } = contracts[market];
  // The task id is an extra: an error here would make the caller send everything again.
  const taskId = await readPostedTask(rpc, market, taskRegistry, answer.transactionHashes).catch(() => null);
  return taskId === null ? answer : { ...answer, taskId };
}

/** Null where following failed: the failure is reported, with what is needed to go on with `svc request`. */
async function follow(wallet: Wallet, submitted: WalletAnswer): Promise<WalletAnswer | null> {
  try {
    return await waitForDecision(wallet, submitted, watchSignals());
  } catch (error) {
    const { requestId, approvalUrl, status } = submitted;
    console.error(`It was sent to the wallet; "svc request ${requestId}" shows its status.`);
    reportFailure(error, { out: console.log, err: console.error }, true, { requestId, approvalUrl, status });
    return null;
  }
}

function isReverting(prepared: PreparedAction): boolean {
  return prepared.kind === 'calls' && prepared.simulation.status === 'reverted';
}

const unwanted: readonly RequestStatus[] = ['rejected', 'failed', 'expired'];

function report(prepared: PreparedAction, answer: Submitted | null, isAwaited = false): number {
  for (const warning of prepared.warnings) console.error(`Note: ${warning}`);
  if (prepared.kind === 'calls') describeCalls(prepared);
  if (answer !== null) console.error(describeAnswer(answer));
  print({ ...prepared, ...answer });
  if (isReverting(prepared)) return exitCodes.wouldRevert;
  const isUnwanted = answer !== null && unwanted.includes(answer.status);
  // A caller who stopped waiting has not seen it settled.
  return isUnwanted || (isAwaited && answer?.status !== 'settled') ? exitCodes.notSettled : exitCodes.ok;
}

function describeCalls({ steps, simulation }: PreparedCalls): void {
  for (const [at, { summary }] of steps.entries()) console.error(`${at + 1}. ${summary}`);
  if (simulation.status === 'partial') console.error(simulation.reason);
  if (simulation.status !== 'reverted') return;
  console.error(`Step ${simulation.step + 1} would fail: ${simulation.reason}`);
  if (simulation.fix !== null)
    console.error(`${simulation.fix.text}${simulation.fix.command ? `\n  ${simulation.fix.command}` : ''}`);
}

function describeAnswer({ status, error, taskId }: Submitted): string {
  const made = taskId === undefined ? '' : ` It created task ${taskId}.`;
  return `The request is ${status}.${error === null ? '' : ` ${error}`}${made}`;
}

function print(document: unknown): void {
  console.log(JSON.stringify(document, null, 2));
}

/** The wallet that the options name; null for none. */
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
      return openNamedServer(options, config, connection);
  }
}

async function openKeyWallet(
  { isConsented }: PrepareOptions,
  config: Config,
  connection: Connection,
): Promise<Wallet> {
  const { isEmbedded, rpcUrls, genesisHash: chain } = connection;
  if (config.privateKey === undefined) throw new SvcError('KEY_MISSING', {});
  if (!isConsented && !(await isEmbedded())) throw new SvcError('KEY_NEEDS_CONSENT', {});
  const privateKey = config.privateKey.reveal() as Hex;
  // Its own receipt is the first confirmation; only the chain knows of more.
  const requestChain = config.confirmations > 1 ? connectRequestChain(connection, config) : undefined;
  return createKeyWallet({ privateKey, rpcUrls, chain, requests: openRequestFile(config), requestChain });
}

async function openNamedServer(
  { walletServer: server }: PrepareOptions,
  config: Config,
  connection: Connection,
): Promise<Wallet> {
  if (server === undefined)
    throw new SvcError('USAGE', { reason: '--wallet mcp needs --wallet-server <url or command>.' });
  if (isAddressOfServer(server)) checkAddress(server);
  // It would send calls for the embedded chain to the real one.
  const isElsewhere = isAddressOfServer(server) && !isOnThisMachine(server);
  if (isElsewhere && (await connection.isEmbedded()))
    throw new SvcError('WALLET_REFUSED', { reason: 'it is elsewhere and cannot reach the embedded chain' });
  return openToolWallet(server, config, connection, (text) => console.error(text));
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
