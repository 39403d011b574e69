// Wallet requests on both databases: kept by chain, changed by comparison, ended by the clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '#sdk/domain/address.ts';
import { splitApprovalUrl } from '#sdk/domain/approvalLink.ts';
import { createRequestSchema } from '#sdk/schemas/walletRequest.ts';
import type { CallsOutcome } from '#sdk/send/callsOutcome.ts';
import { createRequestService, type RequestServiceOptions } from '#service/requests/requestService.ts';
import type { Database } from '#service/store/database.ts';
import { createRequestStore } from '#service/store/requests.ts';
import { onBothDatabases } from '../support/databases.ts';

const body = createRequestSchema.parse({
  kind: 'calls',
  action: 'claim-task',
  summary: 'Claim a task',
  chainId: 8453,
  from: `0x${'1'.repeat(40)}`,
  calls: [{ to: `0x${'2'.repeat(40)}`, value: '0x0', data: '0x1234' }],
});
const transactionHashes = [`0x${'ab'.repeat(32)}` as const];
const owner = { token: null, wallet: body.from as Address };
const day = 86_400;

/** A chain that says what the test wants, and a clock that stands where the test puts it. */
function createRequests(database: Database, changes: Partial<RequestServiceOptions> = {}) {
  const world = { now: 1_000, outcome: { kind: 'waiting' } as CallsOutcome | Error };
  const requests = createRequestService({
    store: createRequestStore(database),
    chain: {
      readOutcome: async () => {
        if (world.outcome instanceof Error) throw world.outcome;
        return world.outcome;
      },
      readSignature: async (_from, _typedData, signature) => signature,
    },
    chainId: 8_453,
    now: () => world.now,
    approvalUrl: (id) => `http://gateway.example/${id}`,
    secret: 'of the gateway',
    ...changes,
  });
  return { requests, world };
}

onBothDatabases(({ create }) => {
  test('an approval link counts while its key does, also at a gateway with the next key', async () => {
    const database = await create();
    const [before, after] = ['of the gateway', 'of its next key'];
    const { requests } = createRequests(database);
    const { requestId } = await requests.create(body);
    const { token } = splitApprovalUrl(requests.linkOf(requestId));
    const decideAt = (changes: Partial<RequestServiceOptions>) =>
      createRequests(database, changes).requests.decide(
        requestId,
        { status: 'rejected' },
        { token, wallet: null },
      );
    await assert.rejects(decideAt({ secret: after }), { code: 'WALLET_REQUEST_NOT_YOURS' });
    await assert.rejects(decideAt({ secret: after, otherSecret: 'guessed' }), {
      code: 'WALLET_REQUEST_NOT_YOURS',
    });
    assert.equal((await decideAt({ secret: after, otherSecret: before })).status, 'rejected');
  });

  test('what nobody asks about is brought up to date all the same', async () => {
    const database = await create();
    const { requests, world } = createRequests(database);
    const ids: string[] = [];
    for (let at = 0; at < 3; at++) ids.push((await requests.create(body)).requestId);
    const [mined = '', lost = '', ignored = ''] = ids;
    for (const id of [mined, lost])
      await requests.decide(id, { status: 'submitted', transactionHashes }, owner);
    const statusOf = async (id: string) => (await createRequestStore(database).loadRequest(id))?.status;
    world.outcome = { kind: 'done' };
    await requests.checkAll(AbortSignal.abort());
    assert.equal(await statusOf(mined), 'submitted', 'nothing is asked once the end has come');
    world.outcome = new Error('the chain is away');
    await requests.checkAll(new AbortController().signal);
    assert.equal(await statusOf(mined), 'submitted');
    world.outcome = { kind: 'done' };
    await requests.get(mined);
    world.outcome = { kind: 'waiting' };
    world.now += day + 1;
    await requests.checkAll(new AbortController().signal);
    assert.deepEqual(await Promise.all(ids.map(statusOf)), ['settled', 'failed', 'expired']);
    assert.equal(await statusOf(ignored), 'expired');
  });

  test('a flood of large requests goes when there is no more room, and what nobody decided an hour after its time', async () => {
    const { requests, world } = createRequests(await create(), { mostBytes: 100_000 });
    const honest = await requests.create(body);
    const large = {
      ...body,
      calls: [{ to: body.from, value: '0x0', data: `0x${'12'.repeat(20_000)}` }],
    } as typeof body;
    for (let count = 0; count < 10; count++) await requests.create(large);
    const { signal } = new AbortController();
    await requests.checkAll(signal);
    assert.ok(
      (requests.taken() ?? 0) > 50_000 && (requests.taken() ?? 0) <= 100_000,
      String(requests.taken()),
    );
    assert.equal((await requests.get(honest.requestId)).status, 'pending');
    world.now += day + 1;
    await requests.checkAll(signal);
    assert.equal((await requests.get(honest.requestId)).status, 'expired');
    world.now += 3_601;
    await requests.checkAll(signal);
    await assert.rejects(requests.get(honest.requestId), { code: 'WALLET_REQUEST_NOT_FOUND' });
    assert.equal(requests.taken(), 0);
  });

  test('of changes to the same state exactly one is made', async () => {
    const database = await create();
    const { requests } = createRequests(database);
    const { requestId } = await requests.create(body);
    const store = createRequestStore(database);
    const before = await store.loadRequest(requestId);
    assert.ok(before !== undefined);
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        store.changeRequest(before, { ...before, status: 'rejected', updatedAt: at }),
      ),
    );
    assert.equal(made.filter(Boolean).length, 1);
  });
});
