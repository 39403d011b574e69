// Proves the RPC pool: it uses only endpoints of the right chain, fails over to the next one, and leaks no credentials.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createRpc, type Rpc, type RpcOptions } from '#sdk/chain/rpc.ts';
import { isTimeout } from '#sdk/chain/rpcEndpoint.ts';
import { blockAt, callLatest, latestBlock, logsBetween } from '#sdk/chain/rpcRequests.ts';
import { SvcError } from '#sdk/domain/errors.ts';
import { buildStubBlock, type RpcStub, sendJson, startRpcStub, stubChain } from './support/rpcStub.ts';
import { until } from './support/until.ts';

const opened: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function stub(results?: Readonly<Record<string, unknown>>): Promise<RpcStub> {
  const started = await startRpcStub(results);
  opened.push(started);
  return started;
}

function connect(urls: readonly string[], options: Partial<RpcOptions> = {}): Rpc {
  const rpc = createRpc({ urls, ...stubChain, rounds: 2, ...options });
  opened.push(rpc);
  return rpc;
}

const genesis = buildStubBlock(0, stubChain.genesisHash);
const ask = { to: `0x${'11'.repeat(20)}`, data: '0x' } as const;
const [unreachable, refused] = [{ code: 'CHAIN_UNREACHABLE' }, { code: 'CHAIN_REFUSED' }];

test('an endpoint proves its chain with its first answer, and again when it is distrusted', async () => {
  const node = await stub({ eth_call: '0x01' });
  const rpc = connect([node.url]);
  await rpc.callLatest(ask);
  await rpc.callLatest(ask);
  assert.deepEqual(node.methods(), ['eth_chainId', 'eth_getBlockByNumber', 'eth_call', 'eth_call']);
  assert.equal(node.requests.length, 2);
  rpc.distrust();
  await rpc.callLatest(ask);
  assert.deepEqual(node.methods().slice(4), ['eth_chainId', 'eth_getBlockByNumber', 'eth_call']);
});

test('a refusal from another chain does not count', async () => {
  const liar = await stub({ eth_chainId: '0x1' });
  const honest = await stub({ eth_call: '0x01' });
  liar.behave(({ calls }, response) =>
    sendJson(
      response,
      calls.map(({ id, method }) =>
        method === 'eth_chainId' ? { id, result: '0x1' } : { id, error: { code: 3, message: 'reverted' } },
      ),
    ),
  );
  assert.equal(await connect([liar.url, honest.url]).callLatest(ask), '0x01');
});

for (const [what, lie] of Object.entries({
  'another chain': { eth_chainId: '0x1' },
  'another chain with the same id': { eth_getBlockByNumber: buildStubBlock(0, `0x${'cd'.repeat(32)}`) },
  'no chain id': { eth_chainId: null },
  'no genesis block': { eth_getBlockByNumber: null },
})) {
  test(`an endpoint of ${what} is never used, and the next one is asked`, async () => {
    const liar = await stub({ ...lie, eth_call: '0x0bad' });
    const honest = await stub({ eth_call: '0x01' });
    const errors: string[] = [];
    const rpc = connect([liar.url, honest.url], { onError: (name) => errors.push(name) });
    assert.equal(await rpc.callLatest(ask), '0x01');
    assert.deepEqual(errors, [new URL(liar.url).host]);
    await assert.rejects(connect([liar.url]).callLatest(ask), unreachable);
  });
}

test('what is no bytes is no answer to a call, and the next endpoint is asked', async () => {
  for (const result of [null, 7, '0x123', 'latest', []]) {
    const [broken, honest] = [await stub({ eth_call: result }), await stub({ eth_call: '0x0102' })];
    const rpc = connect([broken.url, honest.url]);
    assert.equal(await rpc.callLatest(ask), '0x0102', String(result));
    assert.deepEqual([rpc.stats.errors, rpc.stats.failovers], [1, 1], String(result));
  }
});

test('malformed logs, and logs of other blocks, are refused', async () => {
  const log = {
    address: `0x${'11'.repeat(20)}`,
    topics: [],
    data: '0x',
    blockNumber: '0x5',
    blockHash: `0x${'22'.repeat(32)}`,
    transactionHash: `0x${'33'.repeat(32)}`,
    logIndex: '0x0',
  };
  const node = await stub({ eth_getLogs: [log] });
  const rpc = connect([node.url], { rounds: 1 });
  const [found] = await rpc.ask(logsBetween([], 5n, 5n));
  assert.deepEqual([found?.blockNumber, found?.blockTime, found?.logIndex], [5n, null, 0]);
  await assert.rejects(rpc.ask(logsBetween([], 6n, 9n)), unreachable);
  const wrongs = [
    { removed: true },
    { blockHash: null },
    { topics: '0x' },
    { address: '0x11' },
    { data: null },
  ];
  for (const wrong of wrongs) {
    const liar = await stub({ eth_getLogs: [{ ...log, ...wrong }] });
    const asking = connect([liar.url], { rounds: 1 }).ask(logsBetween([], 5n, 5n));
    await assert.rejects(asking, unreachable, JSON.stringify(wrong));
  }
});

test('a block with another number is refused; a block beyond the end of the chain is null', async () => {
  const node = await stub();
  const rpc = connect([node.url], { rounds: 1 });
  await assert.rejects(rpc.ask(blockAt(7n)), unreachable);
  node.behave(({ calls, isBatch }, response) => {
    const answers = calls.map(({ id, method, params }) => ({
      id,
      result: method === 'eth_chainId' ? '0x2105' : params[0] === '0x0' ? genesis : null,
    }));
    return sendJson(response, isBatch ? answers : answers[0]);
  });
  assert.equal(await rpc.ask(blockAt(7n)), null);
  await assert.rejects(rpc.ask(latestBlock()), unreachable, 'there is always a latest one');
});

const refusals: Record<string, (response: Parameters<typeof sendJson>[0], calls: number) => boolean> = {
  'an error object': (response) =>
    sendJson(response, { id: null, error: { code: -32600, message: 'no batches' } }),
  'status 400': (response) => sendJson(response, { message: 'Bad Request' }, 400),
  'status 413 beyond three calls': (response, calls) => calls > 3 && sendJson(response, {}, 413),
};
test('where batches are refused, smaller ones or single calls give the same answers', async () => {
  for (const [what, refuse] of Object.entries(refusals)) {
    const node = await stub({ eth_call: '0x01' });
    node.behave(({ calls, isBatch }, response) => isBatch && refuse(response, calls.length));
    const rpc = connect([node.url], { rounds: 1 });
    const answers = await rpc.askAll(Array.from({ length: 30 }, () => callLatest(ask)));
    assert.deepEqual(answers, Array(30).fill('0x01'), what);
    const before = node.requests.length;
    await rpc.askAll([callLatest(ask), callLatest(ask)]);
    assert.ok(node.requests.length - before <= 2, 'what was learnt is not tried again');
  }
});

test('a batch with a missing answer fails', async () => {
  const node = await stub({ eth_call: '0x01' });
  const rpc = connect([node.url], { rounds: 1 });
  await rpc.callLatest(ask);
  node.behave(({ calls }, response) => sendJson(response, [{ id: calls[0]?.id, result: '0x01' }]));
  await assert.rejects(rpc.askAll([callLatest(ask), callLatest(ask)]), unreachable);
});

test('a refusal by the chain is not retried at another endpoint, and carries the revert data', async () => {
  const [node, other] = [await stub(), await stub({ eth_call: '0x01' })];
  const rpc = connect([node.url, other.url]);
  await rpc.ask(blockAt(0n));
  node.behave(({ calls }, response) =>
    sendJson(response, {
      id: calls[0]?.id,
      error: { code: 3, message: 'execution reverted', data: '0xdead' },
    }),
  );
  const { code, details } = await rpc.callLatest(ask).catch((error) => error);
  assert.deepEqual([code, details.data], ['CHAIN_REFUSED', '0xdead']);
  assert.equal(other.requests.length, 0);
});

test('an endpoint that asks for a pause is skipped for that long, and is then preferred again', async () => {
  for (const [seconds, isLong] of [
    ['60', true],
    ['1', false],
  ] as const) {
    const [busy, other] = [await stub({ eth_call: '0x01' }), await stub({ eth_call: '0x02' })];
    let isBusy = true;
    busy.behave((_, response) => {
      if (!isBusy) return false;
      response.writeHead(429, { 'retry-after': seconds }).end('slow down');
      return true;
    });
    const rpc = connect([busy.url, other.url]);
    assert.equal(await rpc.callLatest(ask), '0x02');
    isBusy = false;
    if (isLong) assert.equal(await rpc.callLatest(ask), '0x02', 'it still rests');
    else await until(async () => (await rpc.callLatest(ask)) === '0x01');
    assert.equal(busy.requests.length, isLong ? 1 : 2);
  }
});

/** Answers with 300 MB, as fast as they are read; returns how many of them were sent. */
function flood(node: RpcStub, headers: Readonly<Record<string, number>> = {}): () => number {
  const part = 'x'.repeat(1024 * 1024);
  let sent = 0;
  node.behave((_, response) => {
    response.writeHead(200, headers);
    const write = (): unknown => {
      while (sent++ < 300 && !response.destroyed)
        if (!response.write(part)) return response.once('drain', write);
      return response.end();
    };
    write();
    return true;
  });
  return () => sent;
}

test('an answer of 300 MB is cut off: the next endpoint is asked, or for fewer blocks of logs', async () => {
  const [node, other] = [await stub(), await stub({ eth_call: '0x02', eth_getLogs: [] })];
  const [rpc, second] = [
    connect([node.url, other.url], { timeoutMs: 60_000 }),
    connect([node.url, other.url]),
  ];
  const countChunked = flood(node);
  assert.equal(await rpc.callLatest(ask), '0x02');
  assert.ok(countChunked() < 40, `${countChunked()} MB were sent`);
  const countSent = flood(node, { 'content-length': 300 * 1024 * 1024 });
  await assert.rejects(second.ask(logsBetween([], 5n, 9n)), refused);
  assert.deepEqual(await connect([node.url, other.url]).ask(logsBetween([], 5n, 5n)), []);
  assert.ok(countSent() < 40, `${countSent()} MB were sent`);
});

test('answers that are large together are cut off too, and memory is free again afterwards', async () => {
  const node = await stub({ eth_getLogs: [] });
  const rpc = connect([node.url], { rounds: 1, timeoutMs: 60_000 });
  await rpc.ask(logsBetween([], 1n, 1n));
  const part = ' '.repeat(1024 * 1024);
  const waiting: (() => void)[] = [];
  // Each has less than one answer may have, and none ends before all of them were sent.
  node.behave(({ calls: [call] }, response) => {
    for (let sent = 0; sent < 40; sent++) response.write(part);
    waiting.push(() => response.end(`{"jsonrpc":"2.0","id":${call?.id},"result":[]}`));
    return true;
  });
  const asked = [1n, 2n, 3n].map((block) => rpc.ask(logsBetween([], block, block + 1n)));
  const outcomes = Promise.allSettled(asked);
  await until(() => waiting.length === 3);
  await Promise.race(asked.map((one) => one.catch(() => undefined)));
  for (const end of waiting) end();
  const failed = (await outcomes).filter(({ status }) => status === 'rejected');
  assert.ok(failed.length >= 1, 'three times 40 MB are more than 96');
  for (const one of failed) assert.equal((one as PromiseRejectedResult).reason.code, refused.code);
  node.behave(() => false);
  assert.deepEqual(await rpc.ask(logsBetween([], 4n, 4n)), []);
});

test('an answer that drips is given up, and the next endpoint is asked', async () => {
  const [node, other] = [await stub(), await stub({ eth_call: '0x02' })];
  node.behave((_, response) => {
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
    return true;
  });
  const errors: Error[] = [];
  const onError = (_: string, error: Error) => errors.push(error);
  // On a busy machine the honest one may be late as well, and is asked again.
  const rpc = connect([node.url, other.url], { timeoutMs: 300, rounds: 1_000, onError });
  assert.equal(await rpc.callLatest(ask), '0x02');
  assert.ok(errors.length > 0 && errors.every(isTimeout), errors.join());
});

test('interrupted answers, redirects, and answers that are not JSON or JSON-RPC are failures', async () => {
  const node = await stub({ eth_call: '0x01' });
  const rpc = connect([node.url], { rounds: 1 });
  const faults: ((response: Parameters<typeof sendJson>[0]) => unknown)[] = [
    (response) =>
      response.writeHead(200, { 'content-length': 100 }).write('{"id":1', () => response.destroy()),
    (response) => response.end('<html>'),
    (response) => response.end('{}'),
    (response) => response.end('null'),
    (response) => response.writeHead(502).end('bad gateway'),
    (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
    (response) => response.destroy(),
  ];
  for (const fault of faults) {
    node.behave((_, response) => {
      fault(response);
      return true;
    });
    await assert.rejects(rpc.callLatest(ask), unreachable);
    node.behave(() => false);
    assert.equal(await rpc.callLatest(ask), '0x01', 'it comes back');
  }
});

test('no message contains the user name, the password, the path or the query of an endpoint', async () => {
  const node = await stub({ eth_chainId: '0x1' });
  const secret = node.url.replace('http://', 'http://alice:s3cret@').concat('/v2/k3y?token=t0ken');
  const told: string[] = [];
  const rpc = connect([secret, 'http://bob:hidden@127.0.0.1:1/k3y'], {
    onError: (name, error) => told.push(name, String(error), error.stack ?? ''),
  });
  const error = await rpc.callLatest(ask).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof SvcError && error.code === 'CHAIN_UNREACHABLE');
  const everything = [...told, error.message, JSON.stringify(error.details), String(error.cause)].join('\n');
  assert.doesNotMatch(everything, /alice|s3cret|k3y|t0ken|bob|hidden/);
  const basic = `Basic ${Buffer.from('alice:s3cret').toString('base64')}`;
  assert.equal(node.requests[0]?.headers.authorization, basic, 'the endpoint itself gets them');
});

test('closing cancels pending requests', async () => {
  const silent = await stub();
  silent.behave(() => true);
  const rpc = connect([silent.url], { timeoutMs: 3_600_000 });
  const answer = rpc.callLatest(ask);
  await until(() => silent.requests.length > 0);
  rpc.close();
  await assert.rejects(answer);
});
