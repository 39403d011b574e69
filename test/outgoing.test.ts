// Proves that no outside user can choose where our servers send requests: by a list of every place that sends one, with
// the source of its address, and by a trap that all user input points at.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  concatHex,
  createPublicClient,
  encodeErrorResult,
  erc20Abi,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  size,
} from 'viem';
import { createChainClient } from '#sdk/chain/chainClient.ts';
import { createCast, enter } from './support/cast.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { serve } from './support/listen.ts';
import { postTask } from './support/posting.ts';
import { ask } from './support/rawHttp.ts';
import { openClient, startTools, type TestTools } from './support/tools.ts';
import { until } from './support/until.ts';

const root = join(import.meta.dirname, '..');

/** Each file that opens a connection, and the setting its address comes from. It never comes from a request. */
const senders: Readonly<Record<string, string>> = {
  'sdk/src/chain/rpcEndpoint.ts': 'SVC_RPC_URL',
  'service/src/chain/heads.ts': 'SVC_RPC_URL',
  'service/src/app/openMarket.ts': 'SVC_RPC_URL',
  'service/src/app/createGateway.ts': 'SVC_RPC_URL',
  'service/src/app/createKeeper.ts': 'the embedded chain',
  'service/src/app/postingServices.ts': 'SVC_RPC_URL',
  'service/src/deploy/edition.ts': 'SVC_RPC_URL',
  'service/src/payments/facilitator.ts': 'SVC_FACILITATOR',
  'service/src/chat/modelApi.ts': 'LLM_BASE_URL',
  'service/src/market/names.ts': 'SVC_NAMES_RPC_URL',
  'service/src/store/postgres.ts': 'DATABASE_URL',
  'service/src/store/postgresListener.ts': 'DATABASE_URL',
  'service/src/messages/xmtp.ts': 'SVC_XMTP_ENV, a network of the package',
  'sdk/src/client/request.ts': 'SVC_SITE_URL, or the caller of createMarketClient',
  'sdk/src/client/runAction.ts': 'rpcUrl of createActions, or of the site config',
  'sdk/src/client/joinMarket.ts': 'rpcUrl of joinMarket, or of the site config',
  'service/src/wallet/localWallet.ts': 'SVC_GATEWAY_URL',
  'service/src/wallet/grants.ts':
    '--wallet-server of the command line, and the authorization server it names',
  'service/src/wallet/toolClient.ts': '--wallet-server of the command line',
  'service/src/cli/negotiation.ts': 'SVC_GATEWAY_URL',
  'service/src/webhooks/target.ts':
    'svc webhook add of the operator, channels of wallets; private addresses only with SVC_WEBHOOK_PRIVATE',
  'service/src/files/bucket.ts': 'SVC_FILES_BUCKET',
  'service/src/cli/audit.ts': '--site of the command line, SVC_SITE_URL',
  'service/src/app/connect.ts': 'SVC_RPC_URL, --rpc of svc audit, or the site at SVC_SITE_URL',
  'service/src/cli/deploy.ts': '--rpc of the command line, SVC_RPC_URL',
  'service/src/keeper/priceSource.ts': '--source of the command line',
  'service/src/cli/doctor.ts': 'SVC_RPC_URL, DATABASE_URL, SVC_HOST and the ports of the configuration',
};

const sending =
  /(?<!function )createRpc\(|(?<![.\w])fetch\(|(?<![.\w])http\(|\bwebSocket\(|new WebSocket\(|new pg\.(Pool|Client)|HTTPFacilitatorClient\(|StreamableHTTPClientTransport\(|Client\.create\(|(?<![.\w])(request|get|connect|createConnection|lookup)\b.*from 'node:(http|https|http2|net|tls|dns|dgram)/;

test('every place that sends a request is listed with where its address comes from', () => {
  const files = globSync('{sdk,service}/src/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const found = files.filter((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .some((line) => sending.test(line) && !/^\s*(\/\/|\*|\/\*)/.test(line)),
  );
  assert.deepEqual(found.sort(), Object.keys(senders).sort());
  for (const file of files.filter((name) => name !== 'sdk/src/chain/chainClient.ts'))
    assert.ok(
      !readFileSync(join(root, file), 'utf8').includes('createPublicClient('),
      `${file}: only chain/chainClient.ts creates clients; they have offchain lookups turned off`,
    );
});

let gateway: TestGateway;
let tools: TestTools;
let trap: Awaited<ReturnType<typeof serve>>;
let trapUrl: string;
const caught: string[] = [];
before(async () => {
  gateway = await startGateway();
  tools = await startTools(gateway.site().url);
  trap = await serve((request, response) => {
    caught.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  trapUrl = trap.url;
});
after(async () => {
  trap.close();
  await tools.close();
  await gateway.close();
});

test('a task whose uri points at a trap is shown, by pages, API and tools, and never fetched', async (context) => {
  const cast = await createCast(gateway.devnet.rpcUrl, 'standard');
  await enter(cast);
  await postTask(cast, { uri: `${trapUrl}/document.json`, criteria: `see ${trapUrl}/criteria` });
  const shown = async () => (await gateway.get('/api/market/task?taskId=v2:standard:1')).body;
  await until(async () => (await shown()).task?.uri === `${trapUrl}/document.json`);
  await gateway.get('/v1/tasks/v2:standard:1');
  await gateway.get('/task.html?id=v2:standard:1');
  const client = await openClient(context, tools.url);
  const { isError } = await client.callTool({
    name: 'svc_get_task',
    arguments: { taskId: 'v2:standard:1' },
  });
  assert.notEqual(isError, true);
  assert.deepEqual(caught, []);
});

test('addresses in parameters, bodies and headers are followed by nobody', async () => {
  const headers = {
    host: 'localhost',
    origin: trapUrl,
    referer: trapUrl,
    forwarded: `host=${new URL(trapUrl).host}`,
    'x-forwarded-host': new URL(trapUrl).host,
    'x-original-url': trapUrl,
    'x-payment': Buffer.from(
      JSON.stringify({ x402Version: 1, scheme: 'exact', network: trapUrl, payload: { resource: trapUrl } }),
    ).toString('base64'),
    'content-type': 'application/json',
  };
  const value = encodeURIComponent(trapUrl);
  const fields = 'payer action address market txHash facilitator'.split(' ').map((name) => [name, trapUrl]);
  const body = JSON.stringify({
    ...Object.fromEntries(fields),
    resource: { url: trapUrl },
    messages: [{ role: 'user', content: trapUrl }],
  });
  for (const path of [
    `/api/market/open?market=${value}&cursor=${value}`,
    `/api/market/task?taskId=${value}`,
    `/api/poster/tasks?address=${value}&rpcUrl=${value}`,
    `/v1/tasks/${value}`,
    `/approve.html?request=${value}&gateway=${value}`,
    `${trapUrl}/absolute`,
  ])
    await ask(gateway.url(), { path, headers });
  for (const path of [
    '/api/role-chat',
    '/api/role-chat/explain-task',
    '/api/role-chat/draft-criteria',
    '/api/posting/check',
    '/api/posting/record',
    '/v1/payment-receipt',
    '/v1/tasks/v2:standard:1/claim',
    '/v1/requests',
  ])
    await ask(gateway.url(), { path, method: 'POST', headers, body });
  assert.deepEqual(caught, []);
});

test('a contract that wants to be looked up elsewhere (ERC-3668) is not obeyed', async () => {
  const wallet = '0x00000000000000000000000000000000000bad00';
  const plain = createPublicClient({ transport: http(gateway.devnet.rpcUrl, { retryCount: 0 }) });
  await plain.request({
    method: 'hardhat_setCode' as 'eth_chainId',
    params: [wallet, buildLookupCode(wallet, `${trapUrl}/{sender}/{data}`)] as never,
  });
  const question = { address: wallet, abi: erc20Abi, functionName: 'name' } as const;
  await assert.rejects(plain.readContract(question));
  assert.equal(caught.splice(0).length, 1, 'the trap works: a plain client walks into it');

  const ours = createChainClient({ transport: http(gateway.devnet.rpcUrl, { retryCount: 0 }) });
  await assert.rejects(ours.readContract(question));
  const request = { kind: 'signature', action: 'build-task-terms', summary: 'Sign', chainId: 8453 };
  const typedData = {
    domain: { name: 'svc', version: '2', chainId: 8453 },
    types: { Note: [{ name: 'text', type: 'string' }] },
    primaryType: 'Note',
    message: { text: 'as agreed' },
  };
  const { body } = await gateway.post('/v1/requests', { ...request, from: wallet, typedData });
  const signed = { status: 'signed', signature: `0x${'11'.repeat(65)}` };
  assert.equal((await gateway.post(`/v1/requests/${body.requestId}/result`, signed)).status, 422);
  assert.deepEqual(caught, []);
});

/** Code that reverts with OffchainLookup, whatever it is asked. */
function buildLookupCode(sender: Hex, url: string): Hex {
  const revert = encodeErrorResult({
    abi: parseAbi([
      'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
    ]),
    args: [sender, [url], '0x', '0x12345678', '0x'],
  });
  const length = numberToHex(size(revert), { size: 2 });
  // CODECOPY of what follows these 14 bytes, and REVERT with it.
  return concatHex(['0x61', length, '0x600e600039', '0x61', length, '0x6000fd', revert]);
}
