// The default wallet: requests wait at the real gateway until the owner decides.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receiptOf } from '#sdk/chain/rpcRequests.ts';
import { parseUsdc } from '#sdk/domain/amount.ts';
import { approvalTokenHeader } from '#sdk/domain/approvalLink.ts';
import { type CreateRequest, walletRequestSchema } from '#sdk/schemas/walletRequest.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { get, send } from '../support/asking.ts';
import { startGateway } from '../support/gateway.ts';
import { serve } from '../support/listen.ts';
import { market } from './market.ts';

const from = accountOf('newcomer').address;
const topUp = ['prepare', 'top-up', '--from', from, '--amount-usdc', '30'];

/** Waits for the line that says where to approve, and reads the id and the secret in it. */
function readLink(stderr: NodeJS.ReadableStream | null): Promise<{ id: string; token: string }> {
  return new Promise((resolve) => {
    let text = '';
    stderr?.on('data', (chunk: Buffer) => {
      text += chunk;
      const [, id, token] = /approve\.html\?request=([\w-]+)#token=([\w-]+)\s/.exec(text) ?? [];
      if (id !== undefined && token !== undefined) resolve({ id, token });
    });
  });
}

/** Has the owner of a request decide on it while the command waits, and answers how the command ended. */
async function decide(decision: (request: CreateRequest) => object | Promise<object>) {
  const { child, ended } = market.start([...topUp, '--wait']);
  const { id, token } = await readLink(child.stderr);
  const path = `/v1/requests/${id}`;
  const { request, status } = walletRequestSchema.parse((await get(market.gatewayUrl, path)).body);
  assert.equal(status, 'pending');
  const result = await decision(request as CreateRequest);
  const posted = await send(market.gatewayUrl, `${path}/result`, result, { [approvalTokenHeader]: token });
  assert.equal(posted.status, 200);
  const { exitCode, out, err } = await ended;
  return { id, exitCode, err, document: JSON.parse(out) };
}

test('a request is submitted, approved by its owner, and settled by its receipts', async () => {
  const sent: string[] = [];
  const { id, exitCode, err, document } = await decide(async (request) => {
    const { transactionHashes } = await market.ownerOf('newcomer').submit(request);
    sent.push(...transactionHashes);
    return { status: 'submitted', transactionHashes };
  });
  assert.equal(exitCode, 0, err);
  const { status, requestId, transactionHashes } = document;
  assert.deepEqual([status, requestId, transactionHashes], ['settled', id, sent]);
  assert.match(err, /The request is settled\./);
  assert.equal(await market.depositOf('newcomer'), parseUsdc('30'));
});

test('a request that its owner rejects ends with 4 and moves nothing', async () => {
  const before = await market.depositOf('newcomer');
  const { exitCode, document } = await decide(() => ({ status: 'rejected' }));
  assert.deepEqual([exitCode, document.status], [4, 'rejected']);
  assert.equal(await market.depositOf('newcomer'), before);
});

test('bad arguments and calls that would revert create no request', async (context) => {
  let asked = 0;
  const keys = new Set<unknown>();
  const { url: SVC_GATEWAY_URL, close } = await serve(({ method, headers }, response) => {
    if (method === 'POST') {
      asked++;
      keys.add(headers['idempotency-key']);
    }
    response.writeHead(500).end();
  });
  context.after(close);
  const { run } = market;
  const prepare = (...args: readonly string[]) =>
    run(['prepare', ...args, '--from', from], { SVC_GATEWAY_URL });
  const [wrong, broke, reverting] = await Promise.all([
    prepare('top-up', '--amount-usdc', '5x'),
    prepare('claim-task', '--task-id', 'v2:micro:9'),
    prepare('withdraw-deposit', '--amount-usdc', '9000'),
  ]);
  assert.equal(wrong.exitCode, 2);
  assert.match(JSON.parse(wrong.out).error, /amountUsdc: An amount in USDC/);
  assert.equal(JSON.parse(broke.out).code, 'TASK_NOT_FOUND');
  assert.equal(broke.exitCode, 1);
  assert.equal(reverting.exitCode, 3);
  assert.match(reverting.err, /Step 1 would fail: 30 USDC of the deposit are free, but 9000 USDC are needed/);
  assert.equal(JSON.parse(reverting.out).requestId, undefined);
  assert.equal(asked, 0);
  const down = await run(topUp, { SVC_GATEWAY_URL });
  assert.equal(down.exitCode, 1);
  assert.match(JSON.parse(down.out).error, /The wallet cannot be reached at the gateway at http.*HTTP 500/);
  assert.deepEqual([asked, keys.size], [3, 1], 'tried again with the same key');
});

test('a failed wait reports the request and where it is approved', async (context) => {
  const created = { requestId: 'r-1', approvalUrl: 'http://127.0.0.1/approve.html?request=r-1' };
  const { url: SVC_GATEWAY_URL, close } = await serve(({ method }, response) => {
    response.writeHead(method === 'POST' ? 201 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(method === 'POST' ? { ...created, status: 'pending' } : { error: 'Gone' }));
  });
  context.after(close);
  const { exitCode, out, err } = await market.run([...topUp, '--wait'], { SVC_GATEWAY_URL });
  assert.equal(exitCode, 1);
  const { error, code, ...handed } = JSON.parse(out);
  assert.deepEqual(handed, { ...created, status: 'pending' });
  assert.equal(code, 'WALLET_REFUSED');
  assert.match(error, /Gone/);
  assert.match(err, /"svc request r-1" shows its status/);
});

test('--wallet none asks no wallet, and an unreachable market is reported in one sentence', async () => {
  const { run } = market;
  const nowhere = 'http://127.0.0.1:1';
  const [none, away] = await Promise.all([
    run([...topUp, '--wallet', 'none'], { SVC_GATEWAY_URL: nowhere }),
    run(topUp, { SVC_SITE_URL: nowhere }),
  ]);
  assert.equal(none.exitCode, 0);
  const { simulation, calls, sendCalls, eip5792 } = JSON.parse(none.out);
  assert.equal(simulation.status, 'success');
  assert.deepEqual(sendCalls, { chain: 'base', calls });
  assert.deepEqual([eip5792.chainId, eip5792.calls], ['0x2105', calls]);
  assert.equal(away.exitCode, 1);
  assert.match(away.err, /^No market answers at http:\/\/127\.0\.0\.1:1: start one with npm start.*\n$/);
});

test('a gateway of another chain, whose contracts have the same addresses, gets no request', async (context) => {
  const other = await startGateway();
  context.after(other.close);
  const { exitCode, out } = await market.run(topUp, { SVC_GATEWAY_URL: other.url() });
  const { code, error } = JSON.parse(out);
  assert.deepEqual([exitCode, code], [1, 'GATEWAY_FOREIGN']);
  assert.match(error, /Set SVC_GATEWAY_URL/);
  const requests = await other.site().market.database.query('SELECT 1 FROM wallet_requests');
  assert.deepEqual(requests, []);
});

test('top-up that is run again ends as it did before, with nothing sent', async () => {
  const key = { PRIVATE_KEY: accountOf('painter').privateKey };
  const deposit = () => market.run(['prepare', 'top-up', '--wallet', 'key', '--wait'], key);
  const [first, second] = [await deposit(), await deposit()];
  assert.deepEqual([first.exitCode, JSON.parse(first.out).status], [0, 'settled'], first.err);
  assert.deepEqual([second.exitCode, JSON.parse(second.out).status], [0, 'settled'], second.out);
  assert.match(second.err, /nothing to do: the collateral has the recommended 45 USDC/);
  assert.equal(await market.depositOf('painter'), parseUsdc('45'));
});

test('a command that waits ends when the site shows what it has sent', async (context) => {
  const shown: number[] = [];
  // A site that is two answers behind its chain.
  const { url: SVC_SITE_URL, close } = await serve(async ({ url = '' }, response) => {
    const answer = await fetch(`${market.siteUrl}${url}`);
    let text = await answer.text();
    if (url.startsWith('/health')) {
      const health = JSON.parse(text);
      const block = shown.length < 2 ? 0 : Number(health.block);
      shown.push(block);
      text = JSON.stringify({ ...health, block });
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  context.after(close);
  const args = ['prepare', 'top-up', '--amount-usdc', '5', '--wallet', 'key', '--wait'];
  const key = { PRIVATE_KEY: accountOf('painter').privateKey };
  const { exitCode, out, err } = await market.run(args, { ...key, SVC_SITE_URL });
  assert.equal(exitCode, 0, err);
  const { transactionHashes } = JSON.parse(out);
  const receipt = await market.rpc.ask(receiptOf(transactionHashes.at(-1)));
  assert.deepEqual(shown.slice(0, 2), [0, 0]);
  assert.ok((shown.at(-1) ?? 0) >= Number(receipt?.blockNumber), `${shown} of ${receipt?.blockNumber}`);
});
