// Proves which requests get an HTML page for a missing page, and which get `{error}`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessages } from '@svc/sdk/internal/domain/errors';
import { createApp } from './app.ts';

const silentLog = { level: 'error', debug: () => undefined, info: () => undefined, error: () => undefined };
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const app = createApp({ log: silentLog });
app.get('/there', async () => ({}));

/** Path, what is accepted, and whether that is a person at a browser. */
const table: readonly (readonly [path: string, accept: string | undefined, isPage: boolean])[] = [
  ['/nowhere', browser, true],
  ['/market', browser, true],
  ['/docs/quick-start/', 'text/HTML', true],
  ['/apiary?of=bees', browser, true],
  ['/nowhere', undefined, false],
  ['/nowhere', '*/*', false],
  ['/nowhere', 'application/json', false],
  ['/nowhere', 'text/html, application/json', false],
  ['/nowhere', 'text/html, application/problem+json', false],
  ['/api/nowhere', browser, false],
  ['/api', browser, false],
  ['/v1/nowhere', browser, false],
];

test('a missing page is HTML for clients that accept it, and {error} for all others, by GET and by HEAD', async () => {
  for (const [url, accept, isPage] of table) {
    for (const method of ['GET', 'HEAD'] as const) {
      const told = `${method} ${url} ${accept}`;
      const answer = await app.inject({
        method,
        url,
        headers: { 'x-request-id': 'find-me', ...(accept && { accept }) },
      });
      assert.equal(answer.statusCode, 404, told);
      assert.equal(/^text\/html/.test(String(answer.headers['content-type'])), isPage, told);
      assert.equal(answer.headers['cache-control'], 'no-store', told);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff', told);
      assert.equal(answer.headers['x-request-id'], 'find-me', told);
      if (isPage) assert.match(answer.body, /There is no page here/, told);
      else assert.equal(answer.json().error, errorMessages.ROUTE_NOT_FOUND, told);
    }
  }
});

test('the page runs only the script of the theme, loads nothing from outside and sends no referrer', async () => {
  const { headers, body } = await app.inject({ url: '/nowhere', headers: { accept: browser } });
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; .*script-src 'sha256-\S+'; .*frame-ancestors 'none'$/,
  );
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers.vary, 'Accept');
  assert.equal(body.match(/<script/g)?.length, 1);
  assert.doesNotMatch(body, /<iframe| on\w+=| style=|@import|url\(/);
});

test('what a browser sends, and does wrong on a route that is there, is answered as ever', async () => {
  const headers = { accept: browser };
  const sent = await app.inject({ method: 'POST', url: '/nowhere', headers });
  assert.deepEqual(sent.json(), { error: errorMessages.ROUTE_NOT_FOUND, code: 'ROUTE_NOT_FOUND' });
  assert.equal((await app.inject({ method: 'DELETE', url: '/there', headers })).statusCode, 405);
});
