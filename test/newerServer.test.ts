// A newer server: unknown states, roles, phases, fields and events break no reader, and nothing that leads to money is believed
// because it is new. A real site answers; what is between makes its answers newer.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { nextActions } from '#sdk/actions/nextActions.ts';
import { parseTaskRecord } from '#sdk/actions/parseTaskRecord.ts';
import { createMarketClient } from '#sdk/client/createMarketClient.ts';
import { runBot } from '#sdk/client/runBot.ts';
import type { MarketEvent } from '#sdk/client/streams.ts';
import { describeEvent } from '#sdk/describe/eventSentences.ts';
import { markets } from '#sdk/domain/market.ts';
import { listPhases, rolesOf } from '#sdk/domain/phases.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { postTask } from './support/posting.ts';
import { startSite, type TestSite } from './support/site.ts';

const later = 'LATER_WORD';
/** Fields whose values are words of a list, to which a newer server may add one. */
const words = new Set(
  'state phase turn kind role roles by name scope documentState outcome contract action actions tier status'.split(
    ' ',
  ),
);

type Change = (body: unknown) => unknown;

let site: TestSite;
let between: Server;
let change: Change = (body) => body;
/** What the site has answered, in order. */
const bodies: unknown[] = [];
before(async () => {
  site = await startSite();
  between = createServer(async (request, reply) => {
    const answer = await fetch(site.url() + request.url, {
      headers: { accept: request.headers.accept ?? '' },
    });
    const type = answer.headers.get('content-type') ?? '';
    reply.writeHead(answer.status, { 'content-type': type });
    if (!type.startsWith('text/event-stream')) {
      bodies.push(await answer.json());
      return reply.end(JSON.stringify(change(bodies.at(-1))));
    }
    reply.write('id: 1\nevent: later\ndata: {"of":"a newer server"}\n\n');
    const body = Readable.fromWeb(answer.body as never);
    request.once('close', () => body.destroy());
    body.on('error', () => undefined);
    for await (const text of body.setEncoding('utf8'))
      reply.write(String(text).replace(/"state":"\w+"/g, `"state":"${later}","later":true`));
    reply.end();
  });
  await once(between.listen(0, '127.0.0.1'), 'listening');
});
after(async () => {
  between.closeAllConnections();
  between.close();
  await site.close();
});

const clientOf = (server: Server) =>
  createMarketClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });

/** Every word is one that nobody knows, and every object has a field more. */
const makeNewer: Change = (body) => age(body, '');

function age(value: unknown, field: string): unknown {
  if (typeof value === 'string') return words.has(field) && /^[A-Za-z -]+$/.test(value) ? later : value;
  if (Array.isArray(value)) return value.map((one) => age(one, field));
  if (typeof value !== 'object' || value === null) return value;
  const aged = Object.entries(value).map(([name, one]) => [name, age(one, name)]);
  return { ...Object.fromEntries(aged), later: { is: ['new'] } };
}

/** Every read of the client, on tasks in each state. */
async function readAll(client: ReturnType<typeof createMarketClient>): Promise<Record<string, unknown>> {
  const [poster, worker] = [accountOf('press').address, accountOf('coder').address];
  const found: Record<string, unknown> = {};
  for (const market of markets) {
    const recent = await client.recent({ market, limit: 100 });
    const ids = recent.tasks.map(({ id }) => id);
    Object.assign(found, {
      [`recent ${market}`]: recent,
      [`open ${market}`]: await client.open({ market }),
      [`tasks ${market}`]: await client.tasks(ids.slice(0, 50)),
      [`siteConfig ${market}`]: await client.siteConfig({ market }),
      [`union ${market}`]: await client.union({ market }),
      [`poster ${market}`]: await client.posterTasks(poster, { market }),
      [`worker ${market}`]: await client.workerTasks(worker, { market }),
      [`concerns ${market}`]: await client.concerns(poster, { market }),
      [`earnings ${market}`]: await client.earnings(worker, { market }),
      [`ledger ${market}`]: await client.ledger(worker, { market }),
      [`quota ${market}`]: await client.postingQuota(poster, { market }),
    });
    for (const id of ids.slice(0, 12)) {
      found[`task ${id}`] = await client.task(id);
      found[`timeline ${id}`] = await client.timeline(id);
    }
  }
  return found;
}

/** Amounts, hashes and addresses of an answer, wherever they stand. */
function listFacts(value: unknown): string[] {
  if (typeof value === 'string') return /^(0x[0-9a-fA-F]*|\d+)$/.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listFacts);
}

test('every read of the client takes words and fields that it does not know, and loses no amount', async () => {
  change = makeNewer;
  bodies.length = 0;
  const found = Object.entries(await readAll(clientOf(between)));
  assert.ok(found.length > 60);
  assert.equal(bodies.length, found.length);
  for (const [at, [name, reply]] of found.entries()) {
    assert.deepEqual(listFacts(reply), listFacts(bodies[at]), name);
    assert.deepEqual((reply as { later?: unknown }).later, { is: ['new'] }, name);
  }
});

test('what follows from a task or an event that nobody knows is nothing, and no error', async () => {
  change = makeNewer;
  const client = clientOf(between);
  const { tasks } = await client.recent({ limit: 50 });
  for (const record of tasks) {
    const task = parseTaskRecord(record);
    assert.deepEqual([listPhases(task), nextActions(task)], [[], []], record.id);
    assert.ok(rolesOf(record, record.poster).includes('poster'));
  }
  const { events } = await client.timeline(tasks[0]?.id ?? '');
  assert.deepEqual(
    events.map(describeEvent),
    events.map(() => null),
  );
});

test('a stream passes a state that nobody knows, and leaves out an event that nobody knows', async () => {
  const cast = await site.castOn('micro');
  const seen: MarketEvent[] = [];
  for await (const event of clientOf(between).events({ market: 'micro' })) {
    seen.push(event);
    if (event.type === 'task') break;
    await postTask(cast);
  }
  assert.deepEqual(
    seen.map(({ type }) => type),
    ['reset', 'task'],
  );
  const [, news] = seen;
  assert.equal(news?.type === 'task' && news.task.state, later);
});

test('a bot is called with tasks in states that nobody knows, and goes on', async () => {
  change = makeNewer;
  const end = new AbortController();
  const poster = accountOf('press').address;
  const states = new Map<string, string>();
  const errors: unknown[] = [];
  await runBot(
    clientOf(between),
    poster,
    'poster',
    async ({ id, state }) => {
      states.set(id, state);
      if (states.size === 3) end.abort();
    },
    { signal: end.signal, onError: (error) => errors.push(error) },
  );
  assert.deepEqual(errors, []);
  assert.deepEqual([...new Set(states.values())], [later]);
});

test('amounts, addresses and hashes that are written otherwise are refused, whatever is new', async () => {
  const replace = (field: string, by: unknown): Change => {
    const walk = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(walk);
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).map(([name, one]) => [name, name === field ? by : walk(one)]);
      return Object.fromEntries(entries);
    };
    return walk;
  };
  const client = clientOf(between);
  for (const [field, by] of [
    ['totalAmountTokWei', 'abc'],
    ['totalAmountTokWei', 5],
    ['totalAmountTokWei', '-5'],
    ['poster', '0x12'],
    ['criteriaHash', 'none'],
    ['milestones', {}],
    ['tasks', null],
  ] as const) {
    change = replace(field, by);
    await assert.rejects(client.recent(), { code: 'API_UNEXPECTED', message: new RegExp(field) });
  }
  for (const [field, by] of [
    ['taskRegistry', '0x12'],
    ['chainId', '8453'],
    ['usdc', undefined],
  ] as const) {
    change = replace(field, by);
    await assert.rejects(client.siteConfig(), { code: 'API_UNEXPECTED', message: new RegExp(field) });
  }
});
