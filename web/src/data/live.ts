// Follows the stream of changes and has every answer that a change makes stale asked for again.
import { useEffect } from 'react';
import type { MarketEvent } from '#client/createMarketClient.ts';
import { client, queries } from './client.ts';

/** Changes come in bursts, a block at a time. */
const gatherMs = 150;

let followers = 0;
let stop: AbortController | null = null;

/** One stream for the whole page, as long as any part of it wants to be live. */
export function useLive(): void {
  useEffect(() => {
    followers += 1;
    if (stop === null) {
      stop = new AbortController();
      void follow(stop.signal);
    }
    return () => {
      followers -= 1;
      if (followers > 0) return;
      stop?.abort();
      stop = null;
    };
  }, []);
}

async function follow(signal: AbortSignal): Promise<void> {
  const stale = new Map<string, readonly string[]>();
  const flush = () => {
    for (const queryKey of stale.values()) void queries.invalidateQueries({ queryKey });
    stale.clear();
  };
  try {
    for await (const event of client.events({ signal })) {
      if (stale.size === 0) setTimeout(flush, gatherMs);
      for (const key of keysOf(event)) stale.set(key.join(' '), key);
    }
  } catch {
    // The stream was refused for good: the page stays as it is, and the status line says how old it is.
  }
}

function keysOf(event: MarketEvent): string[][] {
  if (event.type === 'reset') return [['tasks'], ['task'], ['timeline'], ['union']];
  const { id, market } = event.task;
  return [['tasks', market], ['task', id], ['timeline', id], ['union', market], ['wallet'], ['gateway']];
}
