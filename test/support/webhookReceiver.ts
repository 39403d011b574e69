// A receiver of webhooks. It checks signatures with the function that the guide gives to users, word for word.
import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { readBlocks } from '../docs/markdown.ts';
import { readGuide } from './guide.ts';
import { listen } from './listen.ts';

export type Received = {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly data: { readonly id?: string; readonly state?: string };
};

const block = readBlocks(readGuide('docs/webhooks.md')).find(({ language }) => language === 'js');
const code = block?.text.replace(/^import .*$/m, '') ?? assert.fail('the guide has no check');
const isGenuine: (secret: string, headers: IncomingHttpHeaders, body: string) => boolean = new Function(
  'createHmac',
  'timingSafeEqual',
  `${code}; return isGenuine;`,
)(createHmac, timingSafeEqual);

/** `answer` decides the status of each delivery. */
export async function startReceiver(answer: (event: Received) => number = () => 204) {
  const received: Received[] = [];
  const signatures: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const event = JSON.parse(body) as Received;
    signatures.push({ headers: request.headers, body });
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
      for (const { headers, body } of signatures) {
        assert.ok(isGenuine(secret, headers, body), 'the signature is good and fresh');
        assert.ok(!isGenuine(secret, headers, body.replace('"sequence"', '"Sequence"')), 'of no other body');
        assert.ok(!isGenuine('whsec_other', headers, body), 'and of no other secret');
        for (const signature of [undefined, '', 'v2,x', 'v1'])
          assert.equal(isGenuine(secret, { ...headers, 'webhook-signature': signature }, body), false);
      }
    },
  };
}
