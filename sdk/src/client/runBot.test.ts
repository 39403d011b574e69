// Proves that a bot outlives a service that is away, and ends when it is told to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '../domain/errors.ts';
import { runBot } from './runBot.ts';

const address = `0x${'ab'.repeat(20)}` as const;
const taskId = 'v2:standard:1';
type Client = Parameters<typeof runBot>[0];

/** A market with one task of the wallet, whose lists answer as `concerns` does. */
function marketWith(concerns: () => Promise<unknown>): Client {
  const market = {
    events: async function* ({ signal }: { readonly signal: AbortSignal }) {
      yield { type: 'reset', seq: 1 };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    concerns,
    task: async () => ({ task: { id: taskId, state: 'POSTED', poster: address, dispute: null } }),
  };
  return market as unknown as Client;
}

const refused = (status: number) => new SvcError('API_REFUSED', { reason: 'no', status });

test('a list that fails for a while is read again; an abort ends the run', async () => {
  const end = new AbortController();
  let asked = 0;
  const market = marketWith(async () => {
    if (++asked === 1) throw refused(503);
    return { concerns: [{ taskId }], nextCursor: null };
  });
  const seen: string[] = [];
  const handler = async ({ id }: { readonly id: string }) => {
    seen.push(id);
    end.abort();
  };
  await runBot(market, address, 'poster', handler, { signal: end.signal });
  assert.deepEqual(seen, [taskId]);
});

test('an abort while a list is read is no error, and a refusal for good is one', async () => {
  const end = new AbortController();
  const market = marketWith(async () => {
    end.abort();
    throw end.signal.reason;
  });
  await runBot(market, address, 'poster', async () => undefined, { signal: end.signal });
  const wrong = marketWith(() => Promise.reject(refused(400)));
  await assert.rejects(
    runBot(wrong, address, 'poster', async () => undefined, {}),
    { code: 'API_REFUSED' },
  );
});
