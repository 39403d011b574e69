// Proves that clients which come back again and again from far behind cost a bounded amount, and that an honest one beside them
// gets what it has missed.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createChangeFeed } from '../../market/changeFeed.ts';
import type { buildMessage } from '../../market/changes.ts';
import { createApp } from '../app.ts';
import { createMetrics } from '../metrics.ts';
import { registerEventRoutes } from './events.ts';

type Change = Parameters<typeof buildMessage>[0];

const log = { info: () => undefined, error: () => undefined } as never;
const last = 3_000;
const changes = Array.from(
  { length: last },
  (_, at): Change => ({
    kind: 'task',
    seq: at + 1,
    market: 'standard',
    number: BigInt(at + 1),
    blockNumber: 1n,
    state: 'POSTED',
    wallets: [],
    scope: 'open',
  }),
);
const source = {
  loadChangesAfter: async (seq: number, limit: number) =>
    changes.filter((change) => change.seq > seq).slice(0, limit),
  loadChangeRange: async () => ({ first: 1, last }),
};

async function serve(context: TestContext) {
  const metrics = createMetrics();
  const app = createApp({ log, metrics, trustedProxies: ['127.0.0.1'] });
  const feed = await createChangeFeed({ source, listen: async () => async () => undefined });
  registerEventRoutes(app, { feed, metrics, log });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  context.after(async () => {
    await app.close();
    await feed.close();
  });
  /** The kind of the first event for a client that has missed so many changes, or has this id. */
  const resume = async (client: string, missed: number | string): Promise<string | undefined> => {
    const end = new AbortController();
    const id = typeof missed === 'string' ? missed : String(last - missed);
    const headers = { 'x-forwarded-for': client, 'last-event-id': id };
    const response = await fetch(`${url}/api/events`, { headers, signal: end.signal });
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (text.includes('event:')) break;
    }
    end.abort();
    return /^event: (\w+)$/m.exec(text)?.[1];
  };
  const flood = async (client: string, missed: number, times: number) => {
    const kinds = await Promise.all(Array.from({ length: times }, () => resume(client, missed)));
    return kinds.filter((kind) => kind === 'task').length;
  };
  return { metrics, resume, flood };
}

test('a client that comes back from far behind again and again begins with a reset, and others do not', async (context) => {
  const { metrics, resume, flood } = await serve(context);
  assert.equal(await flood('203.0.113.1', 1_900, 60), 21, 'twenty times the most that is kept');
  assert.equal(await resume('203.0.113.1', 1_900), 'reset');
  assert.equal(await resume('203.0.113.1', 99), 'task', 'a short absence costs little');
  assert.equal(await resume('198.51.100.1', 1_900), 'task', 'an honest client beside it');
  const text = await metrics.format();
  assert.match(text, /^svc_event_stream_starts_total\{kind="resumed"\} 23$/m);
  assert.match(text, /^svc_event_stream_starts_total\{kind="reset"\} 40$/m);
});

test('an id that was never given, or is none, begins with a reset', async (context) => {
  const { resume } = await serve(context);
  for (const id of ['999999999999', 'nonsense', '-2999', '2999x', '2.999e3'])
    assert.equal(await resume('198.51.100.1', id), 'reset', id);
});

test('many such clients together have a budget too, and one that was quiet is still served', async (context) => {
  const { resume, flood } = await serve(context);
  let sent = 0;
  for (let client = 1; client <= 14; client++) sent += await flood(`203.0.113.${client}`, 1_900, 25);
  // The quiet share of each of the last clients is a few more.
  assert.ok(sent >= 210 && sent <= 230, `${sent} were sent what they had missed`);
  assert.equal(await resume('198.51.100.1', 1_900), 'task');
});
