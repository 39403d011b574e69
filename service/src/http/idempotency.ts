// Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): reads the header, and sends the one answer of a keyed write.
import { createHash, randomBytes } from 'node:crypto';
import { SvcError } from '@svc/sdk/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyedWrite, KeyedWrites } from '../requests/keyedWrites.ts';
import { jsonType } from './body.ts';
import { statusOf } from './errors.ts';
import { toNetwork } from './rateLimit.ts';

type WriteAnswer<Body extends object = object> = { readonly status: number; readonly body: Body };

type WriteOnce = <Body extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  /** Has the same effect, and no more, when it is called again with the same seed. */
  work: (seed: string) => Promise<WriteAnswer<Body>>,
  options?: WriteOptions<Body>,
) => Promise<FastifyReply>;

type WriteOptions<Body> = {
  /** The wallet of a session; else the network address is the caller. */
  readonly wallet?: string | undefined;
  /** Adds to each answer what the database must not keep. */
  readonly finish?: (body: Body) => object;
};

export type IdempotentRoutes = { readonly writeOnce: WriteOnce };

/** Too long to guess: callers behind one address share a namespace. */
const keyShape = /^[\x21\x23-\x5b\x5d-\x7e]{16,128}$/;
const seedBytes = 16;

export function createWriteOnce(writes: KeyedWrites): WriteOnce {
  return async (request, reply, work, { wallet, finish } = {}) => {
    const run = async (seed: string) => {
      const { status, body } = await work(seed);
      return { status, body: JSON.stringify(body) };
    };
    const send = (status: number, body: string) =>
      reply
        .status(status)
        .type(jsonType)
        .send(finish === undefined ? body : JSON.stringify(finish(JSON.parse(body))));
    const key = readKey(request);
    if (key === null) {
      const { status, body } = await run(randomBytes(seedBytes).toString('base64url'));
      return send(status, body);
    }
    const write = describeWrite(request, key, wallet);
    const { status, body, isReplay } = await writes.run(write, run, isRefusal);
    if (isReplay) reply.header('Idempotent-Replayed', 'true');
    return send(status, body);
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof SvcError && statusOf(error.code) < 500;
}

/** With the quotes of the draft, or without, as most clients send it. Throws IDEMPOTENCY_KEY_INVALID. */
function readKey({ headers }: FastifyRequest): string | null {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  const [, quoted] = /^"(.*)"$/.exec(String(given)) ?? [];
  const key = quoted ?? String(given);
  if (!keyShape.test(key)) throw new SvcError('IDEMPOTENCY_KEY_INVALID', {});
  return key;
}

/** Hashed: a stolen database shows neither keys nor addresses. */
function describeWrite(request: FastifyRequest, key: string, wallet: string | undefined): KeyedWrite {
  const { method, url, body, routeOptions } = request;
  const caller = digest(wallet === undefined ? `address ${toNetwork(request.ip)}` : `wallet ${wallet}`);
  const content = Buffer.isBuffer(body) ? body : JSON.stringify(body ?? null);
  return {
    id: digest(`${method} ${routeOptions.url} ${caller} ${key}`),
    caller,
    fingerprint: digest(`${method} ${url}\n`, content),
  };
}

function digest(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url');
}
