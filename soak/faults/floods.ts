// Floods of a single client, each with a budget: what it costs the chain's provider and the database. No honest user may notice.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import pg from 'pg';
import type { Ask } from '../asking.ts';
import type { Setup } from '../setup.ts';
import type { Fault, World } from '../world.ts';

const connections = 8;
const flooder = { 'x-forwarded-for': '203.0.113.7' };
const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`;

/** What a process takes of one client in a minute, and the longest of these texts. */
const writesPerMinute = 1_200;
const largestBody = 64 * 1024;
/** Rows have indexes, and everybody else writes meanwhile. */
const rowOverhead = 2_048;
const othersBytes = 8 * 1024 * 1024;
/** About transactions that nobody has seen, in the whole deployment. */
const questionsPerSecond = 100;
/** A transaction that is reported is asked for up to four times, because a node may lag behind. */
const questionsPerWrite = 4;

/** `send` reports one write and resolves to its status. */
const flood =
  (name: string, send: (world: World, ask: Ask) => Promise<number>, bytesPerWrite: number): Fault =>
  async (world) => {
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
        if (status < 300) accepted++;
        else refused++;
      }
    });
    const repair = async () => {
      isOver = true;
      await Promise.all(flooding);
      const after = await measure(setup);
      const seconds = (journal.now() - from) / 1_000;
      const questions = after.questions - before.questions;
      const bytes = after.bytes - before.bytes;
      const questionBudget = Math.ceil(questionsPerSecond * seconds) + questionsPerWrite * accepted;
      const byteBudget = accepted * bytesPerWrite + othersBytes;
      const most = Math.ceil(1 + seconds / 60) * writesPerMinute * setup.servers.length;
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

export const floodOfRecords: Fault = flood(
  'recorded posts',
  async ({ setup }, ask) => {
    const servers = [...setup.sites, ...setup.gateways];
    const { status } = await ask(pickAny(servers), '/api/posting/record', {
      address: hex(20),
      taskId: `v2:standard:${1_000_000 + Math.floor(Math.random() * 1e6)}`,
      txHash: hex(32),
      taskAmountTok: '1',
    });
    return status;
  },
  rowOverhead,
);

/** Requests of the largest size, half of them with a transaction that does not exist. */
export const floodOfRequests: Fault = flood(
  'wallet requests',
  async ({ setup }, ask) => {
    const from = hex(20);
    const gateway = pickAny(setup.gateways);
    const created = await ask(gateway, '/v1/requests', {
      kind: 'calls',
      action: 'fund-task',
      summary: 'Nothing',
      chainId: 8_453,
      from,
      calls: [{ to: from, value: '0x0', data: hex(30_000) }],
    });
    if (created.status === 201 && Math.random() < 0.5)
      await ask(gateway, `/v1/requests/${created.body.requestId}/result`, {
        status: 'submitted',
        transactionHashes: [hex(32)],
      });
    return created.status;
  },
  largestBody + rowOverhead,
);

function pickAny<One>(all: readonly One[]): One {
  return all[Math.floor(Math.random() * all.length)] as One;
}

const streams = 2_000;

/** All of them are served; nobody reads slowly here. */
export const floodOfStreams: Fault = async ({ setup, journal }) => {
  const servers = [...setup.sites, ...setup.gateways];
  let opened = 0;
  const sockets = Array.from({ length: streams }, (_, at) => {
    const { hostname, port } = new URL(pickAt(servers, at).url());
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write('GET /api/events HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.once('data', (text) => {
      if (text.toString().startsWith('HTTP/1.1 200')) opened++;
    });
    return socket.on('data', () => undefined);
  });
  const repair = async () => {
    for (const socket of sockets) socket.destroy();
    journal.measured.push({
      what: `flood of streams: ${opened} of ${streams} were served`,
      isKept: opened === streams,
    });
  };
  return { detail: `${streams} streams`, servers: [], isExcuse: false, repair };
};

function pickAt<One>(all: readonly One[], at: number): One {
  return all[at % all.length] as One;
}
