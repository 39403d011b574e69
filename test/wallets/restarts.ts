// A process that ends between sending and the receipt: the next one never sends the same twice, and knows what became of it.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem';
import { createRpc } from '#sdk/chain/rpc.ts';
import type { SvcError } from '#sdk/domain/errors.ts';
import type { CreateRequest } from '#sdk/schemas/walletRequest.ts';
import type { Connection } from '#service/app/connect.ts';
import { createRequestReader } from '#service/app/walletRequests.ts';
import { readConfig } from '#service/config.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { OperatorError } from '#service/errors/operatorError.ts';
import { createKeyWallet } from '#service/wallet/keyWallet.ts';
import { createRequestFile, toAnswer } from '#service/wallet/requestFile.ts';
import { createToolWallet } from '#service/wallet/toolWallet.ts';
import { waitForDecision } from '#service/wallet/walletInterface.ts';
import { startCuttingProxy } from '../support/cuttingProxy.ts';
import { startInterceptingProxy } from '../support/interceptingProxy.ts';
import { svcScript } from '../support/svc.ts';
import { requestOf } from '../support/walletMarket.ts';
import { market } from './market.ts';

const { address, privateKey: PRIVATE_KEY } = accountOf('archive');
const topUp = ['prepare', 'top-up', '--amount-usdc', '30', '--wallet', 'key'];
const post = (deadline: string) => [
  ...[
    'prepare',
    'post-task',
    '--wallet',
    'key',
    '--title',
    'T',
    '--criteria-text',
    'C',
    '--total-amount-tok',
    '200',
  ],
  ...['--deadline', deadline],
];

const dataDir = mkdtempSync(join(tmpdir(), 'svc-kept-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));
const own = { PRIVATE_KEY, SVC_DATA_DIR: dataDir };
const run = (args: readonly string[]) => market.run(args, own);
const countSent = () =>
  market.rpc.ask({
    method: 'eth_getTransactionCount',
    params: [address, 'latest'],
    parse: (result) => Number(result),
  });

async function allowDeposits(): Promise<void> {
  const { usdc, depositVault } = market.contracts.standard;
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [depositVault, maxUint256],
  });
  const { status } = await market.ownerOf('archive').submit(requestOf(address, { to: usdc, data }));
  assert.equal(status, 'settled');
}

/** Runs it until the chain is asked that question for the so-and-so-many-th time, and kills it in that moment. */
async function killAt(context: TestContext, args: readonly string[], method: string, before: number) {
  const { promise: cut, resolve } = Promise.withResolvers<void>();
  const isCut = (asked: string, calledBefore: number) => asked === method && calledBefore === before;
  const proxy = await startCuttingProxy(market.rpcUrl, isCut, resolve);
  context.after(proxy.close);
  const { child, ended } = market.start(args, { ...own, SVC_RPC_URL: proxy.url });
  await Promise.race([cut, ended]);
  child.kill('SIGKILL');
  const { signal, out, err } = await ended;
  assert.equal(signal, 'SIGKILL', out + err);
}

test('killed after sending: the same command takes up what was sent, and the money moves once', async (context) => {
  const { depositOf } = market;
  const before = await countSent();
  // The allowance is mined, the deposit is sent, and no result was reported.
  await killAt(context, topUp, 'eth_getTransactionReceipt', 1);
  const again = await run(topUp);
  assert.equal(again.exitCode, 0, again.err);
  const { status, transactionHashes } = JSON.parse(again.out);
  assert.equal(status, 'settled');
  assert.equal(transactionHashes.length, 2);
  assert.equal(await depositOf('archive'), 30_000_000n);
  assert.equal(await countSent(), before + 2);
});

test('once its result was reported, the same command is a new request', async () => {
  assert.equal((await run(topUp)).exitCode, 0);
  assert.equal(await market.depositOf('archive'), 60_000_000n);
});

test('killed with a signed transaction that nobody got: it is found, holds up all else, and is sent once', async (context) => {
  const before = await countSent();
  await killAt(context, post('+2d'), 'eth_sendRawTransaction', 0);
  assert.equal(await countSent(), before);
  // The same wish in other bytes: a deadline that moves with the clock.
  const other = await run(post('+3d'));
  assert.equal(other.exitCode, 1, other.out);
  assert.equal(JSON.parse(other.out).code, 'WALLET_REQUEST_OPEN');
  const requestId = /"svc request (key-[\w-]+)"/.exec(other.err)?.[1] as string;
  const asked = await run(['request', requestId]);
  assert.equal(JSON.parse(asked.out).status, 'submitted');
  assert.match(asked.err, /interrupted/);
  assert.equal(await countSent(), before, 'asking sends nothing');
  const given = await run(['request', requestId, '--forget']);
  assert.deepEqual([given.exitCode, JSON.parse(given.out).status], [4, 'failed']);
  const after = await run(post('+3d'));
  assert.equal(after.exitCode, 0, after.err);
  const { taskId, transactionHashes, requestId: made } = JSON.parse(after.out);
  assert.equal(await countSent(), before + transactionHashes.length);
  assert.equal(JSON.parse((await run(['request', made])).out).taskId, taskId);
});

test('killed before the action was signed: another action ends it, and it never happens', async (context) => {
  // The allowance is mined; nobody was told.
  await killAt(context, post('+2d'), 'eth_getTransactionReceipt', 0);
  const before = await countSent();
  const { exitCode, out, err } = await run(post('+3d'));
  assert.equal(exitCode, 0, err);
  assert.equal(await countSent(), before + JSON.parse(out).transactionHashes.length);
  const requests = createRequestFile(join(dataDir, 'wallet-requests.sqlite'));
  const { genesisHash: chain } = market.deployment;
  assert.deepEqual(requests.loadOpen({ wallet: 'key', chain, request: { from: address } }), []);
});

test('a request that a live process is sending is not reported as interrupted, and cannot be forgotten', async (context) => {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const proxy = await startInterceptingProxy(market.rpcUrl, async (method, forward) => {
    if (method === 'eth_getTransactionReceipt') {
      held.resolve();
      await released.promise;
    }
    return forward();
  });
  context.after(proxy.close);
  const { ended } = market.start(post('+2d'), { ...own, SVC_RPC_URL: proxy.url });
  // The allowance is sent, the post is not even signed.
  await Promise.race([held.promise, ended]);
  const { genesisHash: chain } = market.deployment;
  const request = { from: address } as CreateRequest;
  const requests = createRequestFile(join(dataDir, 'wallet-requests.sqlite'));
  const [{ id } = assert.fail()] = requests.loadOpen({ wallet: 'key', chain, request });
  const [asked, given] = await Promise.all([run(['request', id]), run(['request', id, '--forget'])]);
  released.resolve();
  const { exitCode, out, err } = await ended;
  assert.equal(given.exitCode, 1, given.out);
  assert.match(given.err, /another process/);
  assert.equal(JSON.parse(asked.out).status, 'submitted');
  assert.doesNotMatch(asked.err, /interrupted/);
  assert.match(asked.err, /another process/i);
  assert.equal(exitCode, 0, err);
  assert.equal(JSON.parse(out).status, 'settled');
  assert.equal(requests.load(id)?.status, 'settled');
});

test('a key sends no more of a request that was ended in the book, however that came about', async (context) => {
  const path = join(dataDir, 'ended.sqlite');
  const [requests, others] = [createRequestFile(path), createRequestFile(path)];
  const { genesisHash: chain } = market.deployment;
  const request = requestOf(address, {}, {});
  const proxy = await startInterceptingProxy(market.rpcUrl, async (method, forward) => {
    const [open] = others.loadOpen({ wallet: 'key', chain, request });
    if (method === 'eth_getTransactionReceipt' && open !== undefined)
      others.change(open, { status: 'failed', error: 'The request was given up.' });
    return forward();
  });
  context.after(proxy.close);
  const before = await countSent();
  const wallet = createKeyWallet({
    privateKey: PRIVATE_KEY,
    rpc: createRpc({ urls: [proxy.url] }),
    chainId: 8_453,
    chain,
    requests,
  });
  await assert.rejects(wallet.submit(request), { code: 'WALLET_REQUEST_ENDED' });
  assert.equal(await countSent(), before + 1);
  assert.deepEqual(others.loadOpen({ wallet: 'key', chain, request }), []);
});

test('a chain that is away right after the receipt makes nobody believe that nothing was done', async (context) => {
  let receipts = 0;
  const isCut = (method: string) => (method === 'eth_getTransactionReceipt' ? receipts++ : receipts) > 0;
  const proxy = await startCuttingProxy(market.rpcUrl, isCut, () => proxy.close());
  context.after(proxy.close);
  await allowDeposits();
  const told = await market.run(topUp, { ...own, SVC_RPC_URL: proxy.url });
  assert.equal(told.exitCode, 0, told.err);
  assert.equal(JSON.parse(told.out).status, 'settled');
  assert.equal(await market.depositOf('archive'), 90_000_000n);
});

test('what a wallet tool server was handed is known to later processes, and so is a request at the gateway', async (context) => {
  const { siteUrl, gatewayUrl } = market;
  const server = `env SVC_SITE_URL=${siteUrl} SVC_DATA_DIR=${dataDir} ${process.execPath} ${svcScript} wallet-mcp archive`;
  const handed = await run([...topUp.slice(0, -1), 'mcp', '--wallet-server', server]);
  assert.equal(handed.exitCode, 0, handed.err);
  const { requestId } = JSON.parse(handed.out);
  const awaited = await run(['request', requestId, '--wait']);
  assert.equal(awaited.exitCode, 0, awaited.err);
  assert.equal(JSON.parse(awaited.out).status, 'settled');
  assert.equal(await market.depositOf('archive'), 120_000_000n);
  const local = await run([...topUp.slice(0, -1), 'local', '--from', address]);
  const tools = new Client({ name: 'test', version: '1' });
  const env = { PATH: process.env.PATH ?? '', SVC_SITE_URL: siteUrl, SVC_GATEWAY_URL: gatewayUrl };
  const args = [svcScript, 'mcp'];
  await tools.connect(
    new StdioClientTransport({ command: process.execPath, args, env: { ...env, SVC_DATA_DIR: dataDir } }),
  );
  context.after(() => tools.close());
  const ask = async (id: string) =>
    (await tools.callTool({ name: 'svc_get_request', arguments: { requestId: id } })).structuredContent as {
      status: string;
    };
  assert.deepEqual(await ask(requestId), { ...JSON.parse(awaited.out), taskId: null });
  assert.equal((await ask(JSON.parse(local.out).requestId)).status, 'pending');
  assert.equal(statSync(join(dataDir, 'wallet-requests.sqlite')).mode & 0o777, 0o600);
});

test('a request for a chain that is gone is waited for by nobody, and can be given up', async () => {
  const requests = createRequestFile(join(dataDir, 'wallet-requests.sqlite'));
  const request = requestOf(address);
  const saved = requests.create({ wallet: 'mcp', chain: 'gone', request, server: 's' });
  const connection = { genesisHash: market.deployment.genesisHash } as Connection;
  const config = readConfig({ SVC_DATA_DIR: dataDir });
  const reader = createRequestReader(config, async () => connection, null);
  const told = { code: 'WALLET_REQUEST_ELSEWHERE', message: /is pending and .*another chain.*--forget/ };
  await assert.rejects(waitForDecision(reader, toAnswer(saved), new AbortController().signal), told);
  assert.equal((await requests.giveUp(saved)).status, 'failed');
  requests.close();
});

test('calls whose answer was lost are not handed again until somebody has looked', async () => {
  for (const loss of [
    new OperatorError('WALLET_UNREACHABLE', { where: 'x', reason: 'gone' }),
    new OperatorError('WALLET_ANSWER_UNCLEAR', { reason: 'x' }),
  ]) {
    const path = join(dataDir, `${loss.code}.sqlite`);
    let sent = 0;
    /** Each on its own book, as processes are. */
    const submit = (isLost: boolean, data: Hex = '0x') => {
      const call = async (tool: string) => {
        if (tool === 'send_calls') sent++;
        if (tool === 'send_calls' && isLost) throw loss;
        return tool === 'send_calls' ? { requestId: 'theirs' } : { status: 'pending' };
      };
      const requests = createRequestFile(path);
      const requestChain = { readOutcome: async () => assert.fail(), readSignature: async () => null };
      const client = { call, close: async () => undefined };
      const place = { requests, requestChain, server: 's', chainId: 8_453, chain: 'c' };
      return createToolWallet(client, place).submit(requestOf(address, { data }));
    };
    await assert.rejects(submit(true), loss);
    // As a deadline that moves with the clock makes them.
    await assert.rejects(submit(false, '0x01'), { code: 'WALLET_ANSWER_LOST' });
    const lost = await submit(false).then(
      () => assert.fail('it was handed again'),
      (error: SvcError<'WALLET_ANSWER_LOST'>) => error,
    );
    assert.equal(lost.code, 'WALLET_ANSWER_LOST');
    assert.equal(sent, 1);
    const requests = createRequestFile(path);
    await requests.giveUp(requests.load(String(lost.details.requestId)) ?? assert.fail());
    const first = await submit(false);
    const second = await submit(false);
    assert.equal(first.requestId, second.requestId, 'its owner is asked once');
    assert.equal(sent, 2);
    const [third, fourth] = await Promise.all([submit(false, '0x02'), submit(false, '0x02')]);
    assert.equal(third.requestId, fourth.requestId, 'nor twice by two that come at once');
    assert.equal(sent, 3);
  }
});
