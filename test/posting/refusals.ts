// Every way in which a posting request can be wrong, and the rows of the specification's error table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import { type ErrorCode, errorMessages } from '#sdk/domain/errors.ts';
import { send } from '../support/asking.ts';
import { unseenHash } from '../support/postingSite.ts';
import { site } from './site.ts';

const address = '0x00000000000000000000000000000000000000A1';
const post = { address, taskId: 'v2:standard:900', txHash: unseenHash(1), taskAmountTok: '1000' };
const payment = { address, tier: 'basic', txHash: unseenHash(1), payWith: 'tok', market: 'standard' };
const { address: _, ...nobody } = post;
/** One more than the largest uint256. */
const tooLarge = { taskId: String(2n ** 256n), budgetUsdc: 5 };
const quote = `/api/posting/quote?address=${address}`;

type BadBody = readonly [path: string, body: unknown, status: number, code: ErrorCode, error?: string];
const mismatch = 'The task id belongs to the market "standard".';

const badBodies: readonly BadBody[] = [
  ['/api/posting/check', {}, 400, 'ADDRESS_REQUIRED'],
  ['/api/posting/check', { address: '0x12' }, 400, 'ADDRESS_MALFORMED'],
  ['/api/posting/check', { address, market: 'nano' }, 400, 'MARKET_UNKNOWN'],
  ['/api/posting/check', '{"address":', 400, 'BODY_MALFORMED'],
  ['/api/posting/check', { address, more: 'x'.repeat(70_000) }, 413, 'BODY_TOO_LARGE'],
  ['/api/posting/record', nobody, 400, 'ADDRESS_REQUIRED'],
  ['/api/posting/record', { ...post, taskId: undefined }, 400, 'TASK_ID_MALFORMED'],
  ['/api/posting/record', { ...post, taskId: 900 }, 400, 'TASK_ID_MALFORMED'],
  ['/api/posting/record', { ...post, txHash: undefined }, 400, 'TX_HASH_MALFORMED'],
  ['/api/posting/record', { ...post, taskAmountTok: undefined }, 400, 'TASK_AMOUNT_MALFORMED'],
  ['/api/posting/record', { ...post, taskAmountTok: '-1' }, 400, 'TASK_AMOUNT_MALFORMED'],
  ['/api/posting/record', { ...post, taskAmountTok: '9'.repeat(29) }, 400, 'TASK_AMOUNT_MALFORMED'],
  ['/api/posting/record', { ...post, market: 'nano' }, 400, 'MARKET_UNKNOWN'],
  ['/api/posting/record', { ...post, market: 'micro' }, 400, 'MARKET_MISMATCH', mismatch],
  ['/api/posting/record?protocolVersion=v3', post, 400, 'PROTOCOL_UNKNOWN'],
  ['/api/posting/record?protocolVersion=v3', nobody, 400, 'ADDRESS_REQUIRED'],
  ['/api/posting/record?protocolVersion=v1', post, 400, 'TASK_NUMBER_MALFORMED'],
  ['/api/posting/record?protocolVersion=v1', { ...post, ...tooLarge }, 400, 'TASK_NUMBER_MALFORMED'],
  ['/api/posting/record?protocolVersion=v1', { ...post, taskId: '9' }, 400, 'BUDGET_MALFORMED'],
  [
    '/api/posting/record?protocolVersion=v1',
    { ...post, taskId: '9', budgetUsdc: 5, market: 'micro' },
    400,
    'MARKET_NOT_IN_V1',
  ],
  ['/api/posting/upgrade', { tier: 'basic' }, 400, 'ADDRESS_REQUIRED'],
  ['/api/posting/upgrade?protocolVersion=v3', payment, 400, 'PROTOCOL_UNKNOWN'],
  ['/api/posting/upgrade', { ...payment, tier: undefined }, 400, 'TIER_REQUIRED'],
  ['/api/posting/upgrade', { ...payment, tier: 'gold' }, 400, 'TIER_UNKNOWN'],
  ['/api/posting/upgrade', { ...payment, tier: 'free' }, 400, 'TIER_FREE'],
  ['/api/posting/upgrade', { ...payment, txHash: 'x' }, 400, 'TX_HASH_MALFORMED'],
  ['/api/posting/upgrade', { ...payment, payWith: 'eth' }, 400, 'PAY_WITH_UNKNOWN'],
  ['/api/posting/upgrade', { ...payment, market: 'nano' }, 400, 'MARKET_UNKNOWN'],
  ['/api/posting/upgrade', payment, 422, 'PAYMENT_UNSEEN'],
];

const badQueries: readonly (readonly [path: string, status: number, code: ErrorCode])[] = [
  ['/api/posting/quota', 400, 'ADDRESS_REQUIRED'],
  [`/api/posting/quota?address=${address}&market=nano`, 400, 'MARKET_UNKNOWN'],
  ['/api/posting/quote?tier=basic', 400, 'ADDRESS_REQUIRED'],
  [quote, 400, 'TIER_REQUIRED'],
  [`${quote}&tier=gold`, 400, 'TIER_UNKNOWN'],
  [`${quote}&tier=free`, 400, 'TIER_FREE'],
  [`${quote}&tier=basic&payWith=eth`, 400, 'PAY_WITH_UNKNOWN'],
  ['/api/posting/tok-preview?tier=gold', 400, 'TIER_UNKNOWN'],
];

test('each wrong body and query is refused with its status, its sentence and its code', async () => {
  for (const [path, body, status, code, error = errorMessages[code]] of badBodies) {
    const answer = await send(site.url(), path, body);
    const what = `${path} ${JSON.stringify(body).slice(0, 90)}`;
    assert.deepEqual([answer.status, answer.body], [status, { error, code }], what);
    assert.equal(answer.headers.get('cache-control'), 'no-store', what);
    assert.equal(answer.headers.get('access-control-allow-origin'), null, what);
  }
  for (const [path, status, code] of badQueries) {
    const response = await site.get(path);
    assert.deepEqual(
      [response.status, await response.json()],
      [status, { error: errorMessages[code], code }],
      path,
    );
    assert.equal(response.headers.get('access-control-allow-origin'), '*', path);
  }
});

test('a body that is no object is refused with 400', async () => {
  for (const body of ['[]', '"text"', '7', 'true']) {
    const answer = await send(site.url(), '/api/posting/check', body);
    assert.equal(answer.status, 400);
    assert.match(answer.body.error, /^The body does not fit: /);
  }
});

test('Spec 7, row 429: a check at the daily limit says so, with the quota', async () => {
  const wallet = '0x00000000000000000000000000000000000000A2';
  const record = (seed: number, txHash = unseenHash(seed)) => {
    const told = { address: wallet, taskId: `v2:standard:${900 + seed}`, txHash };
    return send(site.url(), '/api/posting/record', { ...post, ...told });
  };
  for (let seed = 1; seed <= 3; seed++) assert.equal((await record(seed)).status, 200);
  const refused = await record(4);
  assert.deepEqual([refused.status, refused.body.quota.pending], [429, 3]);
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds > 0 && seconds <= 300, 'the first pending post is dropped before the day ends');
  const loud = unseenHash(1).toUpperCase().replace('0X', '0x') as Hex;
  for (const known of [unseenHash(1), loud])
    assert.equal((await record(1, known)).body.pending, 3, 'what is known already is not refused');
  const answer = await send(site.url(), '/api/posting/check', { address: wallet, market: 'standard' });
  assert.equal(answer.status, 429);
  const quota = { tier: 'free', used: 3, limit: 3, canPost: false };
  assert.partialDeepStrictEqual(answer.body, { error: 'Daily posting limit reached', quota });
  assert.deepEqual(Object.keys(answer.body), ['error', 'code', 'quota']);
});

test('Spec 7: the sentences of the specification stand', () => {
  const { ADDRESS_REQUIRED, TASK_NOT_FOUND, CHAT_NOT_CONFIGURED } = errorMessages;
  assert.deepEqual(
    [ADDRESS_REQUIRED, TASK_NOT_FOUND, CHAT_NOT_CONFIGURED],
    ['A wallet address is required', 'Task not found', 'LLM_GATEWAY_API_KEY is not configured'],
  );
});
