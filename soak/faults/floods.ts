// Floods of a single client, each with a budget: what it costs the chain's provider and the database. No honest user may notice.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import type { Ask } from '../asking.ts';
import type { Journal } from '../journal.ts';
import { emptyRequest, unminedPost } from '../moves/public.ts';
import type { Server } from '../server.ts';
import { listReplicas, type Setup } from '../setup.ts';
import type { Fault, World } from '../world.ts';

const connections = 8;
const flooder = { 'x-forwarded-for': '203.0.113.7' };
const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`;

/** What a process takes of one client in a minute, and the longest of these texts. */
const writesPerMinute = 1_200;
const receiptsPerMinute = writesPerMinute / 5;
const largestBody = 64 * 1024;
/** Rows have indexes, and everybody else writes meanwhile. */
const rowOverhead = 2_048;
const othersBytes = 8 * 1024 * 1024;
/** About transactions that nobody has seen, in the whole deployment. */
const questionsPerSecond = 100;
/** A transaction that is reported is asked for up to four times, because a node may lag behind. */
const questionsPerWrite = 4;

/** `send` reports one write and resolves to its status; `beside` is what another client asks for in the end. */
type Flood = {
  readonly name: string;
  /** Who takes it. */
  readonly serversOf: (setup: Setup) => readonly Server[];
  readonly send: (world: World, ask: Ask) => Promise<number>;
  readonly bytesPerWrite: number;
  readonly perMinute?: number;
  /** Whether it has cost something. */
  readonly isTaken?: (status: number) => boolean;
  readonly beside?: (world: World) => Promise<number>;
};

const flood =
  (options: Flood): Fault =>
  async (world) => {
    const { name, serversOf, send, bytesPerWrite, beside } = options;
    const { perMinute = writesPerMinute, isTaken = (status: number) => status < 300 } = options;
    const { setup, journal } = world;
    const before = await measure(setup);
    const from = journal.now();
    let accepted = 0;
    let refused = 0;
    let isOver = false;
    // Its own failures count as everybody's.
    const ask: Ask = (server, path, body, headers) =>
      world.ask(server, path, body, { ...flooder, ...headers });
    const flooding = Array.from({ length: connections }, async () => {
      while (!isOver) {
        const status = await send(world, ask);
        if (isTaken(status)) accepted++;
        else refused++;
      }
    });
    const repair = async () => {
      const status = await beside?.(world);
      if (status !== undefined)
        journal.measured.push({
          what: `flood of ${name}: another client got ${status}`,
          isKept: status === 200 || status === 409,
        });
      isOver = true;
      await Promise.all(flooding);
      const after = await measure(setup);
      const seconds = (journal.now() - from) / 1_000;
      const questions = after.questions - before.questions;
      const bytes = after.bytes - before.bytes;
      const questionBudget = Math.ceil(questionsPerSecond * seconds) + questionsPerWrite * accepted;
      const byteBudget = accepted * bytesPerWrite + othersBytes;
      const most = Math.ceil(1 + seconds / 60) * perMinute * serversOf(setup).length;
      journal.measured.push(
        {
          what: `flood of ${name}: ${accepted} accepted and ${refused} refused in ${seconds.toFixed(0)} s, at most ${most}`,
          isKept: accepted <= most,
        },
        {
          what: `flood of ${name}: ${questions} questions about transactions, at most ${questionBudget}`,
          isKept: questions <= questionBudget,
        },
        {
          what: `flood of ${name}: the database grew by ${megabytes(bytes)}, at most ${megabytes(byteBudget)}`,
          isKept: bytes <= byteBudget,
        },
      );
    };
    return { detail: name, servers: [], isExcuse: false, repair };
  };

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

async function measure({ proxies, databaseUrl }: Setup) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT pg_database_size(current_database()) AS size');
    const questions = proxies
      .flatMap(({ countCalls }) => ['eth_getTransactionReceipt', 'eth_getTransactionByHash'].map(countCalls))
      .reduce((sum, count) => sum + count, 0);
    return { questions, bytes: Number(rows[0].size) };
  } finally {
    await client.end();
  }
}

export const floodOfRecords: Fault = flood({
  name: 'recorded posts',
  serversOf: listReplicas,
  bytesPerWrite: rowOverhead,
  send: async ({ setup }, ask) => {
    const post = unminedPost(hex(20), hex(32), Math.floor(Math.random() * 1e6));
    return (await ask(pickAny(listReplicas(setup)), '/api/posting/record', post)).status;
  },
});

/** Requests of the largest size, half of them with a transaction that does not exist. */
export const floodOfRequests: Fault = flood({
  name: 'wallet requests',
  serversOf: ({ gateways }) => gateways,
  bytesPerWrite: largestBody + rowOverhead,
  send: async ({ setup }, ask) => {
    const gateway = pickAny(setup.gateways);
    const created = await ask(gateway, '/v1/requests', emptyRequest(hex(20), hex(30_000)));
    if (created.status === 201 && Math.random() < 0.5)
      await ask(gateway, `/v1/requests/${created.body.requestId}/result`, {
        status: 'submitted',
        transactionHashes: [hex(32)],
      });
    return created.status;
  },
});

const askForReceipt = async ({ setup, people }: World, ask: Ask) => {
  const payer = pickAny(people.traders).address;
  return (await ask(pickAny(setup.gateways), '/v1/payment-receipt', { payer, action: 'post' })).status;
};

/** Each of them asks the chain about a dozen times, also where it is refused. */
export const floodOfReceipts: Fault = flood({
  name: 'receipts',
  serversOf: ({ gateways }) => gateways,
  bytesPerWrite: rowOverhead,
  perMinute: receiptsPerMinute,
  isTaken: (status) => status !== 429,
  send: askForReceipt,
  beside: (world) => askForReceipt(world, world.ask),
});

function pickAny<One>(all: readonly One[]): One {
  return all[Math.floor(Math.random() * all.length)] as One;
}

const streams = 2_000;
/** How many changes those have missed who come back, and a client beside them. */
const missed = { far: 1_500, near: 50 };

/** All of them are served; nobody reads slowly here. Every second one comes back from far behind. */
export const floodOfStreams: Fault = async ({ setup, journal }) => {
  const servers = listReplicas(setup);
  const last = await findLastEvent(servers[0] as Server);
  const from = journal.now();
  const seen = { opened: 0, resumed: 0, reset: 0 };
  const sockets = Array.from({ length: streams }, (_, at) => {
    const isBack = at % 2 === 1;
    const headers = isBack ? `Last-Event-ID: ${Math.max(1, last - missed.far)}\r\n` : '';
    const socket = openEvents(
      servers[at % servers.length] as Server,
      `X-Forwarded-For: ${flooder['x-forwarded-for']}\r\n${headers}`,
    );
    let start = '';
    return socket.on('data', (chunk) => {
      if (start.includes('event:')) return;
      start += chunk;
      if (!start.includes('event:')) return;
      if (start.startsWith('HTTP/1.1 200')) seen.opened++;
      if (isBack) seen[start.includes('event: reset') ? 'reset' : 'resumed']++;
    });
  });
  // A client that was away for a moment gets what it has missed, and no reset.
  const beside = openEvents(pickAny(servers), `Last-Event-ID: ${Math.max(1, last - missed.near)}\r\n`);
  let got = '';
  beside.on('data', (chunk) => {
    got += chunk;
  });
  const repair = async () => {
    for (const socket of [...sockets, beside]) socket.destroy();
    const [first = last, ...rest] = [...got.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    journal.measured.push(
      {
        what: `flood of streams: ${seen.opened} of ${streams} were served; ${seen.resumed} came back to what they had missed, ${seen.reset} to a reset`,
        isKept: seen.opened === streams || wasBusy(journal, from),
      },
      {
        what: `flood of streams: a client beside them that had missed ${Math.min(last - 1, missed.near)} changes got them`,
        isKept: last < missed.near || (first < last && Math.max(...rest) >= last) || wasBusy(journal, from),
      },
    );
  };
  return { detail: `${streams} streams`, servers: [], isExcuse: false, repair };
};

/** Since then the machine was too busy for a fault to say anything. */
export function wasBusy({ windows }: Pick<Journal, 'windows'>, from: number): boolean {
  return windows.some(({ kind, to }) => kind === 'overload' && to >= from);
}

function openEvents(server: Server, headers: string): Socket {
  const { hostname, port } = new URL(server.url());
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(`GET /api/events?market=all HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  return socket;
}

/** The id of the newest change. */
async function findLastEvent(server: Server): Promise<number> {
  const socket = openEvents(server, '');
  try {
    for await (const chunk of socket) {
      const [, id] = /^id: (\d+)$/m.exec(String(chunk)) ?? [];
      if (id !== undefined) return Number(id);
    }
    throw new Error('the stream has ended');
  } finally {
    socket.destroy();
  }
}
