// Hears of new blocks by WebSocket subscription. It only wakes the follower, which looks for itself; where no
// subscription is to be had, or one has gone silent, the follower's own clock stands in.

const reconnectMs = 1_000;

/** Calls back at each new head and at each (re)connect; answers the way to stop. */
export function watchHeads(rpcUrl: string, onHead: () => void): () => void {
  const url = new URL(rpcUrl);
  url.protocol = url.protocol === 'https:' || url.protocol === 'wss:' ? 'wss:' : 'ws:';
  let stopped = false;
  let socket: WebSocket | null = null;
  let timer: NodeJS.Timeout | undefined;

  function connect(): void {
    if (stopped) return;
    const fresh = new WebSocket(url);
    socket = fresh;
    fresh.addEventListener('open', () => {
      fresh.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }));
      onHead();
    });
    fresh.addEventListener('message', ({ data }) => {
      if (String(data).includes('eth_subscription')) onHead();
    });
    fresh.addEventListener('close', () => {
      timer = setTimeout(connect, reconnectMs);
      timer.unref();
    });
    // A failure is followed by a close.
    fresh.addEventListener('error', () => undefined);
  }

  connect();
  return () => {
    stopped = true;
    clearTimeout(timer);
    socket?.close();
  };
}
