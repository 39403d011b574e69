// Which addresses count as public, and which URLs a webhook may have.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { exchange, findUrlMistake, isPublicAddress } from './target.ts';

test('addresses of the operator’s own network, in any spelling, are not public', () => {
  const plain =
    '127.0.0.1 10.1.2.3 172.31.255.255 192.168.0.1 169.254.169.254 100.64.0.1 0.0.0.0 255.255.255.255';
  const six =
    ':: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1 2002:7f00:1:: fe80::1 fd00::1 ff02::1 localhost';
  for (const address of `${plain} ${six}`.split(' ')) assert.equal(isPublicAddress(address), false, address);
  for (const address of ['1.1.1.1', '172.32.0.1', '8.8.8.8', '2606:4700:4700::1111'])
    assert.equal(isPublicAddress(address), true, address);
});

test('a URL without TLS, with a password or of a private number is refused', () => {
  const refused = ['http://a.example/', 'https://u:p@a.example/', 'ftp://a.example', 'x', 'https://[::1]/'];
  const spelled = [
    'https://127.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://[::ffff:127.0.0.1]/',
  ];
  for (const url of [...refused, ...spelled]) assert.ok(findUrlMistake(url, false) !== null, url);
  for (const url of ['https://a.example/hook?x=1', 'https://1.1.1.1/'])
    assert.equal(findUrlMistake(url, false), null, url);
  assert.equal(findUrlMistake('http://127.0.0.1:9/', true), null);
});

test('every answer ends: a change of the protocol, a redirect, nothing, no end, no HTTP', async (context) => {
  const answers: readonly (readonly [answer: string, outcome: number | string])[] = [
    [
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      'no connection',
    ],
    ['HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n', 302],
    [`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1_000_000)}`, 200],
    [`HTTP/1.1 200 OK\r\nA: ${'x'.repeat(100_000)}\r\n\r\n`, 'no connection'],
    ['HTTP/1.1 103 Early Hints\r\n\r\n', 'it did not answer in time'],
    ['', 'it did not answer in time'],
    ['nonsense\r\n\r\n', 'no connection'],
  ];
  for (const [answer, outcome] of answers) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(answer));
    }).listen(0, '127.0.0.1');
    context.after(() => server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    // Where an answer is expected, a busy machine may take its time.
    const timeoutMs = outcome === 'it did not answer in time' ? 500 : 600_000;
    const target = { url, headers: {}, body: 'x', isPrivateAllowed: true, timeoutMs };
    assert.equal(await exchange(target), outcome, answer.slice(0, 60));
  }
});
