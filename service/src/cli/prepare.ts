// `svc prepare`: builds the unsigned calls of one action, tries them, and hands them to a wallet.
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
import { type Connection, connect } from '#app/connect.ts';
import { watchSignals } from '#app/serve.ts';
import { readConfig } from '#config.ts';
import { buildWalletRequest, type Wallet, type WalletAnswer, waitForDecision } from '#wallet/wallet.ts';
import { exitCodes, reportFailure } from './failure.ts';
import type { Usage } from './options.ts';
import { parseOptions } from './options.ts';
import { buildPrepareNeeds } from './prepareNeeds.ts';
import { parsePrepareOptions } from './prepareOptions.ts';
import { buildActionUsage, prepareUsage } from './prepareUsage.ts';
import { openWallet } from './prepareWallet.ts';

export const usage = prepareUsage;

/** Of the action that is named, where there is one. */
export function findUsage([name = '']: readonly string[]): Usage {
  const action = findAction(name);
  return action === undefined ? usage : buildActionUsage(action);
}

export async function run([name, ...argv]: readonly string[]): Promise<number> {
  // Tells the option that is wrong, or that an action is missing.
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
      // Only a wallet that knows its own address has to be met before the arguments are looked at.
      const isKnowing = options.args.from === undefined && ['key', 'mcp'].includes(options.wallet);
      if (isKnowing) wallet = await openWallet(options, config, await connectOnce());
      const from = options.args.from ?? (await wallet?.findAddress()) ?? undefined;
      if (from !== undefined) options.args.from = from;
    }
    const prepared = await prepareAction(name, options.args, async () =>
      buildPrepareNeeds(await connectOnce()),
    );
    if (prepared.kind === 'document' || options.wallet === 'none') return report(prepared, null);
    if (isReverting(prepared)) return report(prepared, null);
    wallet ??= await openWallet(options, config, await connectOnce());
    if (wallet === null) return report(prepared, null);
    const handed = await wallet.submit(buildWalletRequest(prepared));
    if (handed.approvalUrl !== null) console.error(`Approve it at ${handed.approvalUrl}`);
    const answer = options.wait ? await follow(wallet, handed) : handed;
    if (answer === null) return exitCodes.failed;
    return report(prepared, await addTask(prepared, answer, await connectOnce()), options.wait);
  } finally {
    await wallet?.close();
    connection?.close();
  }
}

type Handed = WalletAnswer & { readonly taskId?: string };

async function addTask(
  prepared: PreparedCalls | PreparedSignature,
  answer: WalletAnswer,
  { rpc, contracts }: Connection,
): Promise<Handed> {
  if (answer.status !== 'settled' || prepared.kind === 'signature') return answer;
  const market = prepared.market as Market;
  const { taskRegistry } = contracts[market];
  // What it brought about is an extra: who is told of a failure here would do it all again.
  const taskId = await readPostedTask(rpc, market, taskRegistry, answer.transactionHashes).catch(() => null);
  return taskId === null ? answer : { ...answer, taskId };
}

/** Null where it cannot be followed any further: that has been reported, with what others need to go on with it. */
async function follow(wallet: Wallet, handed: WalletAnswer): Promise<WalletAnswer | null> {
  try {
    return await waitForDecision(wallet, handed, watchSignals());
  } catch (error) {
    const { requestId, approvalUrl, status } = handed;
    console.error(`It was handed over; "svc request ${requestId}" tells what becomes of it.`);
    reportFailure(error, { out: console.log, err: console.error }, true, { requestId, approvalUrl, status });
    return null;
  }
}

function isReverting(prepared: PreparedAction): boolean {
  return prepared.kind === 'calls' && prepared.simulation.status === 'reverted';
}

const unwanted: readonly RequestStatus[] = ['rejected', 'failed', 'expired'];

function report(prepared: PreparedAction, answer: Handed | null, isAwaited = false): number {
  for (const warning of prepared.warnings) console.error(`Note: ${warning}`);
  if (prepared.kind === 'calls') describeCalls(prepared);
  if (answer !== null) console.error(describeAnswer(answer));
  print({ ...prepared, ...answer });
  if (isReverting(prepared)) return exitCodes.wouldRevert;
  const isUnwanted = answer !== null && unwanted.includes(answer.status);
  // Whoever stopped waiting has not seen it settled.
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

function describeAnswer({ status, error, taskId }: Handed): string {
  const made = taskId === undefined ? '' : ` It made task ${taskId}.`;
  return `The request is ${status}.${error === null ? '' : ` ${error}`}${made}`;
}

function print(document: unknown): void {
  console.log(JSON.stringify(document, null, 2));
}
