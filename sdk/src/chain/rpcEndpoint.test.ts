// Proves how errors of real nodes and providers are classified.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '../domain/errors.ts';
import { explainRpcError, isAnswer } from './rpcEndpoint.ts';

const codeOf = (method: string, code: number, message: string) => {
  const error = explainRpcError('node.example', method, { code, message });
  return error instanceof SvcError ? error.code : 'endpoint failed';
};

const tooMuch: readonly (readonly [number, string])[] = [
  [-32005, 'query returned more than 10000 results'],
  [-32602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range'],
  [-32614, 'eth_getLogs is limited to a 10,000 range'],
  [-32000, 'block range is too large'],
  [-32000, 'exceed maximum block range: 50000'],
  [-32012, 'requested too many blocks from 1 to 90000, maximum is set to 2048'],
];

const askedTooOften: readonly (readonly [number, string])[] = [
  [-32005, 'daily request count exceeded, request rate limited'],
  [429, 'Your app has exceeded its compute units per second capacity'],
  [-32097, 'rate limit exceeded'],
];

const otherBlock: readonly string[] = [
  'header not found',
  'unknown block',
  'block not found with tag 0x1111',
  'hash 0x1111 is not currently canonical; block not canonical',
  'Received invalid block tag 0x1111. Latest block number is 67',
  'One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found.',
];

test('too much is a refusal, a rate limit a fault of the endpoint, an unknown block a changed chain', () => {
  for (const [code, message] of tooMuch)
    assert.equal(codeOf('eth_getLogs', code, message), 'CHAIN_REFUSED', message);
  for (const [code, message] of askedTooOften)
    assert.equal(codeOf('eth_getLogs', code, message), 'endpoint failed', message);
  for (const message of otherBlock)
    assert.equal(codeOf('eth_call', -32000, message), 'CHAIN_CHANGED', message);
});

test('a revert is an answer, and anything else is a fault of the endpoint', () => {
  assert.equal(codeOf('eth_call', 3, 'execution reverted'), 'CHAIN_REFUSED');
  assert.equal(codeOf('eth_call', -32601, 'the method does not exist'), 'endpoint failed');
  assert.equal(codeOf('eth_call', -32000, 'missing trie node'), 'endpoint failed');
  assert.ok(isAnswer(explainRpcError('node.example', 'eth_call', { code: 3 })));
  assert.ok(!isAnswer(explainRpcError('node.example', 'eth_call', {})));
});

test('the message of a faulty endpoint, which may hold a key, is not repeated', () => {
  const error = explainRpcError('node.example', 'eth_call', {
    code: -32000,
    message: 'key k3y is suspended',
  });
  assert.equal(error.message, 'node.example fails with code -32000');
});
