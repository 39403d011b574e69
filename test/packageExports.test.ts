// Proves that the front doors of the SDK export the client and what a participant needs first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as root from '@svc/sdk';
import { createMarketClient } from '@svc/sdk/client';
import { createMarketClient as source } from '#sdk/client/createMarketClient.ts';

test('the root and /client export the typed client', () => {
  assert.equal(root.createMarketClient, source);
  assert.equal(createMarketClient, source);
});

test('the root exports ids, amounts and the error class, and little else', () => {
  assert.equal(root.formatTaskId(root.parseTaskId('v2:micro:7')), 'v2:micro:7');
  assert.equal(root.formatTok(root.parseTok('1.5')), '1.5');
  assert.equal(root.formatUsdc(root.parseUsdc('25')), '25');
  assert.throws(() => root.parseTaskId('0x'), root.SvcError);
  assert.ok(Object.keys(root).length < 30);
});
