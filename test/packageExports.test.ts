// Proves that the package hands out what it promises, under the name it promises.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMarketClient } from '@svc/sdk/client';
import { createMarketClient as source } from '#sdk/client/createMarketClient.ts';

test('svc/client is the typed client', () => {
  assert.equal(createMarketClient, source);
});
