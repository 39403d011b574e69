// Proves which chain a command uses, and that a site that stops answering ends in an error.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { readConfig } from '../config.ts';
import { choosePublicChain, chooseRpcUrls, createSiteClient } from './connect.ts';

test('configured RPCs come before the public RPC of a deployed market, and that before the embedded chain', () => {
  const choose = (environment: Record<string, string>) => chooseRpcUrls(readConfig(environment), 8453);
  const market = { SVC_DEPLOYMENT: 'deployments/8453.json', SVC_CHAIN_PORT: '9000' };
  const named = ['http://a.example/key', 'http://b.example'];
  assert.deepEqual(choose({ ...market, SVC_RPC_URL: named.join(', ') }), named);
  assert.deepEqual(choose(market), ['https://mainnet.base.org']);
  assert.deepEqual(choose({ SVC_CHAIN_PORT: '9000' }), ['http://127.0.0.1:9000']);
});

test('clients get what is known about the chain, what is set instead, and no RPC is guessed for an unknown chain', () => {
  const choose = (chainId: number, environment = {}) => choosePublicChain(readConfig(environment), chainId);
  assert.deepEqual(choose(8453), {
    name: 'Base',
    rpcUrl: 'https://mainnet.base.org',
    explorerUrl: 'https://basescan.org',
  });
  assert.equal(choose(84532).name, 'Base Sepolia');
  assert.throws(() => choose(1337), {
    code: 'CONFIG_INVALID',
    message: /SVC_PUBLIC_RPC_URL: is needed.*1337/,
  });
  const own = { SVC_PUBLIC_RPC_URL: 'https://rpc.example/', SVC_CHAIN_NAME: 'Our chain' };
  assert.deepEqual(choose(1337, own), {
    name: 'Our chain',
    rpcUrl: 'https://rpc.example',
    explorerUrl: null,
  });
});

test('a site that stops answering, before its reply or in the middle of it, counts as unreachable', async (context) => {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api/health')) response.writeHead(200).write('{"status":');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = createSiteClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 200);
  const unreachable = { code: 'API_UNREACHABLE', message: /aborted due to timeout\.$/ };
  await Promise.all([
    assert.rejects(client.open(), unreachable),
    assert.rejects(client.health(), unreachable),
    assert.rejects(client.open({ signal: AbortSignal.abort() }), { name: 'AbortError' }),
  ]);
});
