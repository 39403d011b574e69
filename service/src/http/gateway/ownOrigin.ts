// Keeps pages of other sites from writing: the guard of routes that change something on behalf of this machine's owner.

import { SvcError } from '@svc/sdk/domain';
import type { FastifyRequest } from 'fastify';

export type OwnOrigin = {
  /** The host name that was configured to listen on. */
  readonly host: string;
  /** Where the gateway is reached. */
  readonly publicUrl: () => string;
};

/**
 * A page elsewhere cannot read what we answer, but it could make a browser send. Its Origin gives it away; and where it
 * lets its own name point here (DNS rebinding), so that its Origin is ours, its Host does.
 */
export function createOriginGuard({ host, publicUrl }: OwnOrigin) {
  return async ({ headers }: FastifyRequest): Promise<void> => {
    const own = new URL(publicUrl());
    const names = ['localhost', '127.0.0.1', '[::1]', host, `[${host}]`, own.hostname];
    const asked = parseHost(headers.host);
    const isOwnHost = asked !== null && names.includes(asked.hostname);
    const { origin } = headers;
    const isOwnOrigin = origin === undefined || origin === own.origin || origin === asked?.origin;
    if (!isOwnHost || !isOwnOrigin) throw new SvcError('ORIGIN_FOREIGN', {});
  };
}

function parseHost(host: string | undefined): URL | null {
  return host === undefined ? null : URL.parse(`http://${host}`);
}
