// The default wallet: requests wait at the real gateway until the owner decides.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { parseUsdc } from '#sdk/domain/amount.ts';
import { approvalTokenHeader, splitApprovalUrl } from '#sdk/domain/approvalLink.ts';
import { type CreateRequest, walletRequestSchema } from '#sdk/schemas/walletRequest.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { createLocalWallet } from '#service/wallet/localWallet.ts';
import { waitForDecision } from '#service/wallet/walletInterface.ts';
import { postJson, type WalletMarket } from '../support/walletMarket.ts';

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

export function testLocalWallet(get: () => WalletMarket): void {
  test('a request is submitted, approved by its owner, and settled by its receipts', async () => {
    const { start, gatewayUrl, ownerOf, depositOf } = get();
    const { child, ended } = start([...topUp, '--wait']);
    const { id, token } = await readLink(child.stderr);
    const url = `${gatewayUrl}/v1/requests/${id}`;
    const { request, status } = walletRequestSchema.parse(await (await fetch(url)).json());
    assert.equal(status, 'pending');
    const { transactionHashes } = await ownerOf('newcomer').submit(request as CreateRequest);
    const result = { status: 'submitted', transactionHashes };
    const posted = await postJson(`${url}/result`, result, { [approvalTokenHeader]: token });
    assert.equal(posted.status, 200);
    const { exitCode, out, err } = await ended;
    assert.equal(exitCode, 0, err);
    const document = JSON.parse(out);
    assert.equal(document.status, 'settled');
    assert.equal(document.requestId, id);
    assert.deepEqual(document.transactionHashes, transactionHashes);
    assert.match(err, /The request is settled\./);
    assert.equal(await depositOf('newcomer'), parseUsdc('30'));
  });

  test('a request that its owner rejects ends with 4 and moves nothing', async () => {
    const { start, gatewayUrl, depositOf } = get();
    const before = await depositOf('newcomer');
    const { child, ended } = start([...topUp, '--wait']);
    const { id, token } = await readLink(child.stderr);
    const result = { status: 'rejected' };
    await postJson(`${gatewayUrl}/v1/requests/${id}/result`, result, { [approvalTokenHeader]: token });
    const { exitCode, out } = await ended;
    assert.equal(exitCode, 4);
    assert.equal(JSON.parse(out).status, 'rejected');
    assert.equal(await depositOf('newcomer'), before);
  });

  test('without waiting, a request answers at once with its id and where to approve it', async () => {
    const { run, gatewayUrl } = get();
    const { exitCode, out } = await run(topUp);
    assert.equal(exitCode, 0);
    const { requestId, approvalUrl, status, calls, steps, sendCalls, eip5792 } = JSON.parse(out);
    assert.equal(status, 'pending');
    const page = splitApprovalUrl(approvalUrl);
    assert.equal(page.approvalUrl, `${gatewayUrl}/approve.html?request=${requestId}`);
    assert.match(page.token ?? '', /^[\w-]{43}$/);
    assert.equal(calls.length, steps.length);
    assert.deepEqual(sendCalls, { chain: 'base', calls });
    assert.deepEqual(eip5792.calls, calls);
    assert.equal(eip5792.chainId, '0x2105');
  });

  test('a signature is asked for and comes back through the same way', async () => {
    const { gatewayUrl, ownerOf } = get();
    const wallet = createLocalWallet(gatewayUrl);
    const typedData = {
      domain: { name: 'x', version: '1', chainId: 8453 },
      types: { Word: [{ name: 'text', type: 'string' }] },
      primaryType: 'Word',
      message: { text: 'yes' },
    };
    const request = {
      kind: 'signature',
      action: 'create-task',
      summary: 'x',
      chainId: 8453,
      from,
      typedData,
    } as const;
    const handed = await wallet.submit(request);
    const { signature } = await ownerOf('newcomer').submit(request);
    await postJson(`${gatewayUrl}/v1/requests/${handed.requestId}/result`, { status: 'signed', signature });
    const answer = await waitForDecision(wallet, handed, new AbortController().signal);
    assert.equal(answer.status, 'settled');
    assert.equal(answer.signature, signature);
  });

  test('bad arguments and calls that would revert create no request', async (context) => {
    let asked = 0;
    const keys = new Set<unknown>();
    const counter = createServer(({ headers }, response) => {
      asked++;
      keys.add(headers['idempotency-key']);
      response.writeHead(500).end();
    });
    await new Promise<void>((listening) => counter.listen(0, '127.0.0.1', listening));
    context.after(() => counter.close());
    const SVC_GATEWAY_URL = `http://127.0.0.1:${(counter.address() as AddressInfo).port}`;
    const { run } = get();
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
    assert.match(
      reverting.err,
      /Step 1 would fail: 30 USDC of the deposit are free, but 9000 USDC are needed/,
    );
    assert.equal(JSON.parse(reverting.out).requestId, undefined);
    assert.equal(asked, 0);
    const down = await run(topUp, { SVC_GATEWAY_URL });
    assert.equal(down.exitCode, 1);
    assert.match(JSON.parse(down.out).error, /The wallet cannot be reached at the gateway at http.*HTTP 500/);
    assert.deepEqual([asked, keys.size], [3, 1], 'tried again with the same key');
  });

  test('a failed wait reports the request and where it is approved', async (context) => {
    const created = { requestId: 'r-1', approvalUrl: 'http://127.0.0.1/approve.html?request=r-1' };
    const forgetful = createServer(({ method }, response) => {
      response.writeHead(method === 'POST' ? 201 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(method === 'POST' ? { ...created, status: 'pending' } : { error: 'Gone' }));
    });
    await new Promise<void>((listening) => forgetful.listen(0, '127.0.0.1', listening));
    context.after(() => forgetful.close());
    const SVC_GATEWAY_URL = `http://127.0.0.1:${(forgetful.address() as AddressInfo).port}`;
    const { exitCode, out, err } = await get().run([...topUp, '--wait'], { SVC_GATEWAY_URL });
    assert.equal(exitCode, 1);
    const { error, code, ...handed } = JSON.parse(out);
    assert.deepEqual(handed, { ...created, status: 'pending' });
    assert.equal(code, 'WALLET_REFUSED');
    assert.match(error, /Gone/);
    assert.match(err, /"svc request r-1" shows its status/);
  });

  test('--wallet none asks no wallet, and an unreachable market is reported in one sentence', async () => {
    const { run } = get();
    const nowhere = 'http://127.0.0.1:1';
    const [none, away, offline] = await Promise.all([
      run([...topUp, '--wallet', 'none'], { SVC_GATEWAY_URL: nowhere }),
      run(topUp, { SVC_SITE_URL: nowhere }),
      run(['prepare', 'hash-criteria', '--criteria-text', 'x'], { SVC_SITE_URL: nowhere }),
    ]);
    assert.equal(none.exitCode, 0);
    assert.equal(JSON.parse(none.out).simulation.status, 'success');
    assert.equal(away.exitCode, 1);
    assert.match(away.err, /^No market answers at http:\/\/127\.0\.0\.1:1: start one with npm start.*\n$/);
    assert.equal(offline.exitCode, 0, 'hashing needs no market');
  });
}
