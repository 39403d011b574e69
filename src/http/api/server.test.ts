// Proves that the table of routes and the server know the same routes, and that every error in it has a status.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from '#schemas/route.ts';
import { routes } from '#schemas/routes.ts';
import { statuses } from '../errors.ts';
import { createMetrics } from '../metrics.ts';
import { pageUrls } from '../pages.ts';
import { createSiteServer } from './server.ts';

test('every route of the server is in the table, and every route of the table on the server', async () => {
  const log = { level: 'info', debug: () => undefined, info: () => undefined, error: () => undefined };
  // Nothing is asked, so nothing else is needed.
  const app = createSiteServer({ context: {}, earlier: {}, metrics: createMetrics(), log } as never);
  await app.ready();
  // The root is a page; every other route stands below it, by the rest of its path.
  const listed = app.printRoutes({ commonPrefix: false }).matchAll(/^ {4}\S+ (\S+) \(([A-Z, ]+)\)$/gm);
  const onServer = [...listed]
    .filter(([, path = '']) => !pageUrls.includes(`/${path}`))
    .map(([, path, methods]) => `${methods} /${path}`);
  const inTable = Object.values<Route>(routes).map(
    ({ path, body }) => `${body === undefined ? 'GET, HEAD' : 'POST'} ${path}`,
  );
  assert.deepEqual(onServer.sort(), inTable.sort());
  await app.close();
});

test('every error of a route is answered with a status of its own', () => {
  for (const { path, errors } of Object.values<Route>(routes)) {
    for (const code of errors) assert.ok((statuses[code] ?? 500) !== 500, `${path}: ${code}`);
  }
});

test('operations have names of their own, and every path is written once', () => {
  const all = Object.values(routes);
  assert.equal(new Set(all.map(({ operationId }) => operationId)).size, all.length);
  assert.equal(new Set(all.map(({ path }) => path)).size, all.length);
});
