// Uploads that hold their places. They break nothing, so they explain no failure of anybody else's request.

import { hash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { bearer, openMailbox } from '../moves/mailing.ts';
import type { Person } from '../people.ts';
import type { Server } from '../server.ts';
import type { Fault } from '../world.ts';
import { wasBusy } from './floods.ts';

/** As many as a wallet has; those of six wallets leave a few of a gateway. */
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
  // They never stand still.
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
