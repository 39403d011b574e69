// Watches for new blocks by WebSocket subscription. It only wakes the indexer, which also polls, so a missing or silent
// subscription costs time and nothing else.
import { createBackoff } from '@svc/sdk/internal/domain/backoff';

export type HeadWatchOptions = {
  /** The HTTP addresses; the same addresses are tried for WebSocket, one after the other. */
  readonly rpcUrls: readonly string[];
  /** At each new head and at each (re)connect, since something may have been missed. */
  readonly onHead: () => void;
  /** A subscription that is silent for this long is replaced. */
  readonly silenceMs?: number;
};

/** Most HTTP endpoints have no WebSocket, so they are tried again rarely. */
const pauses = { firstMs: 250, longestMs: 60_000 };

/** Returns a function that stops it. */
export function watchHeads({ rpcUrls, onHead, silenceMs = 30_000 }: HeadWatchOptions): () => void {
  let stopped = false;
  let socket: WebSocket | null = null;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  const backoff = createBackoff(pauses);

  function connect(): void {
    const fresh = new WebSocket(toSocketUrl(rpcUrls[failures % rpcUrls.length] as string));
    socket = fresh;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      fresh.close();
      failures++;
      if (!stopped) wait(connect, backoff.nextMs());
    };
    const expectMore = (): void => wait(end, silenceMs);
    expectMore();
    fresh.addEventListener('open', () => {
      fresh.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }));
      onHead();
    });
    fresh.addEventListener('message', ({ data }) => {
      if (isOver || !String(data).includes('"eth_subscription"')) return;
      failures = 0;
      backoff.reset();
      expectMore();
      onHead();
    });
    fresh.addEventListener('close', end);
    fresh.addEventListener('error', end);
  }

  function wait(then: () => void, milliseconds: number): void {
    clearTimeout(timer);
    timer = setTimeout(then, milliseconds);
    timer.unref();
  }

  connect();
  return () => {
    stopped = true;
    clearTimeout(timer);
    socket?.close();
  };
}

function toSocketUrl(rpcUrl: string): URL {
  const url = new URL(rpcUrl);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}
