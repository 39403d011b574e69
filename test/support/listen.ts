// Servers of tests, on loopback and any free port.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Its address without a scheme, its url, and its end, which cuts all connections. */
export async function listen(server: Server | SecureServer) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { host, url: `http://${host}`, close };
}

export const serve = (listener: RequestListener) => listen(createServer(listener));
