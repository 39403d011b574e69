// The market's time, second by second: the chain's clock counts, which on a development chain may be ahead of ours.
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { client } from './client.ts';

const listeners = new Set<() => void>();
let second = wallSeconds();
let timer: ReturnType<typeof setInterval> | undefined;

/** Differences below this are the network's, not the clock's. */
const meaningfulSeconds = 60;

export function useNow(): number {
  const { data: offset = 0 } = useQuery({
    queryKey: ['clock'],
    // A development chain may be moved ahead at any time.
    refetchInterval: 30_000,
    queryFn: async ({ signal }) => {
      const { updatedAt } = await client.union({ signal });
      const ahead = updatedAt - wallSeconds();
      return ahead > meaningfulSeconds ? ahead : 0;
    },
  });
  return useSyncExternalStore(subscribe, () => second) + offset;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    second = wallSeconds();
    for (const tell of listeners) tell();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function wallSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
