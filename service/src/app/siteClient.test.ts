// Proves that a site which falls silent, before its answer or in the middle of it, is not waited for without end.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createSiteClient } from './siteClient.ts';

test('a site that falls silent cannot be reached', async (context) => {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api/health')) response.writeHead(200).write('{"status":');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = createSiteClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 200);
  const unreachable = { code: 'API_UNREACHABLE', message: /aborted due to timeout\.$/ };
  await Promise.all([
    assert.rejects(client.open(), unreachable),
    assert.rejects(client.health(), unreachable),
    assert.rejects(client.open({ signal: AbortSignal.abort() }), { name: 'AbortError' }),
  ]);
});
