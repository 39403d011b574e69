// Proves which chain a command asks, by what is configured.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#config.ts';
import { chooseRpcUrls, publicRpcUrl } from './rpcUrls.ts';

test('the configured RPCs go before the public one of a deployed market, and that before the embedded chain', () => {
  const choose = (environment: Record<string, string>) => chooseRpcUrls(readConfig(environment));
  const market = { SVC_DEPLOYMENT: 'deployments/8453.json', SVC_CHAIN_PORT: '9000' };
  const named = ['http://a.example/key', 'http://b.example'];
  assert.deepEqual(choose({ ...market, SVC_RPC_URL: named.join(', ') }), named);
  assert.deepEqual(choose(market), [publicRpcUrl]);
  assert.deepEqual(choose({ SVC_CHAIN_PORT: '9000' }), ['http://127.0.0.1:9000']);
});
