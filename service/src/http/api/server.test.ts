// Proves that the table of routes and the server know the same routes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from '@svc/sdk/internal/schemas/route';
import { siteApi } from '../../contract/apis.ts';
import { groupPath } from '../../contract/discoveryRoutes.ts';
import { createMetrics } from '../metrics.ts';
import { pageUrls } from '../pages.ts';
import { createSiteServer } from './server.ts';

test('every route of the server is in the table, and every route of the table on the server', async () => {
  const log = { level: 'info', debug: () => undefined, info: () => undefined, error: () => undefined };
  // Nothing is asked, so nothing else is needed.
  const app = createSiteServer({ context: {}, earlier: {}, metrics: createMetrics(), log } as never);
  await app.ready();
  const onServer = listRoutes(app.printRoutes({ commonPrefix: false }))
    .filter(({ path }) => !pageUrls.includes(path))
    .map(({ path, methods }) => `${methods} ${path}`);
  const inTable = Object.values<Route>(siteApi.routes).map(
    ({ path, body }) => `${body === undefined ? 'GET, HEAD' : 'POST'} ${path}`,
  );
  const ofGroups = Object.keys(siteApi.tags).map((group) => `GET, HEAD ${groupPath(group)}`);
  assert.deepEqual(onServer.sort(), [...inTable, ...ofGroups].sort());
  await app.close();
});

/** The router prints a tree, in which each line stands below the beginning of its path. */
function listRoutes(tree: string): { readonly path: string; readonly methods: string }[] {
  const beginnings: string[] = [];
  return [...tree.matchAll(/^([│ ]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/gm)].flatMap(
    ([, indent = '', part = '', methods]) => {
      const depth = indent.length / 4;
      beginnings[depth] = (beginnings[depth - 1] ?? '') + part;
      return methods === undefined ? [] : [{ path: beginnings[depth], methods }];
    },
  );
}
