// One stream of changes for all tabs of a browser: it allows six connections to a server, and a stream keeps one.
import type { MarketEvent } from '@svc/sdk/client';
import { client } from './client.ts';

const name = 'svc-events';

/**
 * The tab that holds the lock follows and tells the others; when it ends, the next one takes over, and its stream begins
 * with a reset for all. Over plain http there are no locks, except on this machine: there each tab has a stream of its own.
 */
export async function followShared(
  signal: AbortSignal,
  onEvent: (event: MarketEvent) => void,
): Promise<void> {
  if (navigator.locks === undefined) return follow(signal, onEvent);
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }) => onEvent(data as MarketEvent);
  try {
    await navigator.locks.request(name, { signal }, () =>
      follow(signal, (event) => {
        channel.postMessage(event);
        onEvent(event);
      }),
    );
  } finally {
    channel.close();
  }
}

async function follow(signal: AbortSignal, onEvent: (event: MarketEvent) => void): Promise<void> {
  for await (const event of client.events({ signal })) onEvent(event);
}
