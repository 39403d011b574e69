// Three replicas on one PostgreSQL behind a reverse proxy, each restarted in turn under constant load: no request
// fails, nothing happens twice, and the chain is followed all the time. Two of them relay for 100 writers at once.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { createMarketClient } from '#sdk/client/createMarketClient.ts';
import { openSession } from '#sdk/client/session.ts';
import { parseEventStream } from '#sdk/domain/parseEventStream.ts';
import { taskStates } from '#sdk/domain/state.ts';
import {
  buildEnvelope,
  formatWire,
  noHead,
  type SignedEnvelope,
  signEnvelope,
} from '#sdk/negotiation/envelope.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import { createPostgresDatabase } from '#service/store/postgres.ts';
import { type Balancer, startBalancer } from './support/balancer.ts';
import { type Cast, createCast, enter, type Party } from './support/cast.ts';
import { findFreePort } from './support/freePort.ts';
import { headAfter } from './support/negotiating.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';
import { postTask } from './support/posting.ts';
import { send, unseenHash } from './support/postingSite.ts';
import { type ServerProcess, startServerProcess } from './support/serverProcess.ts';
import { startSvc, svcScript } from './support/svc.ts';
import { until } from './support/until.ts';
import { startReceiver } from './support/webhookReceiver.ts';

const replicas = 3;
const folder = mkdtempSync(join(tmpdir(), 'svc-rolling-'));
let devnet: Devnet;
let postgres: Postgres;
let databaseUrl: string;
let cast: Cast;
let taskId: string;
const running = new Map<number, ServerProcess>();

before(async () => {
  [devnet, postgres] = await Promise.all([
    createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 }),
    startPostgres(),
  ]);
  databaseUrl = await postgres.createDatabase();
  writeFileSync(join(folder, 'deployment.json'), formatDeployment(devnet.deployment));
  cast = await createCast(devnet.rpcUrl, 'standard');
  await enter(cast);
  taskId = await postTask(cast);
});
after(async () => {
  await Promise.all([...running.values()].map((server) => server.kill()));
  await Promise.all([postgres.remove(), devnet.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** The gateway serves the routes of the site as well: one process is a whole replica. */
async function startReplica(port: number): Promise<ServerProcess> {
  const env = {
    DATABASE_URL: databaseUrl,
    SVC_DATA_DIR: folder,
    SVC_DEPLOYMENT: join(folder, 'deployment.json'),
    SVC_RPC_URL: devnet.rpcUrl,
    SVC_GATEWAY_PORT: String(port),
    SVC_GATEWAY_KEY: `0x${'07'.repeat(32)}`,
    // Longer than a proxy that is out of breath takes to notice.
    SVC_DRAIN_SECONDS: '4',
    SVC_WEBHOOK_PRIVATE: 'on',
  };
  const server = startServerProcess(['gateway'], { cwd: folder, env });
  running.set(port, server);
  await server.url;
  return server;
}

const urlOf = (port: number) => `http://127.0.0.1:${port}`;

/** Requests and their answers; each has a unique identity, so that a doubled effect is seen. */
function createLoad(baseUrl: string) {
  const stop = new AbortController();
  const failures: string[] = [];
  const seen = {
    reads: 0,
    checks: 0,
    records: [] as string[],
    requests: [] as string[],
    claims: [] as number[],
  };
  const expect = (what: string, status: number, ...wanted: number[]) => {
    if (!wanted.includes(status)) failures.push(`${what}: ${status}`);
  };
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a parsed answer
    return { status: response.status, body: (await response.json().catch(() => ({}))) as any };
  };
  let wallets = 0;

  const turns = {
    read: async () => {
      const quota = `/api/posting/quota?address=${cast.worker.address}`;
      for (const path of ['/api/market/open', `/v1/tasks/${taskId}`, quota]) {
        expect(path, (await fetch(baseUrl + path)).status, 200);
        seen.reads++;
      }
    },
    check: async () => {
      const { status } = await post('/api/posting/check', { address: cast.worker.address });
      expect('check', status, 200);
      seen.checks++;
    },
    record: async () => {
      const address = `0x${(++wallets).toString(16).padStart(40, 'd')}`;
      const body = { address, taskId: 'v2:standard:70000', txHash: unseenHash(wallets), taskAmountTok: '1' };
      expect('record', (await post('/api/posting/record', body)).status, 200);
      seen.records.push(address);
    },
    request: async () => {
      const call = { to: cast.worker.address, value: '0x0', data: '0x' };
      const wanted = {
        action: 'fund-task',
        kind: 'calls',
        from: cast.worker.address,
        chainId: 8453,
        summary: 'Nothing',
        calls: [call],
      };
      const { status, body } = await post('/v1/requests', wanted);
      expect(`request ${JSON.stringify(body)}`, status, 201);
      seen.requests.push(body.requestId);
    },
    claim: async () => {
      const payer = cast.worker.address;
      const given = await post('/v1/payment-receipt', { payer, action: 'claim', taskId });
      expect('receipt', given.status, 200);
      if (given.status !== 200) return;
      const { name, value } = given.body.header;
      const claims = [1, 2].map(() => post(`/v1/tasks/${taskId}/claim`, { payer }, { [name]: value }));
      const statuses = (await Promise.all(claims)).map(({ status }) => status);
      for (const status of statuses) expect('claim', status, 200, 402);
      seen.claims.push(statuses.filter((status) => status === 200).length);
    },
  };
  const working = Object.entries(turns).map(async ([name, turn]) => {
    while (!stop.signal.aborted) {
      await turn().catch((error) => failures.push(`${name}: ${error.cause ?? error}`));
      // Constant and not more: servers that start need the machine as well.
      await pause(20);
    }
  });
  return {
    seen,
    failures,
    end: async () => {
      stop.abort();
      await Promise.all(working);
    },
  };
}

async function restart(balancer: Balancer, port: number): Promise<void> {
  const server = running.get(port) as ServerProcess;
  server.child.kill('SIGTERM');
  await until(() => !balancer.isIn(urlOf(port)));
  assert.equal((await server.ended).exitCode, 0);
  await startReplica(port);
  await until(() => balancer.isIn(urlOf(port)));
}

test('three replicas are restarted one after the other, and nobody who asks notices', async (context) => {
  const ports = await Promise.all(Array.from({ length: replicas }, findFreePort));
  await Promise.all(ports.map(startReplica));
  const balancer = await startBalancer(ports.map(urlOf));
  context.after(balancer.close);
  await until(() => ports.every((port) => balancer.isIn(urlOf(port))));

  const ending = new AbortController();
  const heard: string[] = [];
  const following = (async () => {
    const { events } = createMarketClient({ baseUrl: balancer.url });
    for await (const event of events({ signal: ending.signal }))
      heard.push(event.type === 'reset' ? 'reset' : event.task.id);
  })();
  await until(() => heard.length > 0);
  const load = createLoad(balancer.url);
  const posted: string[] = [];
  for (const port of ports) {
    await restart(balancer, port);
    posted.push(await postTask(cast));
  }
  await until(() => posted.every((id) => heard.includes(id)));
  await load.end();
  ending.abort();
  await following;

  const { seen, failures } = load;
  context.diagnostic(
    `${seen.reads} reads, ${seen.checks} checks, ${seen.records.length} records, ${seen.requests.length} requests, ${seen.claims.length} claims`,
  );
  assert.deepEqual([...failures, ...balancer.failures], []);
  for (const part of [seen.records, seen.requests, seen.claims]) assert.ok(part.length > replicas);
  assert.ok(
    seen.claims.every((uses) => uses === 1),
    'each receipt was of use once',
  );
  assert.deepEqual(heard, ['reset', ...posted], 'the stream went on: nothing lost, nothing told twice');
  const database = createPostgresDatabase({ url: databaseUrl });
  context.after(database.close);
  const column = async (sql: string) =>
    (await database.query<{ it: string }>(sql)).map(({ it }) => it).sort();
  assert.deepEqual(await column('SELECT address AS it FROM pending_posts'), seen.records.toSorted());
  assert.deepEqual(await column('SELECT id AS it FROM wallet_requests'), seen.requests.toSorted());
  assert.equal((await column('SELECT nonce AS it FROM used_receipts')).length, seen.claims.length);
});

/** A mailbox as its stream and as pages from a cursor, read while others write. Both resume where they were. */
function readAlong(url: string, token: string) {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const [streamed, paged]: [number[], number[]] = [[], []];
  async function stream(): Promise<void> {
    const from = { ...headers, 'last-event-id': String(streamed.at(-1) ?? 0) };
    const response = await fetch(`${url}/v1/mailbox/events`, { headers: from, signal: stop.signal });
    const body = response.body as ReadableStream<Uint8Array>;
    for await (const { event, id } of parseEventStream(body, () => undefined))
      if (event === 'message') streamed.push(Number(id));
  }
  async function page(): Promise<void> {
    const { messages } = await readMailbox(url, token, paged.at(-1), 3);
    paged.push(...messages.map(({ position }) => position));
  }
  const reading = [stream, page].map(async (read) => {
    while (!stop.signal.aborted) {
      await read().catch(() => undefined);
      await pause(10);
    }
  });
  const end = async () => {
    stop.abort();
    await Promise.all(reading);
  };
  return { streamed, paged, end };
}

type MailboxPage = {
  readonly messages: readonly { readonly position: number; readonly hash: string; readonly wire: string }[];
  readonly nextAfter: number;
};

async function readMailbox(url: string, token: string, after = 0, limit = 100): Promise<MailboxPage> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/v1/mailbox?after=${after}&limit=${limit}`, { headers });
  assert.equal(response.status, 200);
  return (await response.json()) as MailboxPage;
}

/** A wallet may begin 20 a day, and the test of subscriptions begins one, too. */
const conversations = 10;
const writers = 100;

test('100 writers at two replicas keep one chain; cursors skip nothing, and streams of the other replica send each message once', async (context) => {
  const [here, there] = [...running.keys()].map(urlOf) as [string, string];
  const { poster, worker } = cast;
  const tokens = await Promise.all(
    [poster, worker].map(
      async ({ account }) => (await openSession({ baseUrl: here }, account, { chainId: 8453 })).token,
    ),
  );
  const readers = [here, there].flatMap((url) => tokens.map((token) => readAlong(url, token)));
  context.after(() => Promise.all(readers.map(({ end }) => end())));
  let sent = 0;
  /** A busy database answers 503, also after the message was stored: sent again, it is known. */
  const send = async (signed: SignedEnvelope): Promise<number> => {
    for (;;) {
      const response = await fetch(`${sent++ % 2 === 0 ? here : there}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: formatWire(signed),
      });
      await response.text();
      if (response.status !== 503) return response.status === 200 ? 202 : response.status;
      await pause(200);
    }
  };
  const note = (by: Party, after: SignedEnvelope | null, text: string) => {
    const sender = { evmAddress: by.address, xmtpPublicKey: 'test' };
    const negotiationId = after?.envelope.negotiationId ?? crypto.randomUUID();
    const payload = { text, ...(after === null && { to: worker.address }) };
    const draft = { type: 'Note', negotiationId, sender, payload };
    const envelope = buildEnvelope(draft, headAfter(after ?? undefined), new Date());
    return signEnvelope(envelope, by.account.signTypedData);
  };

  const openings = await Promise.all(
    Array.from({ length: conversations }, (_, at) => note(poster, null, `Question ${at}`)),
  );
  assert.deepEqual(await Promise.all(openings.map(send)), Array(conversations).fill(202));
  // Many for each place in each conversation, then all for one place in a single one.
  const perPlace = writers / conversations;
  const answers = await Promise.all(
    Array.from({ length: writers }, (_, at) =>
      note(worker, openings[at % conversations] as SignedEnvelope, `Answer ${at}`),
    ),
  );
  const statuses = await Promise.all(answers.map(send));
  const winners = answers.filter((_, at) => statuses[at] === 202);
  assert.equal(winners.length, conversations);
  assert.equal(statuses.filter((status) => status === 409).length, conversations * (perPlace - 1));
  const last = winners.find(
    ({ envelope }) => envelope.negotiationId === openings[0]?.envelope.negotiationId,
  ) as SignedEnvelope;
  const replies = await Promise.all(
    Array.from({ length: writers }, (_, at) => note(poster, last, `Reply ${at}`)),
  );
  const taken = await Promise.all(replies.map(send));
  assert.deepEqual(
    [202, 409].map((wanted) => taken.filter((status) => status === wanted).length),
    [1, writers - 1],
  );

  const positions = Array.from({ length: 2 * conversations + 1 }, (_, at) => at + 1);
  await until(() =>
    readers.every(({ streamed, paged }) =>
      [streamed, paged].every((seen) => seen.length >= positions.length),
    ),
  );
  for (const { streamed, paged } of readers) {
    assert.deepEqual(streamed, positions);
    assert.deepEqual(paged, positions);
  }
  const boxes = await Promise.all(
    [here, there].flatMap((url) => tokens.map(async (token) => (await readMailbox(url, token)).messages)),
  );
  const hashes = (messages: MailboxPage['messages']) => messages.map(({ hash }) => hash).toSorted();
  for (const box of boxes) {
    assert.deepEqual(hashes(box), hashes(boxes[0] ?? []));
    const talks = Map.groupBy(
      box.map(({ wire }) => JSON.parse(wire) as SignedEnvelope),
      ({ envelope }) => envelope.negotiationId,
    );
    assert.equal(talks.size, conversations);
    for (const talk of talks.values())
      for (const [at, { envelope }] of talk.entries())
        assert.deepEqual(
          [envelope.sequence, envelope.previousHash],
          [at + 1, talk[at - 1]?.hash ?? noHead.hash],
        );
  }
});

test('a webhook and a stream get every change, signed and in order, while each replica is killed', async (context) => {
  while (running.size < 2) await startReplica(await findFreePort());
  let refusals = 2;
  const receiver = await startReceiver(() => (refusals-- > 0 ? 500 : 204));
  context.after(receiver.close);
  const env = { DATABASE_URL: databaseUrl, SVC_DATA_DIR: folder, SVC_WEBHOOK_PRIVATE: 'on' };
  const wallet = cast.poster.address;
  const added = await startSvc(['webhook', 'add', receiver.url, '--wallet', wallet, '--json'], {
    cwd: folder,
    env,
  }).ended;
  assert.equal(added.exitCode, 0, added.err);
  const { secret } = JSON.parse(added.out) as { secret: string };
  const ended: string[] = [];
  const streamed: number[] = [];
  const stop = new AbortController();
  context.after(() => stop.abort());
  const [followed = 0] = running.keys();
  const client = createMarketClient({ baseUrl: urlOf(followed) });
  let isFollowing = false;
  const following = (async () => {
    for await (const { type, seq } of client.events({ address: wallet, signal: stop.signal })) {
      if (type === 'task') streamed.push(seq);
      isFollowing = true;
    }
  })();
  await until(() => isFollowing);
  for (const port of [...running.keys()]) {
    const id = await postTask(cast);
    // Before, in the middle of, or after a delivery: each of them must be right.
    await pause(Math.random() * 3_000);
    await running.get(port)?.kill();
    await cast.poster.write(cast.contracts.registry, 'cancelTask', [BigInt(id.split(':')[2] ?? '')]);
    ended.push(id);
    await startReplica(port);
  }
  const heard = () => receiver.received.flatMap(({ data }) => (data.state === 'CANCELLED' ? [data.id] : []));
  await until(() => ended.every((id) => heard().includes(id)));
  receiver.assertSigned(secret);
  const firsts = receiver.received.filter(({ id }, at, all) => all.findIndex((one) => one.id === id) === at);
  const sequences = firsts.map(({ sequence }) => sequence);
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => a - b),
    'in order, but for repeats',
  );
  assert.deepEqual([...new Set(heard())], ended);
  // The stream sends each one exactly once, also to a client whose server was killed.
  await until(() => streamed.includes(sequences.at(-1) ?? 0));
  stop.abort();
  await following;
  assert.deepEqual(streamed, sequences);
  context.diagnostic(`${receiver.received.length - firsts.length} repeats of ${firsts.length}`);
});

test('an agent is notified of every change of its task and every message, in order, while the server behind its tools is killed', async (context) => {
  while (running.size < 2) await startReplica(await findFreePort());
  const { poster, worker } = cast;
  const { registry } = cast.contracts;
  const [upstream = 0, other = 0] = running.keys();
  const policy = join(folder, 'policy.json');
  const limits = { tok: '0', usdc: '0' };
  const [perAction, perDay, perCounterparty] = [limits, limits, limits];
  const actions = { 'open-session': {} };
  const rest = { perAction, perDay, perCounterparty, maxTaskTok: '0' };
  writeFileSync(
    policy,
    JSON.stringify({ version: 1, mode: 'enforce', markets: ['standard'], actions, ...rest }),
  );
  const keyFile = join(folder, 'worker.key');
  writeFileSync(keyFile, accountOf(worker.name).privateKey, { mode: 0o600 });
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [svcScript, 'mcp', '--wallet', 'key', '--policy', policy],
      env: {
        PATH: process.env.PATH ?? '',
        SVC_SITE_URL: urlOf(upstream),
        SVC_GATEWAY_URL: urlOf(upstream),
        SVC_RPC_URL: devnet.rpcUrl,
        SVC_DATA_DIR: join(folder, 'agent'),
        SVC_KEY_FILE: keyFile,
      },
      stderr: 'ignore',
    }),
  );
  context.after(() => client.close());
  const id = await postTask(cast);
  const number = BigInt(id.split(':')[2] ?? '');
  const [task, inbox] = [`svc://task/standard/${number}`, `svc://inbox/${worker.address}`];
  /** What a client reads that only looks when it is notified. */
  const states: string[] = [];
  const texts: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: what a resource holds is the test's business
  const read = async (uri: string): Promise<any> => {
    const { contents } = await client.readResource({ uri });
    return JSON.parse(String((contents[0] as { text?: string }).text));
  };
  const look: Record<string, () => Promise<void>> = {
    [task]: async () => void states.push((await read(task)).task.state),
    [inbox]: async () => {
      const found = JSON.stringify(await read(inbox)).match(/note \d+/g) ?? [];
      texts.splice(0, texts.length, ...new Set(found));
    },
  };
  let looking = Promise.resolve();
  client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) => {
    // One after the other. A read that meets the killed replica is tried again, as an agent would.
    looking = looking.then(() =>
      until(
        () =>
          look[uri]?.().then(
            () => true,
            () => false,
          ) ?? true,
      ),
    );
  });
  for (const uri of [task, inbox]) await client.subscribeResource({ uri });
  await until(() => states.includes('POSTED'));

  const readDigest = () =>
    cast.client.readContract({ ...registry, functionName: 'openDigest', args: [number, worker.address] });
  let last: SignedEnvelope | undefined;
  const sendNote = async (text: string) => {
    const sender = { evmAddress: poster.address, xmtpPublicKey: 'test' };
    const negotiationId = last?.envelope.negotiationId ?? crypto.randomUUID();
    const payload = { text, ...(last === undefined && { to: worker.address }) };
    const envelope = buildEnvelope(
      { type: 'Note', negotiationId, sender, payload },
      headAfter(last),
      new Date(),
    );
    last = await signEnvelope(envelope, poster.account.signTypedData);
    const response = await fetch(`${urlOf(other)}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: formatWire(last),
    });
    assert.equal(response.status, 202, await response.text());
  };
  const steps: (readonly [string, () => Promise<unknown>])[] = [
    ['CLAIMED', async () => worker.write(registry, 'claimTask', [number, await readDigest()])],
    ['POSTED', () => worker.write(registry, 'leaveTask', [number, taskStates.indexOf('CLAIMED')])],
    ['CANCELLED', () => poster.write(registry, 'cancelTask', [number])],
  ];
  for (const [at, [state, change]] of steps.entries()) {
    await running.get(upstream)?.kill();
    // While the server that the tools follow is gone.
    await change();
    await sendNote(`note ${at + 1}`);
    await startReplica(upstream);
    await until(() => states.at(-1) === state && texts.at(-1) === `note ${at + 1}`);
  }
  await looking;
  const changes = states.filter((state, at) => state !== states[at - 1]);
  assert.deepEqual(changes, ['POSTED', ...steps.map(([state]) => state)], 'in order, but for repeats');
  assert.deepEqual(texts, ['note 1', 'note 2', 'note 3']);
  context.diagnostic(`${states.length} notifications of ${changes.length} states`);
});

test('a server that receives SIGTERM reports stopping, still answers, and lets another server lead at once', async () => {
  const [port = 0] = running.keys();
  const leader = [...running].find(([, server]) => server.isLeading());
  const [drained, server] = leader ?? [port, running.get(port) as ServerProcess];
  const url = urlOf(drained);
  server.child.kill('SIGTERM');
  await until(async () => (await fetch(`${url}/health`)).status === 503);
  const health = await fetch(`${url}/health`);
  assert.equal(health.headers.get('connection'), 'close');
  assert.equal(((await health.json()) as { status: string }).status, 'stopping');
  assert.equal((await fetch(`${url}/api/market/open`)).status, 200);
  // PostgreSQL would choke on it.
  assert.equal((await fetch(`${url}/v1/requests/%00`)).status, 404);
  assert.equal((await send(url, '/api/posting/check', {})).status, 400, 'refusals are answered as well');
  await until(() => [...running].some(([other, { isLeading }]) => other !== drained && isLeading()));
  assert.equal((await server.ended).exitCode, 0);
});

test('Ctrl-C does not wait for proxies, and a second signal waits for nothing', async () => {
  const [first, second] = [...running.values()].filter(({ child }) => child.exitCode === null);
  first?.child.kill('SIGINT');
  assert.equal((await first?.ended)?.exitCode, 0);
  second?.child.kill('SIGTERM');
  await until(async () => (await fetch(`${await second?.url}/health`)).status === 503);
  second?.child.kill('SIGTERM');
  assert.equal((await second?.ended)?.exitCode, 1);
});
