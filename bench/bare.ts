// Starts the baseline with answers that were taken from the server it is compared with.
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { BareAnswer } from './bareServer.ts';
import { nextMessage, startNode, stopProcess } from './processes.ts';

export type Bare = { readonly pid: number; readonly port: number; readonly close: () => Promise<void> };

export async function startBare(answer: BareAnswer): Promise<Bare> {
  const child = startNode('bench/bareServer.ts', { place: 'server' });
  const ready = nextMessage<{ port: number }>(child);
  child.send(answer);
  return { pid: child.pid as number, port: (await ready).port, close: () => stopProcess(child) };
}

/** The same headers for all, each body as it came. */
export async function takeAnswers(
  urls: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<BareAnswer> {
  const answers: { response: IncomingMessage; body: Buffer }[] = [];
  for (const url of urls) {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      get(url, { headers }, resolve).on('error', reject),
    );
    answers.push({ response, body: await buffer(response) });
  }
  const [first] = answers;
  if (first === undefined) throw new RangeError('There is no answer to take.');
  return {
    status: first.response.statusCode as number,
    headers: keepOwn(first.response.rawHeaders),
    bodies: answers.map(({ body }) => body.toString('base64')),
  };
}

/** Node adds these by itself, to the baseline as well. */
const added = new Set(['date', 'connection', 'keep-alive', 'content-length']);

function keepOwn(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => !added.has((rawHeaders[at - (at % 2)] as string).toLowerCase()));
}
