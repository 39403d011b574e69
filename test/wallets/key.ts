// A key as wallet: only where keys and money are nobody's, or with explicit consent.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createRpc } from '#sdk/chain/rpc.ts';
import type { CreateRequest } from '#sdk/schemas/walletRequest.ts';
import { type Connection, connect, isOnThisMachine } from '#service/app/connect.ts';
import { openWallet } from '#service/cli/prepare.ts';
import { readConfig } from '#service/config.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { createFolder } from '../support/svc.ts';
import { requestOf } from '../support/walletMarket.ts';
import { market } from './market.ts';

const { address, privateKey: PRIVATE_KEY } = accountOf('visitor');

const asKey = { wallet: 'key', walletServer: undefined, wait: false, args: {} } as const;

test('a key signs and sends at once, and reports the task it has created', async (context) => {
  const { run, gatewayUrl, depositOf } = market;
  const env = { PRIVATE_KEY, SVC_DATA_DIR: createFolder(context) };
  const topUp = await run(['prepare', 'top-up', '--wallet', 'key'], env);
  assert.equal(topUp.exitCode, 0, topUp.err);
  const { from, requestId, approvalUrl, status, transactionHashes } = JSON.parse(topUp.out);
  assert.deepEqual([from, status], [address, 'settled']);
  const shown = JSON.parse((await run(['request', requestId], env)).out);
  assert.deepEqual([shown.approvalUrl, shown.transactionHashes], [approvalUrl, transactionHashes]);
  assert.ok(approvalUrl.startsWith(`${gatewayUrl}/approve.html?request=`) && !approvalUrl.includes('#'));
  assert.equal(await depositOf('visitor'), 45_000_000n);
  const post = [
    'prepare',
    'post-task',
    '--wallet',
    'key',
    '--title',
    'T',
    '--criteria-text',
    'C',
    '--milestones',
    '100,150',
  ];
  const { out, err } = await run([...post, '--deadline', '+3d'], { PRIVATE_KEY });
  assert.equal(JSON.parse(out).taskId, 'v2:standard:1', err);
});

/** A key in this process, at the market. */
const openKey = async (context: TestContext, more = {}) => {
  const SVC_DATA_DIR = createFolder(context);
  const config = readConfig({ PRIVATE_KEY, SVC_DATA_DIR, SVC_SITE_URL: market.siteUrl, ...more });
  const connection = await connect(config);
  context.after(connection.close);
  return (await openWallet({ ...asKey, isConsented: false }, config, connection)) ?? assert.fail();
};
const head = { action: 'x', summary: 'x', chainId: 8453, from: address };

test('a key waits for as many confirmations as are asked for, and sends nothing else meanwhile', async (context) => {
  const wallet = await openKey(context, { SVC_CONFIRMATIONS: '3' });
  const other = requestOf(address, { to: accountOf('shop').address });
  const { requestId, status } = await wallet.submit(requestOf(address));
  assert.equal(status, 'submitted');
  await assert.rejects(wallet.submit(other), { code: 'WALLET_REQUEST_OPEN' });
  await market.rpc.ask({ method: 'hardhat_mine', params: ['0x2'], parse: () => null });
  assert.equal((await wallet.readStatus(requestId)).status, 'settled');
  assert.equal((await wallet.submit(other)).status, 'submitted', 'and then it goes on');
});

test('a key signs nothing for another chain', async (context) => {
  const wallet = await openKey(context);
  const typedData = {
    domain: { name: 'USD Coin', version: '2', chainId: 1 },
    types: { Note: [{ name: 'text', type: 'string' }] },
    primaryType: 'Note',
    message: { text: 'x' },
  };
  const attacks: CreateRequest[] = [
    { ...requestOf(address), chainId: 1 },
    { ...head, kind: 'signature', typedData },
    { ...head, kind: 'signature', typedData: { ...typedData, domain: { chainId: 'eight' } } },
  ];
  for (const request of attacks)
    await assert.rejects(wallet.submit(request), { code: 'REQUEST_CHAIN_WRONG' });
});

test('a key is asked for, is never shown, and never signs for another wallet', async () => {
  const { run } = market;
  const topUp = ['prepare', 'top-up', '--wallet', 'key'];
  const other = accountOf('newcomer').address;
  const [missing, bad, foreign] = await Promise.all([
    run(topUp),
    run(topUp, { PRIVATE_KEY: `${PRIVATE_KEY}00` }),
    run([...topUp, '--from', other], { PRIVATE_KEY }),
  ]);
  assert.deepEqual([missing.exitCode, JSON.parse(missing.out).code], [1, 'KEY_MISSING']);
  assert.doesNotMatch(bad.out + bad.err, new RegExp(PRIVATE_KEY.slice(2, 30)));
  assert.equal(foreign.exitCode, 1);
  assert.equal(JSON.parse(foreign.out).error, `The wallet signs as ${address}, not as ${other}.`);
});

test('on a chain that is not the embedded one a key needs consent', async () => {
  const { rpcUrl } = market;
  const real = {
    isEmbedded: async () => false,
    rpc: createRpc({ urls: [rpcUrl] }),
  } as unknown as Connection;
  const config = readConfig({ PRIVATE_KEY });
  await assert.rejects(openWallet({ ...asKey, isConsented: false }, config, real), {
    code: 'KEY_NEEDS_CONSENT',
  });
  const wallet = await openWallet({ ...asKey, isConsented: true }, config, real);
  assert.equal(await wallet?.findAddress(), address);
});

test('a chain elsewhere is never taken for the embedded one, whatever it says', () => {
  for (const url of ['http://127.0.0.1:8545', 'http://localhost:1', 'http://[::1]:8545/'])
    assert.equal(isOnThisMachine(url), true, url);
  for (const url of ['https://rpc.example', 'http://127.0.0.1.example', 'http://localhost@evil.example'])
    assert.equal(isOnThisMachine(url), false, url);
});
