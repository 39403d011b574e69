// A policy file: good ones, and mistakes that name their line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '@svc/sdk/domain';
import { parsePolicy, policyActions } from './policyFile.ts';

const limit = { tok: '10', usdc: '5' };
const good = {
  version: 1,
  mode: 'enforce',
  markets: ['standard'],
  actions: { 'claim-task': {}, 'post-task': { tok: '1500.5' } },
  perAction: limit,
  perDay: limit,
  perCounterparty: limit,
  maxTaskTok: '2000',
};

function mistakesIn(text: string): string {
  try {
    parsePolicy(text, 'policy.json');
  } catch (error) {
    assert.ok(error instanceof SvcError && error.code === 'POLICY_INVALID', String(error));
    return String(error.details.mistakes);
  }
  return '';
}
const mistakesOf = (changed: Record<string, unknown>) =>
  mistakesIn(JSON.stringify({ ...good, ...changed }, null, 2));

test('a policy has exact amounts, and an action without its own limit has that of all', () => {
  const policy = parsePolicy(JSON.stringify(good), 'policy.json');
  assert.equal(policy.actions['post-task']?.tok, 1_500_500_000_000_000_000_000n);
  assert.deepEqual(policy.actions['claim-task'], {});
  assert.equal(policy.perDay.usdc, 5_000_000n);
});

test('a misspelt action is named with its line and the nearest one', () => {
  const text = JSON.stringify({ ...good, actions: { 'claim-task': {}, 'post-tsk': {} } }, null, 2);
  const line = text.split('\n').findIndex((one) => one.includes('post-tsk')) + 1;
  assert.equal(
    mistakesIn(text),
    `  line ${line}: actions.post-tsk: there is no such action; did you mean "post-task"?`,
  );
  assert.match(mistakesOf({ actions: { toString: {} } }), /actions\.toString: there is no such action/);
  assert.match(mistakesOf({ actions: { read: {} } }), /no such action/, 'a document signs nothing');
});

test('unknown, missing, repeated and malformed fields are mistakes', () => {
  for (const [changed, says] of [
    [{ perday: limit }, /line \d+: perday: there is no such field/],
    [{ perDay: undefined }, /perDay: is required|perDay: must be/],
    [{ perDay: { tok: '1' } }, /perDay\.usdc: /],
    [{ perDay: { tok: '1', usdc: '1', eth: '1' } }, /perDay\.eth: there is no such field/],
    [{ perDay: { tok: 5, usdc: '1' } }, /perDay\.tok: must be a text/],
    [{ perDay: { tok: '-5', usdc: '1' } }, /perDay\.tok: An amount in TOK/],
    [{ perDay: { tok: '1e9', usdc: '1' } }, /perDay\.tok/],
    [{ perDay: { tok: '1', usdc: '1.0000001' } }, /perDay\.usdc/],
    [{ actions: { 'post-task': { usd: '5' } } }, /actions\.post-task\.usd: there is no such field/],
    [{ markets: ['standart'] }, /markets\.0: must be "standard" or "micro"/],
    [{ mode: 'on' }, /mode: must be "enforce" or "dry-run"/],
    [{ version: 2 }, /version: must be 1/],
    [{ actions: [] }, /actions: must be an object/],
  ] as const)
    assert.match(mistakesOf(changed), says, JSON.stringify(changed));
  assert.match(mistakesIn('{"perDay": 1,\n"perDay": 2}'), /line 2: perDay is there twice/);
  assert.match(mistakesIn('{\n  "a": [1,\n}'), /not valid JSON/);
  assert.match(mistakesIn('[]'), /./);
  assert.match(mistakesIn(''), /not valid JSON/);
});

test('every write of the catalog can be allowed', () => {
  const actions = Object.fromEntries(policyActions.map((name) => [name, {}]));
  assert.equal(mistakesOf({ actions }), '');
  assert.ok(policyActions.includes('create-task') && policyActions.includes('x402-payment'));
});
