// `svc request`: shows the status of a wallet request, whichever wallet and process it belongs to.
import { awaitShown, type Connection, connect, findPostedTask } from '../app/connect.ts';
import { watchSignals } from '../app/serve.ts';
import { createRequestReader, openRequestFile, reportToPage } from '../app/walletRequests.ts';
import type { Config } from '../config.ts';
import { toAnswer } from '../wallet/requestFile.ts';
import { isOpen } from '../wallet/requestMachine.ts';
import { type WalletAnswer, waitForDecision } from '../wallet/walletInterface.ts';
import { exitCodes } from './failure.ts';
import { defineRun, flag, type Usage, usageError } from './options.ts';

export const usage = {
  command: 'request',
  synopsis: ['<requestId> [--wait | --forget]'],
  about:
    'Shows the status of a request that svc prepare or the tool svc_prepare sent to a wallet. Requests to a key or to a wallet tool server are stored in SVC_DATA_DIR, all others at the gateway.',
  words: 1,
  wordList: { requestId: 'as svc prepare printed it' },
  options: {
    wait: flag('wait until it is settled, rejected, failed or expired'),
    forget: flag(
      'give up a request that was interrupted or whose result was lost; it is not sent again and no longer blocks others',
    ),
  },
  json: 'has no effect: the request is always one JSON document on standard output',
  examples: ['svc request <requestId> --wait'],
} as const satisfies Usage;

export const run = defineRun(usage, async ({ values: given, words }, config) => {
  const [requestId] = words;
  if (requestId === undefined || (given.wait && given.forget))
    throw usageError('svc request takes a requestId, and --wait or --forget.');
  if (given.forget) return report(await giveUp(requestId, config), null, false);
  let connection: Promise<Connection> | undefined;
  const connectOnce = () => {
    connection ??= connect(config);
    return connection;
  };
  try {
    const reader = createRequestReader(config, connectOnce, (text) => console.error(text));
    const now = await reader.readStatus(requestId);
    const answer = given.wait ? await waitForDecision(reader, now, watchSignals()) : now;
    if (given.wait) await showSettled(answer, connectOnce);
    return report(await addTask(answer, connectOnce), await advise(requestId, config), given.wait);
  } finally {
    await connection?.then(({ close }) => close()).catch(() => undefined);
  }
});

async function advise(requestId: string, config: Config): Promise<string | null> {
  const requests = openRequestFile(config);
  const isSending = await requests.isSending(requests.load(requestId));
  if (isSending === null) return null;
  return isSending
    ? 'Another process is sending with this wallet; wait until it has ended.'
    : `It was interrupted. Run the same svc prepare to continue, or "svc request ${requestId} --forget" to give it up.`;
}

async function giveUp(requestId: string, config: Config): Promise<WalletAnswer> {
  const requests = openRequestFile(config);
  const ended = await requests.giveUp(requests.requireSaved(requestId));
  await reportToPage(ended, config);
  return toAnswer(ended);
}

/** Waits until reads of the market show what was settled: the next command may begin with one. */
export async function showSettled(
  { status, transactionHashes }: WalletAnswer,
  connectOnce: () => Promise<Connection>,
): Promise<void> {
  if (status !== 'settled') return;
  await connectOnce()
    .then((connection) => awaitShown(connection, transactionHashes))
    .catch(() => console.error('It is settled on the chain; the site does not show it yet.'));
}

/** With the task that the request has created, if any. */
export async function addTask(
  answer: WalletAnswer,
  connectOnce: () => Promise<Connection>,
): Promise<WalletAnswer & { readonly taskId?: string }> {
  if (answer.status !== 'settled' || answer.transactionHashes.length === 0) return answer;
  // It is extra information: an error here would make the caller send everything again.
  const taskId = await connectOnce()
    .then((connection) => findPostedTask(connection, answer.transactionHashes))
    .catch(() => null);
  return taskId === null ? answer : { ...answer, taskId };
}

function report(answer: WalletAnswer, advice: string | null, isAwaited: boolean): number {
  console.error(`The request is ${answer.status}.${answer.error === null ? '' : ` ${answer.error}`}`);
  if (advice !== null) console.error(advice);
  console.log(JSON.stringify(answer, null, 2));
  if (answer.status === 'settled') return 0;
  return isAwaited || !isOpen(answer) ? exitCodes.notSettled : 0;
}
