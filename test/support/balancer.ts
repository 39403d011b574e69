// A reverse proxy as common ones are: it asks each server for its health, takes out whom it should not send to, keeps
// connections open, and sends a request again only where the server cannot have begun with it.
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { serve } from './listen.ts';

export type Balancer = Awaited<ReturnType<typeof startBalancer>>;

const checkEveryMs = 100;
/** Refused connections, and reads that got no answer: as nginx does by default, never a POST that may have arrived. */
const attempts = 3;

export async function startBalancer(upstreams: readonly string[]) {
  const agent = new Agent({ keepAlive: true });
  const healthy = new Set<string>();
  const failures: string[] = [];
  const stop = new AbortController();
  let turn = 0;

  async function check(upstream: string): Promise<void> {
    while (!stop.signal.aborted) {
      const isWell = await fetch(`${upstream}/health`).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (isWell) healthy.add(upstream);
      else healthy.delete(upstream);
      await pause(checkEveryMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    for (let attempt = 1; ; attempt++) {
      const choice = upstreams.filter((upstream) => healthy.has(upstream));
      const upstream = choice[turn++ % choice.length];
      if (upstream === undefined) throw new Error('no server is well');
      try {
        return await forward(upstream, incoming, body, response);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const mayRepeat = code === 'ECONNREFUSED' || incoming.method === 'GET';
        if (!mayRepeat || attempt === attempts || response.headersSent) throw error;
      }
    }
  }

  function forward(upstream: string, incoming: IncomingMessage, body: Buffer, response: ServerResponse) {
    const { hostname, port } = new URL(upstream);
    const { method = 'GET', url = '/', headers } = incoming;
    const { connection: _, ...passed } = headers;
    return new Promise<void>((resolve, reject) => {
      const sent = request({ agent, hostname, port, method, path: url, headers: passed }, (answer) => {
        const { connection: _, 'keep-alive': __, ...back } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, back);
        answer.pipe(response);
        answer.once('end', resolve).once('error', reject);
      });
      response.once('close', () => sent.destroy());
      sent.once('error', reject).end(body);
    });
  }

  const { url, close } = await serve((incoming, response) => {
    pass(incoming, response).catch((error: Error) => {
      if (!response.destroyed) failures.push(`${incoming.method} ${incoming.url}: ${error.message}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
  });
  for (const upstream of upstreams) void check(upstream);
  return {
    url,
    /** Whether requests go there now. */
    isIn: (upstream: string) => healthy.has(upstream),
    /** What could not be passed on, which its client saw as 502. */
    failures: failures as readonly string[],
    close: () => {
      stop.abort();
      close();
      agent.destroy();
    },
  };
}
