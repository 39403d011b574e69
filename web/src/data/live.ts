// Has every answer that a change makes stale asked for again, while somebody looks at the page.

import type { MarketEvent } from '@svc/sdk/client';
import { useEffect } from 'react';
import { queries } from './client.ts';
import { followShared } from './sharedEvents.ts';
import { keysOf } from './staleKeys.ts';

/** Changes come in bursts, a block at a time. */
const gatherMs = 150;

/** A page that nobody sees follows nothing; what it has missed it reads when it is shown again. */
export function useLive(): void {
  useEffect(() => {
    let following: AbortController | null = null;
    let wasHidden = false;
    const set = () => {
      const isVisible = document.visibilityState === 'visible';
      if (!isVisible) wasHidden = true;
      if (isVisible === (following !== null)) return;
      following?.abort();
      following = isVisible ? new AbortController() : null;
      if (following === null) return;
      void followShared(following.signal, take).catch(() => {
        // Refused for good, or no longer wanted: the page stays as it is, and the status line says how old it is.
      });
      if (wasHidden) take({ type: 'reset' });
    };
    set();
    document.addEventListener('visibilitychange', set);
    return () => {
      document.removeEventListener('visibilitychange', set);
      following?.abort();
    };
  }, []);
}

const stale = new Map<string, readonly string[]>();

function take(event: MarketEvent | { readonly type: 'reset' }): void {
  if (stale.size === 0) setTimeout(flush, gatherMs);
  for (const key of keysOf(event)) stale.set(key.join(' '), key);
}

function flush(): void {
  for (const queryKey of stale.values()) void queries.invalidateQueries({ queryKey });
  stale.clear();
}
