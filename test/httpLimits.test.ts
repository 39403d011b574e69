// Proves on raw sockets that no client can slip a second request past the site, the gateway or the tool server, hold
// them up or take them down, and that honest clients are served meanwhile.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { ambiguous, chunked, tooLarge } from './hostile/ambiguous.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { ask, sendBytes } from './support/rawHttp.ts';
import { startTools, type TestTools } from './support/tools.ts';
import { until } from './support/until.ts';

/** Shorter than the real ones, and long enough for an honest client on a busy machine. */
const limits = { headersMs: 2_000, requestMs: 3_000, checkMs: 100, connections: 60 };

/** A server, a route of it that takes a body, and a question that an honest client asks. */
type Place = { readonly url: string; readonly postPath: string; readonly honestPath: string };

let gateway: TestGateway;
let tools: TestTools;
let places: Readonly<Record<'site' | 'gateway' | 'tools', Place>>;
before(async () => {
  gateway = await startGateway({ limits });
  tools = await startTools(gateway.site().url, limits);
  places = {
    site: { url: gateway.site().url, postPath: '/api/posting/check', honestPath: '/health' },
    gateway: { url: gateway.url(), postPath: '/v1/payment-receipt', honestPath: '/health' },
    tools: { url: new URL(tools.url).origin, postPath: '/mcp', honestPath: '/honest' },
  };
});
after(async () => {
  await tools.close();
  await gateway.close();
});

for (const name of ['site', 'gateway', 'tools'] as const) {
  describe(`the ${name}`, { concurrency: true }, () => {
    const place = () => places[name];

    test('answers a request with an ambiguous end with 400, closes the connection, and serves nothing that follows', async () => {
      for (const [what, head, body] of [...ambiguous, ...chunked]) {
        const bytes = head.replace('PATH', place().postPath) + body + smuggled;
        const statuses = readStatuses(await sendBytes(place().url, bytes));
        assert.deepEqual(statuses, [400], what);
      }
    });

    test('refuses what is too large: headers and address with 431, a body with 413', async () => {
      for (const [what, head, body, status] of tooLarge) {
        const bytes = head.replace('PATH', place().postPath) + body;
        const answer = await sendBytes(place().url, bytes);
        assert.deepEqual(readStatuses(answer), [status], what);
      }
    });

    test('refuses a HEAD without a body, which its client could not read', async () => {
      for (const [what, bytes, isHead] of [
        ['an address without a slash', badHead, true],
        ['headers that are too large', `HEAD / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, true],
        ['a HEAD before another', badHead.replace('%2e', '') + badHead, true],
        ['a GET before a HEAD', badHead.replace('HEAD', 'GET') + badHead, false],
        ['a GET whose header looks like a HEAD', 'GET / HTTP/1.1\r\nHEAD / HTTP/1.1\r\n\r\n', false],
      ] as const) {
        const answer = await sendBytes(place().url, bytes);
        assert.match(answer, /^HTTP\/1\.1 4\d\d /, what);
        assert.equal(answer.endsWith('\r\n\r\n'), isHead, what);
      }
    });

    test('answers a hundred requests on one connection in their order', async () => {
      const wanted = Array.from({ length: 100 }, (_, at) => `/nothing-${at}`);
      const lines = wanted.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      const last = `GET ${place().honestPath} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      const statuses = readStatuses(await sendBytes(place().url, lines.join('') + last));
      assert.equal(statuses.length, 101);
      assert.ok(statuses.slice(0, 100).every((status) => status === 404));
    });
  });
}

test('the tools are closed to pages of other sites, and to names that were made to point here', async () => {
  const { url, postPath: path } = places.tools;
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const accept = 'application/json, text/event-stream';
  const post = async (headers: Readonly<Record<string, string>>) =>
    (
      await ask(url, {
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept, ...headers },
        body,
      })
    ).status;
  const { host } = new URL(url);
  assert.equal(await post({ host }), 200);
  assert.equal(await post({ host, origin: url }), 200);
  assert.equal(await post({ host, origin: 'https://page.example' }), 403);
  assert.equal(await post({ host: 'page.example', origin: 'http://page.example' }), 403);
  assert.equal(await post({ host: 'page.example' }), 403);
});

test('all close connections that never finish their headers or body, or send nothing, while others are served', async () => {
  await Promise.all(Object.values(places).map(besiege));
});

async function besiege(place: Place): Promise<void> {
  const { url, postPath } = place;
  const slow = [
    ...Array.from({ length: 8 }, () => dribble(url, 'GET / HTTP/1.1\r\nHost: localhost\r\n', 'X: y\r\n')),
    ...Array.from({ length: 8 }, () => dribble(url, startBody(postPath), ' ')),
    ...Array.from({ length: 8 }, () => dribble(url, '', '')),
  ];
  let isOver = false;
  const all = Promise.all(slow).finally(() => {
    isOver = true;
  });
  let served = 0;
  while (!isOver) served += isServed(await askHonestly(place));
  const answers = await all;
  for (const answer of answers) assert.match(answer, /^(HTTP\/1\.1 408 |$)/);
  const told = answers.filter((answer) => answer !== '');
  assert.ok(told.length >= 16, `${told.length} of those who sent something were told`);
  assert.ok(served > 0);
}

test('more connections than a server takes are dropped, and who has one goes on', async () => {
  for (const place of Object.values(places)) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    assert.ok(isServed(await askHonestly(place, agent)));
    const sockets = Array.from({ length: limits.connections + 20 }, () => openIdle(place.url));
    const dropped = () => sockets.filter(({ destroyed }) => destroyed).length;
    await until(() => dropped() >= 21);
    assert.ok(isServed(await askHonestly(place, agent)));
    for (const socket of sockets) socket.destroy();
    await until(async () => isServed(await askHonestly(place).catch(() => 0)) === 1);
    agent.destroy();
  }
});

const badHead = 'HEAD %2e/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n';
const smuggled = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

function startBody(path: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{`;
}

function readStatuses(answer: string): number[] {
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Answers what the server said until it ended the connection. */
async function dribble(url: string, first: string, drop: string): Promise<string> {
  const socket = openIdle(url);
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  if (first !== '') socket.write(first);
  const timer = setInterval(() => drop !== '' && socket.writable && socket.write(drop), 100);
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  clearInterval(timer);
  return Buffer.concat(parts).toString();
}

function openIdle(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname).on('error', () => undefined);
}

function askHonestly({ url, honestPath }: Place, agent?: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url + honestPath, { agent: agent ?? false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).end();
  });
}

/** The tool server knows one path only, and says so. */
function isServed(status: number): number {
  return status === 200 || status === 404 ? 1 : 0;
}
