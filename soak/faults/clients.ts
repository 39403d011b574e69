// Clients that are slow or hostile. They break nothing, so they explain no failure of anybody else's request.

import { hash, randomBytes } from 'node:crypto';
import { Agent, request as send } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { errorMessages } from '#sdk/domain/errors.ts';
import { createHostility, type HostileRequest } from '../../test/hostile/requests.ts';
import { bearer, openMailbox } from '../moves/mailing.ts';
import type { Person } from '../people.ts';
import type { Server } from '../server.ts';
import { listReplicas } from '../setup.ts';
import type { Fault } from '../world.ts';
import { wasBusy } from './floods.ts';

const slowSockets = 40;

/** Half of them send their request a byte at a time, half never read what they asked for. */
export const slowClients: Fault = async ({ setup }, { random }) => {
  const server = random.pick(listReplicas(setup));
  const { hostname, port } = new URL(server.url());
  const sockets = Array.from({ length: slowSockets }, (_, at): Socket => {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    if (at % 2 === 0) socket.write('GET /api/market/recent HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    else {
      socket.pause();
      socket.write(
        'GET /api/events HTTP/1.1\r\nHost: x\r\n\r\n'.concat(
          'GET /api/market/recent?limit=100 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5),
        ),
      );
    }
    return socket;
  });
  const drip = setInterval(() => {
    for (const [at, socket] of sockets.entries()) if (at % 2 === 0 && socket.writable) socket.write('x');
  }, 200);
  const repair = async () => {
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
  };
  return { detail: `${slowSockets} at ${server.name}`, servers: [], isExcuse: false, repair };
};

/** As many as a wallet has, so that six wallets hold every place of a gateway. */
const placesOfWallet = 4;

/** Each idle wallet sends files a few bytes at a time; a trader, who holds none, uploads meanwhile. */
export const slowUploads: Fault = async (world, { random }) => {
  const { setup, people, journal, ask } = world;
  const gateway = random.pick(setup.gateways);
  const { hostname, port } = new URL(gateway.url());
  const open = async (person: Person) => {
    const box = await openMailbox(world, person, gateway);
    if ('outcome' in box) throw new Error(`no session for ${person.name}: ${box.detail}`);
    return bearer(box);
  };
  const sessions = await Promise.all(people.idle.map(open));
  const headers = await open(random.pick(people.traders));
  const sockets = sessions.flatMap(({ authorization }) =>
    Array.from({ length: placesOfWallet }, (): Socket => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.write(
        `PUT /v1/files/${hash('sha256', randomBytes(32))} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
          'Content-Length: 1000000\r\n\r\n',
      );
      return socket.resume();
    }),
  );
  // Just fast enough to stay as long as nobody needs the place.
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x'.repeat(600));
  }, 200);
  const begin = journal.now();
  let held = 0;
  for (let tries = 0; tries < 15 && held < sockets.length; tries++) {
    await pause(200);
    held = await countUploads(gateway);
  }
  let isOver = false;
  const statuses: number[] = [];
  const honest = (async () => {
    while (!isOver) {
      const content = Uint8Array.from(randomBytes(20_000));
      const sha256 = hash('sha256', content);
      const { status } = await ask(gateway, `/v1/files/${sha256}`, content, headers);
      statuses.push(status);
      if (status === 201) journal.files.add(sha256);
      await pause(500);
    }
  })();
  const repair = async () => {
    isOver = true;
    await honest;
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
    const taken = statuses.filter((status) => status === 201).length;
    const isHeld = held >= sockets.length - 2;
    journal.measured.push({
      what: `slow uploads: ${taken} of ${statuses.length} files of an honest wallet were taken beside ${sockets.length} slow ones, which held ${held} places`,
      isKept: (taken === statuses.length && taken > 0 && isHeld) || wasBusy(journal, begin),
    });
  };
  return { detail: `${sockets.length} at ${gateway.name}`, servers: [], isExcuse: false, repair };
};

async function countUploads(server: Server): Promise<number> {
  const text = await (await fetch(`${server.url()}/metrics`)).text();
  return Number(/^svc_upload_places\{state="used"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

const flooders = 6;

/** Requests made from the server's own contract, with something wrong in nearly all of them. */
export const badInput: Fault = async ({ setup, journal }, { random }) => {
  const server = random.pick(listReplicas(setup));
  const contract = await fetch(`${server.url()}/openapi.yaml`);
  const hostility = createHostility(parse(await contract.text()), random.below(2 ** 31));
  const agent = new Agent({ keepAlive: true, maxSockets: flooders });
  let isOver = false;
  const flooding = Array.from({ length: flooders }, async () => {
    while (!isOver) {
      const question = hostility.next();
      const from = journal.now();
      const { status, detail } = await attack(server, question, agent);
      journal.hostile++;
      if (status !== 0 && status < 500) continue;
      // An answer to HEAD has no words; the same to GET has.
      const words =
        question.method === 'HEAD' && status === 503
          ? (await attack(server, { ...question, method: 'GET' }, agent)).detail
          : detail;
      if (unconfigured.some((one) => words.includes(one))) continue;
      const what = `hostile ${question.method} ${question.path.slice(0, 200)}`;
      journal.answers.push({
        from,
        to: journal.now(),
        server: server.name,
        what,
        status,
        detail: detail.slice(0, 300),
      });
    }
  });
  const repair = async () => {
    isOver = true;
    await Promise.all(flooding);
    agent.destroy();
  };
  return { detail: `at ${server.name}`, servers: [], isExcuse: false, repair };
};

/** A part that is not configured returns its specific 503, which is a valid reply. */
const unconfigured: readonly string[] = [errorMessages.CHAT_NOT_CONFIGURED, 'The pages are not built yet.'];

function attack(server: Server, question: HostileRequest, agent: Agent) {
  const { hostname, port } = new URL(server.url());
  const { method, path, headers, body } = question;
  return new Promise<{ readonly status: number; readonly detail: string }>((resolve) => {
    try {
      const sent = send({ hostname, port, path, method, headers: { ...headers }, agent, timeout: 30_000 });
      sent.on('timeout', () => sent.destroy(new Error('no answer for half a minute')));
      sent.on('error', (error: NodeJS.ErrnoException) =>
        // A body that nobody wants is refused before it is read, and who still writes then hears of the end only.
        resolve({
          status: error.code === 'EPIPE' || error.code === 'ECONNRESET' ? 400 : 0,
          detail: error.message,
        }),
      );
      sent.on('response', (response) => {
        const status = response.statusCode ?? 0;
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        const end = () => resolve({ status, detail: text });
        response.once('end', end).once('close', end);
        // A stream of events stays open.
        if (/event-stream/.test(response.headers['content-type'] ?? '')) response.destroy();
      });
      sent.end(body);
    } catch {
      // Node refuses to send some of these requests.
      resolve({ status: 400, detail: '' });
    }
  });
}
