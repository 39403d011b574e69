// Where the browser of a wallet's owner comes back to: one port of this machine, for one answer.
import { createServer } from 'node:http';
import { SvcError } from '@svc/sdk/domain';

export type Callback = {
  /** What the server sent back through the browser. */
  readonly answer: Promise<URLSearchParams>;
  /** Nobody waits for it any more. */
  readonly cancel: () => void;
};

const patienceMs = 10 * 60_000;

/** Answers once listening: the browser may be quicker than we are. */
export async function listenForCallback(port: number, state: string): Promise<Callback> {
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    // Somebody else's callback would make us use somebody else's wallet.
    const isOurs = url.pathname === '/callback' && url.searchParams.get('state') === state;
    // A connection that is kept would lead a later answer to this listener, which knows nothing of it.
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' };
    response.writeHead(isOurs ? 200 : 404, headers);
    if (!isOurs) return void response.end('Nothing is here.\n');
    response.end('svc may go on. You can close this page.\n', () => end(() => resolve(url.searchParams)));
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', () =>
      failed(
        refused(`port ${port}, where its answer is expected, is taken; another svc may be asking its owner`),
      ),
    );
    server.listen(port, '127.0.0.1', listening);
  });
  const timer = setTimeout(() => end(() => reject(refused('nobody answered in time'))), patienceMs);
  function end(settle: () => void): void {
    clearTimeout(timer);
    server.close();
    // Browsers open some that they never use; those would keep us here.
    server.closeAllConnections();
    settle();
  }
  promise.catch(() => {});
  return { answer: promise, cancel: () => end(() => reject(refused('nobody waits any more'))) };
}

function refused(reason: string): SvcError {
  return new SvcError('WALLET_REFUSED', { reason });
}
