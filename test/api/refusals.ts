// Every way in which a question can be wrong: its status, its sentence, its code, and nothing else in the body.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, errorMessages } from '#sdk/domain/errors.ts';
import { site } from './site.ts';

const address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

const listIds = (count: number) =>
  Array.from({ length: count }, (_, at) => `v2:standard:${at + 1}`).join(',');

type Refusal = readonly [path: string, status: number, code: ErrorCode, error?: string];

const otherMarket = [400, 'MARKET_MISMATCH', 'The task id belongs to the market "standard".'] as const;

const refusals: readonly Refusal[] = [
  ['/api/market/open?market=nano', 400, 'MARKET_UNKNOWN'],
  [
    '/api/market/open?market=standard&market=micro',
    400,
    'PARAMETER_REPEATED',
    'The parameter "market" is given more than once.',
  ],
  [
    '/api/market/open?limit=2&limit=2',
    400,
    'PARAMETER_REPEATED',
    'The parameter "limit" is given more than once.',
  ],
  [
    '/api/market/task?id=v2:standard:1&id=v2:standard:2',
    400,
    'PARAMETER_REPEATED',
    'The parameter "id" is given more than once.',
  ],
  ['/api/market/open?limit=0', 400, 'LIMIT_INVALID'],
  ['/api/market/open?limit=101', 400, 'LIMIT_INVALID'],
  ['/api/market/open?limit=1.5', 400, 'LIMIT_INVALID'],
  ['/api/market/open?limit=%2010', 400, 'LIMIT_INVALID'],
  ['/api/market/open?cursor=0', 400, 'CURSOR_INVALID'],
  ['/api/market/open?cursor=99999999999999999999', 400, 'CURSOR_INVALID'],
  ['/api/market/open?protocolVersion=v3', 400, 'PROTOCOL_UNKNOWN'],
  ['/api/market/open?protocolVersion=v1&market=micro', 400, 'MARKET_NOT_IN_V1'],
  ['/api/market/recent?state=ACTIVE,NONE', 400, 'STATE_UNKNOWN'],
  ['/api/market/recent?tag=a,,b', 400, 'TAG_INVALID'],
  [`/api/market/recent?tag=${'a,'.repeat(8)}a`, 400, 'TAG_INVALID'],
  ['/api/market/open?minAmountTokWei=1.5', 400, 'AMOUNT_FILTER_INVALID'],
  ['/api/market/open?minAmountUsd=1e3', 400, 'AMOUNT_FILTER_INVALID'],
  ['/api/market/open?poster=0x12', 400, 'ADDRESS_MALFORMED'],
  ['/api/market/open?deadlineBefore=soon', 400, 'DEADLINE_FILTER_INVALID'],
  ['/api/market/open?fullyFunded=yes', 400, 'FUNDED_FILTER_INVALID'],
  ['/api/market/open?q=%25%27%22*', 400, 'SEARCH_INVALID'],
  [`/api/market/open?q=${'a'.repeat(101)}`, 400, 'SEARCH_INVALID'],
  ['/api/market/open?q=a+b+c+d+e+f+g+h+i+j+k+l+m', 400, 'SEARCH_INVALID'],
  ['/api/market/open?since=latest', 400, 'SINCE_INVALID'],
  ['/api/market/open?sort=cheapest', 400, 'SORT_UNKNOWN'],
  ['/api/market/open?sort=highest&cursor=5', 400, 'CURSOR_INVALID'],
  ['/api/market/task', 400, 'TASK_ID_MALFORMED'],
  ['/api/market/task?id=v2:standard:0', 400, 'TASK_ID_MALFORMED'],
  ['/api/market/task?id=v2:standard:7%00', 400, 'TASK_ID_MALFORMED'],
  ['/api/market/open?tag=a%00b', 400, 'TAG_INVALID'],
  ['/api/market/task?id=v2:standard:3&taskId=v2:standard:4', 400, 'TASK_IDS_DIFFER'],
  ['/api/market/task?id=v2:standard:3,v2:standard:4', 400, 'TASK_ID_MALFORMED'],
  ['/api/market/tasks?ids=v2:standard:3,', 400, 'TASK_ID_MALFORMED'],
  ['/api/market/tasks?ids=v2:standard:3,v2:micro:1', 400, 'TASK_MARKETS_DIFFER'],
  ['/api/market/tasks?ids=v2:standard:3,v2:standard:3', 400, 'TASK_ID_REPEATED'],
  [`/api/market/tasks?ids=${listIds(51)}`, 400, 'TOO_MANY_IDS'],
  ['/api/market/task?id=v2:standard:3&market=micro', ...otherMarket],
  ['/api/market/tasks?ids=v2:standard:3&market=micro', ...otherMarket],
  ['/api/events?taskId=v2:standard:3&market=micro', ...otherMarket],
  ['/api/events?taskId=v2:standard:3&market=all', ...otherMarket],
  ['/api/market/task?id=v2:standard:999999', 404, 'TASK_NOT_FOUND'],
  ['/api/market/task?id=v2:micro:99999999999999999999', 404, 'TASK_NOT_FOUND'],
  ['/api/market/task?id=v2:standard:3&protocolVersion=v1', 400, 'TASK_NUMBER_MALFORMED'],
  ['/api/market/task?id=0&protocolVersion=v1', 404, 'TASK_NOT_FOUND'],
  [`/api/market/task?id=${2n ** 256n - 1n}&protocolVersion=v1`, 404, 'TASK_NOT_FOUND'],
  [`/api/market/task?id=${2n ** 256n}&protocolVersion=v1`, 400, 'TASK_NUMBER_MALFORMED'],
  ['/api/market/timeline?id=v2:standard:999999', 404, 'TASK_NOT_FOUND'],
  ['/api/market/timeline?id=v2:standard:3&cursor=5', 400, 'CURSOR_INVALID'],
  ['/api/poster/tasks', 400, 'ADDRESS_REQUIRED'],
  ['/api/worker/tasks', 400, 'ADDRESS_REQUIRED'],
  ['/api/poster/tasks?address=0x12', 400, 'ADDRESS_MALFORMED'],
  ['/api/get-market-ledger', 400, 'ADDRESS_REQUIRED'],
  [`/api/get-market-ledger?address=${address}&market=nano`, 400, 'MARKET_UNKNOWN'],
  [`/api/market/concerns?address=${address}&role=sponsors`, 400, 'ROLE_UNKNOWN'],
  [`/api/market/concerns?address=${address}&cursor=1.4.2.3`, 400, 'CURSOR_INVALID'],
  ['/api/site-config?market=nano', 400, 'MARKET_UNKNOWN'],
  ['/api/union/overview?market=nano', 400, 'MARKET_UNKNOWN'],
  ['/api/events?market=nano', 400, 'MARKET_UNKNOWN'],
  ['/api/events?address=0x12', 400, 'ADDRESS_MALFORMED'],
  ['/api/events?taskId=7', 400, 'TASK_ID_MALFORMED'],
  ['/api/market/feed?market=other', 400, 'MARKET_UNKNOWN'],
  [`/api/market/feed?tag=${'x'.repeat(61)}`, 400, 'TAG_INVALID'],
  ['/api/market', 404, 'ROUTE_NOT_FOUND'],
  ['/API/market/open', 404, 'ROUTE_NOT_FOUND'],
  ['/nothing', 404, 'ROUTE_NOT_FOUND'],
  ['/../../etc/passwd', 404, 'ROUTE_NOT_FOUND'],
  ['/api/%zz', 400, 'REQUEST_MALFORMED'],
];

test('each wrong question is refused with its status, its sentence and its code', async () => {
  for (const [path, status, code, error = errorMessages[code]] of refusals) {
    const response = await site.get(path);
    assert.deepEqual([response.status, await response.json()], [status, { error, code }], path);
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8', path);
    assert.equal(response.headers.get('cache-control'), 'no-store', path);
    assert.equal(response.headers.get('access-control-allow-origin'), '*', path);
  }
});

test('unknown parameters are ignored and named in a header, also repeated ones', async () => {
  const { get } = site;
  const plain = await get('/api/market/open?limit=2');
  assert.equal(plain.headers.get('svc-unknown-parameters'), null);
  const body = await plain.text();
  // Twice: the second answer comes from the cache of ready bytes.
  for (let time = 0; time < 3; time++) {
    const more = await get('/api/market/open?limit=2&utm_source=x&utm_source=y&__proto__=y&%0d%0aevil=%zz');
    assert.equal(await more.text(), body);
    assert.equal(more.headers.get('svc-unknown-parameters'), 'utm_source, __proto__, %0D%0Aevil');
    assert.equal(more.headers.get('evil'), null);
  }
  const earlier = await get('/api/market/open?limit=2&protocolVersion=v1&tag=x');
  assert.equal(earlier.headers.get('svc-unknown-parameters'), 'tag');
});

test('who asks for problem details gets RFC 9457, with error kept', async () => {
  const response = await site.get('/api/market/task?id=v2:standard:999999', {
    accept: 'application/problem+json, application/json;q=0.5',
  });
  assert.equal(response.status, 404);
  assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  assert.deepEqual(await response.json(), {
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    detail: 'Task not found',
    error: 'Task not found',
    code: 'TASK_NOT_FOUND',
  });
});
