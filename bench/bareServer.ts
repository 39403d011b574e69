// The baseline: a bare node:http server that sends given replies in rotation.
import { isUtf8 } from 'node:buffer';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Headers as alternating names and values, copied from the compared server. */
export type BareAnswer = {
  readonly status: number;
  readonly headers: readonly string[];
  /** In base64; all use the same headers except Content-Length. */
  readonly bodies: readonly string[];
};

process.once('message', ({ status, headers, bodies }: BareAnswer) => {
  const answers = bodies.map((text) => {
    const bytes = Buffer.from(text, 'base64');
    // Node sends short strings faster than bytes, so the baseline uses strings too.
    const body = bytes.length <= 16 * 1_024 && isUtf8(bytes) ? bytes.toString() : bytes;
    return { body, headers: [...headers, 'Content-Length', String(bytes.length)] };
  });
  let at = 0;
  const server = createServer((_request, response) => {
    const answer = answers[at++ % answers.length] as (typeof answers)[number];
    response.writeHead(status, answer.headers);
    response.end(answer.body);
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.on('disconnect', () => process.exit());
