// The errors of a route: its own, and those with which its fields refuse a value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conversationRoutes } from './conversations.ts';
import { routes } from './routes.ts';

test('a route lists the code of every field that refuses a value, each once', () => {
  const own = ['STORE_UNREACHABLE', 'PRICE_MISSING'];
  const ofFields = ['MARKET_UNKNOWN', 'LIMIT_INVALID', 'CURSOR_INVALID', 'STATE_UNKNOWN', 'TAG_INVALID'];
  for (const code of [...own, ...ofFields]) assert.ok(routes.open.errors.includes(code as 'NOT_READY'), code);
  assert.ok(routes.record.errors.includes('TASK_AMOUNT_MALFORMED'));
  assert.ok(routes.record.errors.includes('BUDGET_MALFORMED'), 'of the earlier shape');
  assert.ok(conversationRoutes.conversations.errors.includes('ADDRESS_REQUIRED'));
  for (const { errors } of Object.values(routes)) assert.equal(new Set(errors).size, errors.length);
});
