// What went wrong, in a sentence for the form that it went wrong in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '@svc/sdk/domain';
import {
  BaseError,
  ChainMismatchError,
  HttpRequestError,
  InternalRpcError,
  InvalidInputRpcError,
  TimeoutError,
} from 'viem';
import { base, mainnet } from 'viem/chains';
import { explainError } from './explainError.ts';

test('a mistake in the arguments of an action is named itself', () => {
  const mistakes = '  acceptBy: must be within 14 days\n  deadline: must be within 365 days';
  const error = new SvcError('ARGUMENTS_INVALID', { action: 'build-task-terms', mistakes });
  assert.equal(explainError(error), 'Must be within 14 days.');
});

test('a wallet on another chain is told to switch, whether it is asked for a transaction or a signature', () => {
  const says =
    /^The wallet is on another chain\. Switch it to .+, then try again\. Nothing was signed or sent\.$/;
  assert.match(explainError(new ChainMismatchError({ chain: base, currentChainId: mainnet.id })), says);
  for (const words of [
    'Provided chainId "8453" must match the active chainId "1"',
    'chainId should be same as current chainId',
  ])
    assert.match(explainError(new InvalidInputRpcError(new Error(words))), says);
});

test('a server that does not answer is named without addresses and names of exceptions', () => {
  const says = 'The server does not answer. Check your connection, then try again.';
  const details = { url: 'https://gateway.example', reason: 'Failed to fetch' };
  assert.equal(explainError(new SvcError('API_UNREACHABLE', details)), says);
  for (const words of ['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'])
    assert.equal(explainError(new TypeError(words)), says);
});

test('a chain that does not answer the wallet is named', () => {
  const says = 'The wallet cannot reach the chain now. Try again in a moment.';
  const request = { url: 'https://rpc.example', body: {} };
  assert.equal(explainError(new HttpRequestError(request)), says);
  assert.equal(explainError(new BaseError('Request failed.', { cause: new TimeoutError(request) })), says);
  const inside = new InternalRpcError(new Error('The method handler crashed.'));
  assert.equal(explainError(inside), 'The wallet answers: The method handler crashed.');
});
