// Proves that the JSON-RPC server speaks the protocol as the nodes of real chains do, over HTTP and WebSocket.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { after, before, test } from 'node:test';
import { createPublicClient, encodeFunctionData, http } from 'viem';
import { testUsdcAbi } from '#contracts/generated/abi/testUsdc.ts';
import { findRevert } from '#sdk/chain/revert.ts';
import { accountOf, accounts } from '#service/devnet/accounts.ts';
import { placeCanonicalContracts, usdcAddress } from '#service/devnet/canonical.ts';
import { createEvm, type Evm } from '#service/devnet/evm.ts';
import { createRpcServer, type RpcServer } from '#service/devnet/rpcServer.ts';

let evm: Evm;
let server: RpcServer;
let url: string;
before(async () => {
  evm = await createEvm({ chainId: 8453, genesisTime: 1_700_000_000, accounts });
  await placeCanonicalContracts(evm);
  server = await createRpcServer(evm, { host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${server.port}`;
});
after(() => server.close());

test('a call nested 30,000 deep is refused, and the next one answered', async () => {
  const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  for (const field of ['id', 'params', 'method']) {
    const body = `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","${field}":${nested}}`;
    for (const sent of [body, `[${body}]`, nested])
      assert.equal((await fetch(url, { method: 'POST', body: sent })).status, 400, field);
  }
  assert.equal((await post('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}')).result, '0x2105');
});

// biome-ignore lint/suspicious/noExplicitAny: the answers of a chain have many shapes
async function post(body: string): Promise<any> {
  return (await fetch(url, { method: 'POST', body })).json();
}

test('of web pages only those of the market may call it, under none of the names that a page can choose', async () => {
  server.allowPages(['http://127.0.0.1:4020']);
  const blockNumber = () => evm.request({ method: 'eth_blockNumber' });
  const before = await blockNumber();
  for (const headers of [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:4021' },
    { Origin: 'https://127.0.0.1:4020' },
    { Origin: 'http://127.0.0.1:4020.evil.example' },
    { Host: 'evil.example:8545' },
    { Host: '127.0.0.1.evil.example' },
    { Host: 'evil.example:8545', Origin: 'http://127.0.0.1:4020' },
  ]) {
    const name = JSON.stringify(headers);
    for (const method of ['POST', 'OPTIONS', 'GET']) {
      const answer = await send(method, headers);
      assert.equal(answer.statusCode, 403, `${method} ${name}`);
      assert.equal(answer.headers['access-control-allow-origin'], undefined, name);
    }
    assert.equal(await upgrade(headers), 403, name);
  }
  assert.equal(await blockNumber(), before, 'nothing was mined');
  for (const origin of [
    'http://127.0.0.1:4020',
    'http://localhost:4020',
    'http://[::1]:4020',
    'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn',
  ]) {
    const preflight = await send('OPTIONS', { Origin: origin });
    assert.deepEqual([preflight.statusCode, preflight.headers['access-control-allow-origin']], [204, origin]);
    assert.equal((await send('POST', { Origin: origin })).statusCode, 200);
    assert.equal(await upgrade({ Origin: origin }), 101);
  }
  for (const host of ['localhost:8545', 'LOCALHOST', '[::1]:8545'])
    assert.equal((await send('POST', { Host: host })).statusCode, 200, host);
});

type Headers = Readonly<Record<string, string>>;

/** As a browser could: `fetch` does not let a program set these headers. */
function send(method: string, headers: Headers): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (answer) => resolve(answer.resume()))
      .on('error', reject)
      .end(method === 'POST' ? '{"id":1,"method":"evm_mine"}' : undefined);
  });
}

function upgrade(headers: Headers): Promise<number | undefined> {
  const key = randomBytes(16).toString('base64');
  const wanted = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': key,
  };
  return new Promise((resolve, reject) => {
    request(url, { headers: { ...wanted, ...headers } }, (answer) => resolve(answer.resume().statusCode))
      .on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        resolve(statusCode);
      })
      .on('error', reject)
      .end();
  });
}

test('a body above the limit is refused and the server keeps running', async () => {
  const body = Buffer.alloc(17 * 1024 * 1024, 0x20);
  // A client that is still sending may see the connection end before it sees the answer.
  const status = await fetch(url, { method: 'POST', body }).then(
    (response) => response.status,
    () => 'hung up',
  );
  assert.ok(status === 413 || status === 'hung up', `answered ${status}`);
  assert.equal((await post('{"id":1,"method":"eth_chainId"}')).result, '0x2105');
});

test('a revert carries its data as hex under code 3', async () => {
  const { address } = accountOf('visitor');
  const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'transfer', args: [address, 5n] });
  const call = { from: address, to: usdcAddress, data };
  for (const method of ['eth_call', 'eth_estimateGas']) {
    const { error } = await post(JSON.stringify({ id: 1, method, params: [call, 'latest'] }));
    assert.deepEqual([error.code, error.message], [3, 'execution reverted']);
    assert.match(error.data, /^0xe450d38c/);
  }
  const client = createPublicClient({ transport: http(url) });
  const error = await client.call({ account: address, to: usdcAddress, data }).catch((reason) => reason);
  assert.equal(findRevert(error)?.name, 'ERC20InsufficientBalance');
});

test('a socket receives only its own subscriptions, until it cancels them', async () => {
  const [one, two] = await Promise.all([openSocket(), openSocket()]);
  const subscription = await one.ask('eth_subscribe', ['newHeads']);
  await evm.request({ method: 'evm_mine' });
  const heard = await one.next();
  assert.equal(heard.method, 'eth_subscription');
  assert.equal(heard.params.subscription, subscription);
  assert.match(heard.params.result.number, /^0x/);
  assert.equal(await one.ask('eth_unsubscribe', [subscription]), true);
  await evm.request({ method: 'evm_mine' });
  // An answer comes after whatever was sent before it, so nothing else was.
  assert.equal(await one.ask('eth_chainId', []), '0x2105');
  assert.equal(await two.ask('eth_chainId', []), '0x2105');
  one.close();
  two.close();
});

/** Asks one thing at a time; whatever comes unasked waits in a queue. */
async function openSocket() {
  const socket = new WebSocket(url.replace('http', 'ws'));
  const queue: { id?: number; method?: string; result?: unknown; params?: unknown }[] = [];
  const waiting: (() => void)[] = [];
  socket.addEventListener('message', ({ data }) => {
    queue.push(JSON.parse(data));
    waiting.shift()?.();
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  // biome-ignore lint/suspicious/noExplicitAny: the answers of a chain have many shapes
  const next = async (): Promise<any> => {
    if (queue.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    return queue.shift();
  };
  return {
    next,
    ask: async (method: string, params: unknown[]) => {
      socket.send(JSON.stringify({ id: 1, method, params }));
      const answer = await next();
      assert.equal(answer.id, 1, `${method} is answered next`);
      return answer.result;
    },
    close: () => socket.close(),
  };
}
