// Bytes that pretend to be HTTP: broken by hand where we know how, and by chance where we do not.
import { createRandom } from '../support/replay/random.ts';

const good = 'GET /api/market/open?limit=2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

/** Each of them makes the server close the connection. More of their kind: `ambiguous.ts`. */
const broken: readonly string[] = [
  '\r\n\r\n\r\n\r\nx\r\n\r\n',
  'GET\r\n\r\n',
  'GET /\r\n\r\n',
  'GET / HTTP/2.0\r\nHost: x\r\n\r\n',
  'get / http/1.1\r\nhost: x\r\n\r\n',
  'GET http:// HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET http://evil.example/api/market/open HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET //evil.example/%2f.. HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET /\u0000 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\nHost: x\nbroken\n\n',
  'GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\nz\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n',
  'CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\n\r\n',
  `${good.replace('close', 'keep-alive')}${good}`,
  `${good.replace('close', 'keep-alive')}rubbish\r\n\r\n`,
];

const chanced = process.env.SVC_LONG_TESTS ? 300 : 100;

export function* hostileBytes(seed: number): Generator<Buffer> {
  for (const text of broken) yield Buffer.from(text, 'latin1');
  const random = createRandom(seed);
  for (let count = 0; count < chanced; count++) {
    const bytes = Buffer.from(good, 'latin1');
    const wounds = 1 + random.below(4);
    for (let wound = 0; wound < wounds; wound++) bytes[random.below(bytes.length)] = random.below(256);
    // Whatever became of the first request, this one is beyond repair, so the server ends the connection.
    yield Buffer.concat([bytes, Buffer.from('\r\n\r\n\u0000\r\n\r\n', 'latin1')]);
  }
}
