// Proves that the market of `svc start` survives Ctrl-C and a kill: task, history, wallet request and clock.
// With SVC_LONG_TESTS=1 it is seeded, and seeded once.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { after, test } from 'node:test';
import { createPublicClient, erc20Abi, http, type PublicClient } from 'viem';
import type { Deployment } from '#sdk/chain/deployment.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { get } from './support/asking.ts';
import { ask, wallSeconds } from './support/devnet.ts';
import { readLines } from './support/lines.ts';
import { createFolder, runSvc, type SvcRun, startSvc } from './support/svc.ts';
import { until } from './support/until.ts';

type Start = {
  readonly rpcUrl: string;
  readonly siteUrl: string;
  readonly gatewayUrl: string;
  readonly chainIdentity: string;
  readonly deployment: Deployment;
  readonly child: ChildProcess;
  readonly ended: Promise<SvcRun>;
  readonly client: PublicClient;
};

const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
});

async function start(folder: string, ...args: string[]): Promise<Start> {
  const env = { SVC_DATA_DIR: folder };
  // A keeper would change tasks between two looks; a seed takes longer.
  const seed = process.env.SVC_LONG_TESTS ? [] : ['--no-seed'];
  const options = ['--json', '--port', '0', '--no-keeper', ...seed, ...args];
  const { child, ended } = startSvc(['start', ...options], { cwd: folder, env });
  running.add(child);
  void ended.finally(() => running.delete(child));
  const line = await Promise.race([
    readLines(child)(),
    ended.then(({ err }) => Promise.reject(new Error(err))),
  ]);
  const report = JSON.parse(line);
  const client = createPublicClient({ transport: http(report.rpcUrl), cacheTime: 0 });
  return { ...report, child, ended, client };
}

function stop({ child, ended }: Start, signal: NodeJS.Signals): Promise<SvcRun> {
  child.kill(signal);
  return ended;
}

/** Prints JSON. */
async function callSvc(
  market: Start,
  args: readonly string[],
  key?: string,
): Promise<Record<string, string>> {
  const env = {
    SVC_SITE_URL: market.siteUrl,
    SVC_GATEWAY_URL: market.gatewayUrl,
    ...(key !== undefined && { PRIVATE_KEY: key }),
  };
  const { exitCode, out, err } = await runSvc(args, { cwd: process.cwd(), env });
  assert.equal(exitCode, 0, err);
  return JSON.parse(out);
}

test('Ctrl-C and a start again: the task, its history and the pending wallet request are there', async (context) => {
  const folder = createFolder(context);
  const first = await start(folder);
  const week = 7 * 86_400;
  await ask(first.client, 'evm_increaseTime', week);
  await ask(first.client, 'evm_mine');
  const { privateKey } = accountOf('newcomer');
  await callSvc(first, ['prepare', 'top-up', '--wallet', 'key', '--wait'], privateKey);
  const post = ['post-task', '--title', 'Name ten birds', '--criteria-text', 'Ten names.'];
  const terms = ['--total-amount-tok', '1500', '--fund-now-tok', '1500', '--deadline', '+30d'];
  const { taskId } = await callSvc(
    first,
    ['prepare', ...post, ...terms, '--wallet', 'key', '--wait'],
    privateKey,
  );
  assert.ok(taskId);
  const cancel = ['prepare', 'cancel-task', '--task-id', taskId, '--from', accountOf('newcomer').address];
  const { requestId } = await callSvc(first, cancel);
  assert.ok(requestId);
  const visitor = '0x00000000000000000000000000000000000000bb';
  await ask(first.client, 'svc_fund', visitor);
  assert.equal(await first.client.getBalance({ address: visitor }), 10n ** 18n, 'test money');
  for (const [address, amount] of [
    [first.deployment.tokToken, 20_000n * 10n ** 18n],
    [first.deployment.usdc, 200_000_000n],
  ] as const) {
    const call = { address, abi: erc20Abi, functionName: 'balanceOf', args: [visitor] } as const;
    assert.equal(await first.client.readContract(call), amount);
  }
  for (const params of [[], ['0x12'], [{ to: visitor }]])
    await assert.rejects(ask(first.client, 'svc_fund', ...params), /svc_fund needs one address/);
  const head = await first.client.getBlock();
  const look = async ({ siteUrl, gatewayUrl, client }: Start) => {
    const { task } = (await get(siteUrl, `/api/market/task?id=${taskId}`)).body;
    const { events } = (await get(siteUrl, `/api/market/timeline?id=${taskId}`)).body;
    const { tasks } = (await get(siteUrl, '/api/market/open')).body;
    const { status, createdAt } = (await get(gatewayUrl, `/v1/requests/${requestId}`)).body;
    const block = await client.getBlock({ blockNumber: head.number, includeTransactions: true });
    const balance = await client.getBalance({ address: visitor });
    return { task, events, open: tasks.length, request: { status, createdAt }, block, balance };
  };
  await until(async () => (await get(first.siteUrl, '/health')).body.block >= Number(head.number));
  const before = await look(first);
  assert.equal(before.task.state, 'POSTED');
  assert.equal(before.request.status, 'pending');
  assert.equal((await stop(first, 'SIGINT')).exitCode, 0);

  const second = await start(folder);
  assert.equal(second.chainIdentity, first.chainIdentity);
  assert.deepEqual(await look(second), before);
  assert.ok(
    Number((await second.client.getBlock()).timestamp) >= wallSeconds() + week - 60,
    'the clock stays',
  );
  await ask(second.client, 'svc_fund', '0x00000000000000000000000000000000000000cc');

  await context.test('a killed process loses no transaction that was answered', async () => {
    const hashes = await sendUntilKilled(second);
    const third = await start(folder);
    assert.ok(hashes.length > 0);
    for (const hash of hashes) assert.ok(await third.client.getTransactionReceipt({ hash }));
    assert.deepEqual(await look(third), before);

    await stop(third, 'SIGINT');
    const fresh = await start(folder, '--fresh', '--no-seed');
    assert.notEqual(fresh.chainIdentity, first.chainIdentity);
    await stop(fresh, 'SIGINT');
  });
});

/** Returns the hashes of the transactions that were answered before the process was killed in the middle of others. */
async function sendUntilKilled({ client, child, ended }: Start): Promise<`0x${string}`[]> {
  const [from, to] = [accountOf('shop').address, accountOf('lab').address];
  const answered: `0x${string}`[] = [];
  const send = async () => {
    while (true)
      answered.push((await ask(client, 'eth_sendTransaction', { from, to, value: '0x1' })) as never);
  };
  const senders = Promise.allSettled([send(), send(), send()]);
  await until(() => answered.length >= 20);
  child.kill('SIGKILL');
  await ended;
  await senders;
  return answered;
}
