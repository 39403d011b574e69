// A way to the embedded chain that can be made slow or unreliable, as a busy provider is. Requests that it refuses never
// reach the chain.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SvcError } from '@svc/sdk/domain';
import { formatUrl, listen } from '#app/serve.ts';

export type RpcMood = 'well' | 'slow' | 'failing';

export type UnreliableRpc = {
  readonly url: string;
  readonly setMood: (mood: RpcMood) => void;
  /** Requests that were answered late, and requests that were refused. */
  readonly disturbed: () => { readonly late: number; readonly refused: number };
  readonly close: () => void;
};

const lateMs = 400;
/** While it fails, one of so many requests is refused. */
const refusedOf = 3;
const host = '127.0.0.1';

export async function createUnreliableRpc(target: string): Promise<UnreliableRpc> {
  let mood: RpcMood = 'well';
  let seen = 0;
  let late = 0;
  let refused = 0;
  const server = createServer(async (request, response) => {
    try {
      const body = await text(request);
      seen++;
      if (mood === 'failing' && seen % refusedOf === 0) {
        refused++;
        return void response.writeHead(503).end();
      }
      if (mood === 'slow') {
        late++;
        await sleep(lateMs);
      }
      const answer = await fetch(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(bytes);
    } catch {
      response.destroy();
    }
  });
  const port = await listen(
    server,
    { host, port: 0 },
    (details, cause) => new SvcError('CHAIN_CANNOT_LISTEN', details, cause),
  );
  return {
    url: formatUrl(host, port),
    setMood: (next) => {
      mood = next;
    },
    disturbed: () => ({ late, refused }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
