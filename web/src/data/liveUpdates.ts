// Refetches the replies that market events make stale, while the page is visible. All tabs share one event stream.

import type { MarketEvent } from '@svc/sdk';
import { useEffect } from 'react';
import { followMarket, isUpToDate, noteTold, queries } from './client.ts';
import { staleKeys } from './queryKeys.ts';

type Update = MarketEvent | { readonly type: 'reset' };

/** Events come in bursts, one block at a time. */
const batchMs = 150;

/** A hidden page follows nothing; when it is shown again, it refetches everything. */
export function useLiveUpdates(): void {
  useEffect(() => {
    let following: AbortController | null = null;
    let wasHidden = false;
    const update = () => {
      const isVisible = document.visibilityState === 'visible';
      if (!isVisible) wasHidden = true;
      if (isVisible === (following !== null)) return;
      following?.abort();
      following = isVisible ? new AbortController() : null;
      if (following === null) return;
      void followShared(following.signal, markStale).catch(() => {
        // Refused or aborted: the page stays as it is, and the status line shows its age.
      });
      if (wasHidden) markStale({ type: 'reset' });
    };
    update();
    document.addEventListener('visibilitychange', update);
    return () => {
      document.removeEventListener('visibilitychange', update);
      following?.abort();
    };
  }, []);
}

const stale = new Map<string, readonly unknown[]>();

function markStale(event: Update): void {
  if (event.type === 'task') void noteTold(event.task.blockNumber);
  if (stale.size === 0) setTimeout(refetchStale, batchMs);
  for (const key of staleKeys(event)) stale.set(key.join(' '), key);
}

function refetchStale(): void {
  for (const queryKey of stale.values()) void queries.invalidateQueries({ queryKey });
  stale.clear();
}

const channelName = 'svc-events';

/**
 * Browsers allow six connections to a server, and a stream keeps one. The tab that holds the lock follows the stream and
 * broadcasts its events; when it ends, the next tab takes over, and its stream begins with a reset. Plain http (except
 * localhost) has no locks: there each tab has a stream.
 */
async function followShared(signal: AbortSignal, onEvent: (event: MarketEvent) => void): Promise<void> {
  if (navigator.locks === undefined) return follow(signal, onEvent);
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }) => onEvent(data as MarketEvent);
  try {
    await navigator.locks.request(channelName, { signal }, () =>
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
  for await (const event of followMarket(signal))
    if (event.type !== 'reset' || !(await isUpToDate())) onEvent(event);
}
