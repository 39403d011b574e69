// Hears of new blocks by WebSocket subscription. It only wakes the follower, which looks for itself; where no
// subscription is to be had, or one has gone silent, the follower's own clock stands in.

export type HeadWatchOptions = {
  /** The HTTP addresses; the same addresses are tried for WebSocket, in turn. */
  readonly rpcUrls: readonly string[];
  /** At each new head and at each (re)connect, since something may have been missed. */
  readonly onHead: () => void;
  /** A subscription that tells nothing for this long is taken for dead and made anew. */
  readonly silenceMs?: number;
};

const firstPauseMs = 250;
/** Most HTTP endpoints have no WebSocket beside them; they are asked again, but seldom. */
const longestPauseMs = 60_000;

/** Answers the way to stop. */
export function watchHeads({ rpcUrls, onHead, silenceMs = 30_000 }: HeadWatchOptions): () => void {
  let stopped = false;
  let socket: WebSocket | null = null;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;

  function connect(): void {
    const fresh = new WebSocket(toSocketUrl(rpcUrls[failures % rpcUrls.length] as string));
    socket = fresh;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      fresh.close();
      if (!stopped) wait(connect, Math.min(firstPauseMs * 2 ** failures++, longestPauseMs));
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
