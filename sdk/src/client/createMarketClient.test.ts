// Proves how the client handles errors, unreachable services, unexpected replies and streams.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '../domain/errors.ts';
import { routes } from '../schemas/routes.ts';
import { createMarketClient } from './createMarketClient.ts';
import { createListingClient } from './listingClient.ts';
import type { MarketEvent } from './streams.ts';

const unionOverview = {
  source: 'chain-rpc',
  stakingActive: true,
  totalStakedTok: '270000000000000000000000',
  totalCreditsIssued: '32868066666694042020000',
  creditsRemaining: '967131933333305957980000',
  creditIssuanceClosed: false,
  market: 'standard',
  rewardReserveTokWei: '3423900132972145130000',
  updatedAt: 1_794_713_436,
};

const recordedQuota = {
  tier: 'free',
  used: 1,
  limit: 3,
  canPost: true,
  market: 'standard',
  address: routes.record.body.example.address,
  pending: 1,
  remaining: 2,
  resetsAt: 1_794_787_200,
  tierExpiresAt: null,
  recorded: true,
  status: 'pending',
};

type Answer = () => Response | Promise<Response>;

/** A service that gives these answers one after another, and records the requests. */
function createService(...answers: readonly Answer[]) {
  const asked: { url: URL; headers: Headers }[] = [];
  const client = createMarketClient({
    baseUrl: 'https://market.example/below/',
    fetch: async (url, init) => {
      const answer = answers[asked.length];
      asked.push({ url: new URL(url), headers: new Headers(init.headers) });
      if (answer === undefined) return new Promise(() => undefined);
      return answer();
    },
  });
  return { asked, client };
}

const json =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status });

test('parameters are written into the URL, below the path of the service', async () => {
  const { asked, client } = createService(json(unionOverview), json({ error: 'x' }, 400));
  await client.union({ market: 'micro' });
  await client.posterTasks('0xab&c', { limit: 5 }).catch(() => undefined);
  const [first, second] = asked.map(({ url }) => url.href);
  assert.equal(first, 'https://market.example/below/api/union/overview?market=micro');
  assert.equal(
    second,
    'https://market.example/below/api/poster/tasks?address=0xab%26c&limit=5&protocolVersion=v2',
  );
});

test('values of the path are encoded, whatever they are', async () => {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(new URL(url).pathname);
    return Response.json({ error: 'x' }, { status: 404 });
  };
  const { get } = createListingClient({ baseUrl: 'https://market.example', fetch });
  for (const id of ['a/b?c', '\ud800']) await assert.rejects(get(id), { code: 'API_REFUSED' });
  assert.deepEqual(asked, ['/v1/listings/a%2Fb%3Fc', '/v1/listings/%EF%BF%BD']);
});

test('refusals, replies of another shape and a service that is away each have their code', async () => {
  const { client } = createService(
    json({ error: 'Task not found' }, 404),
    () => new Response('', { status: 502 }),
    json({ ...unionOverview, totalStakedTok: 270 }),
    () => new Response('<html>'),
    () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })),
    json({ ...unionOverview, later: true }),
  );
  await assert.rejects(client.task('v2:standard:9'), (error: unknown) => {
    assert.ok(error instanceof SvcError);
    assert.deepEqual([error.code, error.message], ['API_REFUSED', 'Task not found']);
    assert.equal(error.details.status, 404);
    return true;
  });
  await assert.rejects(client.open(), { message: 'The API answers 502.' });
  await assert.rejects(client.union(), { code: 'API_UNEXPECTED', message: /totalStakedTok/ });
  await assert.rejects(client.union(), { code: 'API_UNEXPECTED', message: /not JSON/ });
  await assert.rejects(client.health(), {
    code: 'API_UNREACHABLE',
    message: 'The API at https://market.example cannot be reached: ECONNREFUSED.',
  });
  assert.deepEqual(await client.union(), { ...unionOverview, later: true }, 'unknown fields pass through');
});

test('a write whose answer is lost is sent again with the same key, and a refused one is not', async () => {
  const post = { ...routes.record.body.example, market: 'standard' } as const;
  const lost = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }));
  const answer = json(recordedQuota);
  const { asked, client } = createService(lost, answer, answer, json({ error: 'no' }, 422));
  await client.recordPost(post);
  await client.recordPost(post);
  await assert.rejects(client.recordPost(post), { code: 'API_REFUSED' });
  const [first, second, third, ...others] = asked.map(({ headers }) => headers.get('idempotency-key'));
  assert.match(first ?? '', /^[0-9a-f]{32}$/);
  assert.equal(second, first);
  assert.notEqual(third, first, 'each write has its own key');
  assert.equal(others.length, 1);
});

test('an aborted request rejects with the abort', async () => {
  const end = new AbortController();
  const client = createMarketClient({
    baseUrl: 'http://market.example',
    fetch: async (_url, { signal }) => {
      signal?.throwIfAborted();
      throw new Error('asked all the same');
    },
  });
  end.abort();
  await assert.rejects(client.open({ signal: end.signal }), { name: 'AbortError' });
});

/** A response whose connection fails after these bytes. */
const cut = (text: string, type: string) => () => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    pull: (controller) =>
      controller.error(new TypeError('terminated', { cause: { code: 'UND_ERR_SOCKET' } })),
  });
  return new Response(body, { headers: { 'content-type': type } });
};

const chat = { system: '', messages: [{ role: 'user', content: 'x' }] } as const;

test('an interrupted reply is API_UNREACHABLE', async () => {
  const { client } = createService(
    cut('{"tasks":[', 'application/json'),
    cut('event: text\ndata: {"text":"a"}\n\n', 'text/event-stream'),
  );
  const reason = {
    code: 'API_UNREACHABLE',
    message: 'The API at https://market.example cannot be reached: UND_ERR_SOCKET.',
  };
  await assert.rejects(client.open(), reason);
  await assert.rejects(Array.fromAsync(client.roleChatStream(chat)), reason);
});

test('an event that is not JSON, or of another shape, ends a stream with API_UNEXPECTED', async () => {
  const { asked, client } = createService(
    stream('event: text\ndata: {oops\n\n'),
    stream('id: 5\nevent: task\ndata: {"x":1}\n\n'),
    stream('id: 5\nevent: task\ndata: {oops\n\n'),
  );
  await assert.rejects(Array.fromAsync(client.roleChatStream(chat)), { code: 'API_UNEXPECTED' });
  for (let count = 2; count <= 3; count++) {
    await assert.rejects(read(client, 1), { code: 'API_UNEXPECTED' });
    assert.equal(asked.length, count, 'and is not asked for again');
  }
});

test('a stream is requested again after a rate limit or an early request', async () => {
  const seen = [408, 425, 429].map((status) =>
    read(createService(json({ error: 'later' }, status), stream(news(1))).client, 1),
  );
  assert.equal((await Promise.all(seen)).flat().length, 3);
});

const news = (seq: number) =>
  `id: ${seq}\nevent: task\ndata: {"id":"v2:micro:${seq}","market":"micro","state":"POSTED","blockNumber":1}\n\n`;
const stream = (text: string) => () =>
  new Response(text, { headers: { 'content-type': 'text/event-stream' } });

async function read(client: ReturnType<typeof createMarketClient>, count: number): Promise<MarketEvent[]> {
  const seen: MarketEvent[] = [];
  for await (const event of client.events({ market: 'micro' })) {
    seen.push(event);
    if (seen.length === count) break;
  }
  return seen;
}

test('a lost stream continues after the last event, and no event is yielded twice', async () => {
  const { asked, client } = createService(
    stream(`id: 4\nevent: reset\ndata: {}\n\n${news(5)}${news(6)}`),
    () => Promise.reject(new TypeError('fetch failed')),
    json({ error: 'There are too many open streams; try again in a moment.' }, 503),
    stream(`${news(6)}${news(7)}id: 9\n\n`),
    stream(news(10)),
  );
  const seen = await read(client, 5);
  assert.deepEqual(
    seen.map(({ type, seq }) => [type, seq]),
    [
      ['reset', 4],
      ['task', 5],
      ['task', 6],
      ['task', 7],
      ['task', 10],
    ],
  );
  const shown = asked.map(({ headers }) => headers.get('last-event-id'));
  assert.deepEqual(shown, [null, '6', '6', '6', '9']);
});

test('after a reset lower numbers are valid', async () => {
  const { client } = createService(stream(news(90)), stream(`id: 2\nevent: reset\ndata: {}\n\n${news(3)}`));
  const seen = await read(client, 3);
  const seqs = seen.map(({ seq }) => seq);
  assert.deepEqual(seqs, [90, 2, 3]);
});

test('an invalid request ends the stream', async () => {
  const { client } = createService(json({ error: 'The market must be "standard" or "micro".' }, 400));
  await assert.rejects(read(client, 1), { code: 'API_REFUSED' });
});
