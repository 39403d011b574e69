// Clients that are slow or hostile. They break nothing, so they explain no failure of anybody else's request.

import { Agent, request as send } from 'node:http';
import { connect, type Socket } from 'node:net';
import { parse } from 'yaml';
import { errorMessages } from '#sdk/domain/errors.ts';
import { createHostility, type HostileRequest } from '../../test/hostile/requests.ts';
import type { Server } from '../server.ts';
import type { Fault } from '../world.ts';

const slowSockets = 40;

/** Half of them send their request a byte at a time, half never read what they asked for. */
export const slowClients: Fault = async ({ setup }, { random }) => {
  const server = random.pick([...setup.sites, ...setup.gateways]);
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

const flooders = 6;

/** Requests made from the server's own contract, with something wrong in nearly all of them. */
export const badInput: Fault = async ({ setup, journal }, { random }) => {
  const server = random.pick([...setup.sites, ...setup.gateways]);
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
