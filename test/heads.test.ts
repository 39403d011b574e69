// Proves the subscription to new blocks: it reconnects after a lost, silent or refused connection.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { afterEach, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { watchHeads } from '#service/chain/heads.ts';
import { listen, serve } from './support/listen.ts';
import { until } from './support/until.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Heads = { readonly url: string; readonly subscriptions: WebSocket[]; readonly sendBlock: () => void };

/** A node that records its subscriptions and announces a block on request. */
async function startNode(): Promise<Heads> {
  const subscriptions: WebSocket[] = [];
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      if (String(data).includes('newHeads')) subscriptions.push(socket);
    });
  });
  const { url, close } = await listen(server);
  closing.push(close, () => {
    for (const socket of sockets.clients) socket.terminate();
  });
  return {
    url,
    subscriptions,
    sendBlock: () => {
      const message = {
        jsonrpc: '2.0',
        method: 'eth_subscription',
        params: { subscription: '0x1', result: {} },
      };
      subscriptions.at(-1)?.send(JSON.stringify(message));
    },
  };
}

function watch(rpcUrls: readonly string[], silenceMs?: number): { heads: number } {
  const counted = { heads: 0 };
  const onHead = () => counted.heads++;
  closing.push(watchHeads({ rpcUrls, onHead, ...(silenceMs !== undefined && { silenceMs }) }));
  return counted;
}

test('it calls once connected and once for each block; a lost connection is opened again', async () => {
  const node = await startNode();
  const counted = watch([node.url]);
  await until(() => node.subscriptions.length === 1);
  assert.equal(counted.heads, 1);
  node.sendBlock();
  await until(() => counted.heads === 2);
  node.subscriptions[0]?.terminate();
  await until(() => node.subscriptions.length === 2);
  assert.equal(counted.heads, 3);
  node.sendBlock();
  await until(() => counted.heads === 4);
});

test('a silent subscription is replaced', async () => {
  const node = await startNode();
  watch([node.url], 100);
  await until(() => node.subscriptions.length >= 3);
});

test('when the first endpoint has no subscriptions, the next one is tried', async () => {
  const { url, close } = await serve((_, response) => response.writeHead(405).end());
  closing.push(close);
  const node = await startNode();
  const counted = watch([url, node.url]);
  await until(() => node.subscriptions.length === 1);
  node.sendBlock();
  await until(() => counted.heads === 2);
});

test('once stopped it neither calls nor connects', async () => {
  const node = await startNode();
  let heads = 0;
  const stop = watchHeads({ rpcUrls: [node.url], onHead: () => heads++, silenceMs: 50 });
  await until(() => node.subscriptions.length > 0);
  stop();
  // A silent one may have been replaced before; what was on its way then has arrived once its connection is closed.
  await until(() => node.subscriptions.every(({ readyState }) => readyState === WebSocket.CLOSED));
  const before = [node.subscriptions.length, heads];
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.deepEqual([node.subscriptions.length, heads], before);
});
