// Svc-At-Least-Block: a client that has seen a block, or sent a transaction, asks for an answer from that block or a later one. A replica that is a
// little behind waits for it, and one that stays behind says so.
import { SvcError } from '@svc/sdk/domain';
import { pollUntil } from '@svc/sdk/internal/domain/backoff';
import type { FastifyReply, FastifyRequest } from 'fastify';

const header = 'svc-at-least-block';
/** As long as a block of Base takes. */
const patienceMs = 2_000;
const lookEveryMs = 50;
/** Anyone may ask for a block that never comes: more than these are refused at once. */
const maxWaiting = 200;

/** The block that an answer must show at least; 0 where any will do. */
export function askedBlock({ headers }: Pick<FastifyRequest, 'headers'>): bigint {
  return BigInt(String(headers[header] ?? 0));
}

type Shown = { readonly head: { readonly number: bigint } };

export function createBlockWait({ state }: { readonly state: () => Shown | null }) {
  let waiting = 0;

  async function wait(block: number): Promise<void> {
    const isShown = () => Number(state()?.head.number ?? -1) >= block || undefined;
    if (isShown()) return;
    if (waiting < maxWaiting) {
      waiting++;
      const options = { everyMs: lookEveryMs, timeoutMs: patienceMs };
      const found = await pollUntil(async () => isShown(), options).finally(() => waiting--);
      if (found) return;
    }
    throw new SvcError('BLOCK_NOT_REACHED', { block: String(block) });
  }

  return ({ headers }: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const asked = headers[header];
    if (asked === undefined) done();
    else if (!/^[0-9]{1,15}$/.test(String(asked))) done(new SvcError('REQUEST_MALFORMED', {}));
    else wait(Number(asked)).then(() => done(), done);
  };
}
