// /v1/requests: what a tool asks of a wallet, and what its owner decided.

import { SvcError } from '@svc/sdk/domain';
import { approvalTokenHeader } from '@svc/sdk/internal/domain/approvalLink';
import { createRequestSchema, requestResultSchema } from '@svc/sdk/internal/schemas/walletRequest';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { gatewayRoutes } from '../../contract/apis.ts';
import type { RequestService } from '../../requests/requestService.ts';
import { registerGet } from '../app.ts';
import { createRateLimit } from '../rateLimit.ts';
import { parseBody } from '../requestFields.ts';
import { readRequestId } from '../requestKey.ts';
import { findSession, type SessionRoutes } from './callRoute.ts';

export type RequestRoutes = SessionRoutes & {
  /** The host name that was configured to listen on. */
  readonly host: string;
  /** Where the gateway is reached. */
  readonly publicUrl: () => string;
  readonly requests: RequestService;
  readonly takeRoom: TakeRoom;
  /** Of one client. */
  readonly writesPerMinute: number;
};

const roomUnit = 4_096;

export type TakeRoom = ReturnType<typeof createRequestRoom>;

/** Requests are kept for a day, so their bytes have a limit as well: 2 MB a minute for a client, and 20 MB for all. */
export function createRequestRoom() {
  const room = createRateLimit({ name: 'request-room', limit: 512, total: { limit: 5_120, quiet: 32 } });
  return ({ ip }: FastifyRequest, reply: FastifyReply, bytes: number): void =>
    room.take(ip, reply, Math.ceil(bytes / roomUnit));
}

type WithId = { readonly Params: { readonly id: string } };

export function registerRequestRoutes(app: FastifyInstance, options: RequestRoutes): void {
  const { requests, sessions, takeRoom, writesPerMinute } = options;
  const writes = createRateLimit({ name: 'writes', limit: writesPerMinute });
  const onRequest = createOriginGuard(options);

  app.post(gatewayRoutes.createRequest.path, { onRequest }, async (request, reply) => {
    writes.take(request.ip, reply);
    const given = parseBody(createRequestSchema, request.body);
    takeRoom(request, reply, JSON.stringify(given).length);
    const filer = (await findSession(sessions, request))?.wallet ?? null;
    const id = readRequestId(request);
    const { requestId, status, expiresAt } = await requests.create(given, id, { filer });
    return reply.status(201).send({ requestId, approvalUrl: requests.linkOf(requestId), status, expiresAt });
  });

  registerGet(
    app,
    gatewayRoutes.request.path,
    ({ params }) => requests.get((params as WithId['Params']).id),
    { crossOrigin: 'none' },
  );

  app.post<WithId>(gatewayRoutes.requestResult.path, { onRequest }, async (request, reply) => {
    writes.take(request.ip, reply);
    const result = parseBody(requestResultSchema, request.body);
    const session = await findSession(sessions, request);
    const proof = { token: readToken(request), wallet: session?.wallet ?? null };
    return requests.decide(request.params.id, result, proof);
  });
}

function readToken({ headers }: FastifyRequest): string | null {
  const given = headers[approvalTokenHeader.toLowerCase()];
  return typeof given === 'string' ? given : null;
}

/**
 * A page elsewhere cannot read what we answer, but it could make a browser send. Its Origin gives it away; and where it
 * lets its own name point here (DNS rebinding), so that its Origin is ours, its Host does.
 */
function createOriginGuard({ host, publicUrl }: Pick<RequestRoutes, 'host' | 'publicUrl'>) {
  return async ({ headers }: FastifyRequest): Promise<void> => {
    const own = new URL(publicUrl());
    const names = ['localhost', '127.0.0.1', '[::1]', host, `[${host}]`, own.hostname];
    const asked = headers.host === undefined ? null : URL.parse(`http://${headers.host}`);
    const isOwnHost = asked !== null && names.includes(asked.hostname);
    const { origin } = headers;
    const isOwnOrigin = origin === undefined || origin === own.origin || origin === asked?.origin;
    if (!isOwnHost || !isOwnOrigin) throw new SvcError('ORIGIN_FOREIGN', {});
  };
}
