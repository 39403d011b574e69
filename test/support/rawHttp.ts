// Requests that fetch would tidy up: with any header, any path, and bodies as they came over the wire.
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type RawAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type RawQuestion = {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
};

export function ask(
  baseUrl: string,
  { path, method = 'GET', headers = {}, body }: RawQuestion,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers: headers as never }, async (response) => {
      try {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: await buffer(response),
        });
      } catch (error) {
        reject(error);
      }
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Writes bytes as they are and answers everything that comes back until the server ends the connection. */
export async function sendBytes(baseUrl: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  // What was answered counts, however roughly the connection ends after it.
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  await new Promise<void>((resolve) => socket.once('close', resolve).once('error', () => undefined));
  return Buffer.concat(parts).toString('utf8');
}
