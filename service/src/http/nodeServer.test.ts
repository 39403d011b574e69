import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { createNodeServer } from './nodeServer.ts';

const idleAfterMs = 1_000;

test('a connection on which nothing moves is closed; one that is asked now and then stays, and so does a slow stream', async (context) => {
  const server = createNodeServer(
    (request, response) => {
      if (request.url !== '/stream') return void response.end('answer');
      const telling = setInterval(() => response.write('beat'), idleAfterMs / 4);
      response.once('close', () => clearInterval(telling));
    },
    { idleMs: idleAfterMs },
  );
  context.after(() => server.closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (path: string) => {
    const socket = connect(port, '127.0.0.1');
    const ask = () => socket.write(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`);
    ask();
    await once(socket, 'data');
    return { socket, ask };
  };

  const [idle, asked, stream] = [await open('/'), await open('/'), await open('/stream')];
  const asking = setInterval(asked.ask, idleAfterMs / 4);
  for (const { socket } of [idle, asked, stream]) socket.resume();
  await once(idle.socket, 'close');
  // The other two are as old as the idle one and still open.
  assert.deepEqual([asked.socket.closed, stream.socket.closed], [false, false]);

  clearInterval(asking);
  await once(asked.socket, 'close');
  stream.socket.destroy();
  server.close();
});
