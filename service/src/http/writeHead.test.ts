// Proves that a head written as text is, byte for byte, the head that Node would have written from the same headers.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { formatLines, writeHead } from './writeHead.ts';

const body = Buffer.from('x'.repeat(20_000));
const ofBoth = { ETag: '"a"', Vary: 'Accept-Encoding', 'X-Note': 'a: b' };
const ofBody = { ...ofBoth, 'Content-Length': String(body.length) };

/** The same answers at two addresses: from text, and by Node's own way. */
let server: Server;
before(async () => {
  server = createServer((request, response) => {
    const status = request.url?.includes('/known') ? 304 : 200;
    const headers = status === 304 ? ofBoth : ofBody;
    if (request.url?.startsWith('/text')) writeHead(response, status, formatLines(headers));
    else response.writeHead(status, headers);
    response.end(status === 304 || request.method === 'HEAD' ? undefined : body);
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => server.close());

/** All that comes back for what is sent at once, with the time of day struck out. */
async function exchange(requests: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(requests);
  return (await text(socket)).replace(/^Date: .{29}\r$/gm, 'Date: \r');
}

const ask = (method: string, path: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const last = 'Connection: close\r\n';

for (const [what, requests] of [
  ['one after the other on a connection', (at: string) => ask('GET', at) + ask('GET', at, last)],
  [
    'not modified, and then a body',
    (at: string) => ask('GET', `${at}/known`) + ask('GET', at) + ask('GET', at, last),
  ],
  ['to HEAD', (at: string) => ask('HEAD', at) + ask('HEAD', `${at}/known`) + ask('GET', at, last)],
  ['of the older protocol', (at: string) => `GET ${at} HTTP/1.0\r\n\r\n`],
  [
    'of the older protocol that asks to stay',
    (at: string) => `GET ${at} HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET ${at} HTTP/1.0\r\n\r\n`,
  ],
] as const) {
  test(`answers ${what} are the same`, async () => {
    const [ours, nodes] = [await exchange(requests('/text')), await exchange(requests('/node'))];
    assert.match(ours, /^HTTP\/1\.1 (200|304) /);
    assert.match(ours, /^Date: \r$/m);
    assert.equal(ours, nodes);
  });
}
