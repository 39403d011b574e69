// A receiver of webhooks. It checks signatures with a few lines of its own, as a user would write them.
import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

export type Received = {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly data: { readonly id?: string; readonly state?: string };
};

/** `answer` decides the status of each delivery. */
export async function startReceiver(answer: (event: Received) => number = () => 204) {
  const received: Received[] = [];
  const signatures: { readonly header: string; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const event = JSON.parse(body) as Received;
    signatures.push({ header: String(request.headers['x-svc-signature']), body });
    const status = answer(event);
    if (status < 300) received.push(event);
    response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end();
  });
  const { url, close } = await listen(server);
  return {
    url: `${url}/hook`,
    close,
    received,
    assertSigned: (secret: string) => {
      assert.ok(signatures.length > 0);
      for (const { header, body } of signatures) {
        const { t = '', v1 = '' } = Object.fromEntries(header.split(',').map((part) => part.split('=')));
        const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest();
        assert.ok(timingSafeEqual(expected, Buffer.from(v1, 'hex')), 'the signature is good');
        assert.ok(Math.abs(Date.now() / 1_000 - Number(t)) < 300, 'it is fresh');
      }
    },
  };
}
