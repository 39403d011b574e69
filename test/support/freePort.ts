// A port that nobody listens on now, for servers that must come back at the same address.
import { createServer } from 'node:net';

/**
 * Below those that a system gives to outgoing connections (from 32,768 on): a port of theirs may be in use again by the
 * time the server comes for it.
 */
const lowest = 15_000;
const highest = 32_000;

export async function findFreePort(): Promise<number> {
  const port = lowest + Math.floor(Math.random() * (highest - lowest));
  return (await isFree(port)) ? port : findFreePort();
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
