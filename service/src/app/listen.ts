// Makes a server listen, on the next free port where that is wanted, and tells where it is reached.
import type { AddressInfo } from 'node:net';
import { SvcError } from '@svc/sdk/domain';
import type { FastifyInstance } from 'fastify';

export type ListenOptions = {
  /** What listens, for the sentence that says that it cannot. */
  readonly server: 'site' | 'gateway';
  readonly host: string;
  /** 0 leaves the choice to the system. */
  readonly port: number;
  /** How many ports are tried, from that one on. */
  readonly portsTried: number;
};

export async function listenOnFree(app: FastifyInstance, options: ListenOptions): Promise<void> {
  const { server, host, port, portsTried } = options;
  const last = port === 0 ? 0 : Math.min(port + portsTried - 1, 65_535);
  for (let tried = port; ; tried++) {
    try {
      return void (await app.listen({ host, port: tried }));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE' && tried < last) continue;
      throw new SvcError(
        'SERVER_CANNOT_LISTEN',
        { server, host, port: String(tried), reason: message },
        error,
      );
    }
  }
}

export function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port;
}

/** Where a client on this machine reaches the server: an address that stands for all is none to connect to. */
export function urlOf(app: FastifyInstance, host: string): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${portOf(app)}`;
}
