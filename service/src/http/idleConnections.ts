// Closes connections on which nothing has moved for long. Node's own clock for that is wound up anew for each request,
// which costs as much as finding the answer; here all connections are looked at now and then.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Longer than the minute after which most proxies drop an idle connection: the one who drops must not be us. */
const idleMs = 72_000;

type Traffic = { bytes: number; since: number };

export function closeIdleConnections(server: Server, idleAfterMs = idleMs): void {
  const connections = new Map<Socket, Traffic>();

  function look(): void {
    const now = performance.now();
    for (const [socket, seen] of connections) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (bytes !== seen.bytes) connections.set(socket, { bytes, since: now });
      else if (now - seen.since >= idleAfterMs) socket.destroy();
    }
  }

  server.on('connection', (socket) => {
    connections.set(socket, { bytes: 0, since: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('listening', () => {
    const looking = setInterval(look, idleAfterMs / 8).unref();
    server.once('close', () => clearInterval(looking));
  });
}
