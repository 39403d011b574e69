// `svc prepare`: builds the unsigned calls of one action, tries them, and sends them to a wallet.
import { findAction, type PreparedAction, type PreparedCalls, prepareAction } from '@svc/sdk/actions';
import type { CreateRequest, RequestStatus } from '@svc/sdk/client';
import { SvcError } from '@svc/sdk/domain';
import { requireAction } from '@svc/sdk/internal/actions/catalog';
import { buildMarketAccess, type Connection, connect, requireGatewayOf } from '../app/connect.ts';
import { watchSignals } from '../app/serve.ts';
import { loadPolicy, openSigningWallet } from '../app/signingWallet.ts';
import { type Config, readConfig } from '../config.ts';
import { createLocalWallet } from '../wallet/localWallet.ts';
import {
  buildWalletRequest,
  takeTurn,
  type Wallet,
  type WalletAnswer,
  waitForDecision,
} from '../wallet/walletInterface.ts';
import { exitCodes, reportFailure } from './failure.ts';
import { parseOptions, type Usage, usageError } from './options.ts';
import {
  buildActionUsage,
  type PrepareOptions,
  parsePrepareOptions,
  prepareUsage,
} from './prepareOptions.ts';
import { addTask, showSettled } from './request.ts';

export const usage = prepareUsage;

/** The help of the action that is named, if any. */
export function findUsage([name = '']: readonly string[]): Usage {
  const action = findAction(name);
  return action === undefined ? usage : buildActionUsage(action);
}

export async function run([name, ...argv]: readonly string[]): Promise<number> {
  if (name === undefined || name.startsWith('-')) {
    parseOptions(usage, name === undefined ? [] : [name, ...argv]);
    throw usageError('svc prepare needs an action; svc prepare --help lists them.');
  }
  const action = requireAction(name);
  const options = await parsePrepareOptions(action, argv);
  const config = readConfig();
  let connection: Connection | undefined;
  let wallet: Wallet | null = null;
  const connectOnce = async () => (connection ??= await connect(config));
  try {
    if (action.kind === 'write') {
      // A key and a tool server know their address, so `from` may be left out. A key prepares in its turn.
      const isFirst =
        options.wallet === 'key' || (options.wallet === 'mcp' && options.args.from === undefined);
      if (isFirst) wallet = await openWallet(options, config, await connectOnce());
      const from = options.args.from ?? (await wallet?.findAddress()) ?? undefined;
      if (from !== undefined) options.args.from = from;
    }
    const prepareAndSubmit = async (submit: (request: CreateRequest) => Promise<WalletAnswer | null>) => {
      const prepared = await prepareAction(name, options.args, async () =>
        buildMarketAccess(await connectOnce()),
      );
      const isSent = prepared.kind !== 'document' && options.wallet !== 'none' && !isReverting(prepared);
      return { prepared, submitted: isSent ? await submit(buildWalletRequest(prepared)) : null };
    };
    const openAndSubmit = async (request: CreateRequest) => {
      wallet = await openWallet(options, config, await connectOnce());
      return wallet?.submit(request) ?? null;
    };
    const { prepared, submitted } = await (wallet === null
      ? prepareAndSubmit(openAndSubmit)
      : takeTurn(wallet, prepareAndSubmit));
    if (prepared.kind === 'document' || submitted === null || wallet === null) return report(prepared, null);
    if (submitted.askedBecause !== undefined)
      console.error(`The policy leaves this to the owner: ${submitted.askedBecause.join(' ')}`);
    if (submitted.approvalUrl !== null) console.error(describePage(options.wallet, submitted));
    // What exceeds the policy waits at the gateway.
    const asked = submitted.askedBecause === undefined ? wallet : createLocalWallet(config.gatewayUrl);
    const answer = options.wait ? await follow(asked, submitted) : submitted;
    if (answer === null) return exitCodes.failed;
    if (options.wait) await showSettled(answer, connectOnce);
    return report(prepared, await addTask(answer, connectOnce), options.wait);
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'NOTHING_TO_DO') throw error;
    // A command that is run again ends as it did the first time.
    console.error(error.message);
    const status: RequestStatus = 'settled';
    console.log(JSON.stringify({ action: name, calls: [], status, message: error.message }, null, 2));
    return exitCodes.ok;
  } finally {
    await wallet?.close();
    connection?.close();
  }
}

type Submitted = Awaited<ReturnType<typeof addTask>>;

/** Null where following failed: the failure is reported, with what is needed to go on with `svc request`. */
async function follow(
  wallet: Pick<Wallet, 'readStatus'>,
  submitted: WalletAnswer,
): Promise<WalletAnswer | null> {
  try {
    return await waitForDecision(wallet, submitted, watchSignals());
  } catch (error) {
    const { requestId, approvalUrl, status } = submitted;
    console.error(`It was sent to the wallet; "svc request ${requestId}" shows its status.`);
    reportFailure(error, { out: console.log, err: console.error }, true, { requestId, approvalUrl, status });
    return null;
  }
}

function describePage(wallet: PrepareOptions['wallet'], { approvalUrl, askedBecause }: WalletAnswer): string {
  if (wallet === 'local' || askedBecause !== undefined) return `Approve it at ${approvalUrl}`;
  return wallet === 'key' ? `Shown at ${approvalUrl}` : `Approve or follow it at ${approvalUrl}`;
}

function isReverting(prepared: PreparedAction): boolean {
  return prepared.kind === 'calls' && prepared.simulation.status === 'reverted';
}

const unwanted: readonly RequestStatus[] = ['rejected', 'failed', 'expired'];

function report(prepared: PreparedAction, answer: Submitted | null, isAwaited = false): number {
  for (const warning of prepared.warnings) console.error(`Note: ${warning}`);
  if (prepared.kind === 'calls') describeCalls(prepared);
  if (answer !== null) console.error(describeAnswer(answer));
  console.log(JSON.stringify({ ...prepared, ...answer }, null, 2));
  if (isReverting(prepared)) return exitCodes.wouldRevert;
  const isUnwanted = answer !== null && unwanted.includes(answer.status);
  // A caller who stopped waiting has not seen it settled.
  return isUnwanted || (isAwaited && answer?.status !== 'settled') ? exitCodes.notSettled : exitCodes.ok;
}

function describeCalls({ steps, money, net, simulation }: PreparedCalls): void {
  for (const [at, { summary }] of steps.entries()) console.error(`${at + 1}. ${summary}`);
  for (const line of money) console.error(`   ${line}`);
  if (net !== undefined) console.error(`   In the end: it ${net}.`);
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

/** The wallet that the options name; null for none. */
export async function openWallet(
  options: Omit<PrepareOptions, 'policy'> & { readonly policy?: string | undefined },
  config: Config,
  connection: Connection,
): Promise<Wallet | null> {
  const { wallet, policy: file = config.policyFile } = options;
  if (wallet === 'none') return null;
  if (wallet === 'local')
    return createLocalWallet(config.gatewayUrl, () => requireGatewayOf(connection, config.gatewayUrl));
  const policy = file === undefined ? null : loadPolicy(file);
  return openSigningWallet({ ...options, wallet, policy, show: console.error }, config, connection);
}
