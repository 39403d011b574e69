// Lets a server end: what is under way is finished, what is idle goes at once, what never ends is cut off.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Who still reads or sends after this long does not hold up a stop. */
const graceMs = 10_000;
const sweepMs = 20;

export function createStopping(server: Server): { readonly begin: () => void } {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  /** Node counts a connection as idle after its first request only; browsers open some without ever sending one. */
  function sweep(): void {
    server.closeIdleConnections();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  return {
    begin: () => {
      if (!server.listening) return;
      sweep();
      // A connection becomes idle when its answer is out, which may be after the first look.
      const sweeping = setInterval(sweep, sweepMs);
      const cutting = setTimeout(() => server.closeAllConnections(), graceMs);
      server.once('close', () => {
        clearInterval(sweeping);
        clearTimeout(cutting);
      });
    },
  };
}
