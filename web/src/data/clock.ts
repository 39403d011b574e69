// The market's time, second by second.

import { createMarketClient } from '@svc/sdk/client';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ask } from './client.ts';
import { findOffset } from './marketTime.ts';

const listeners = new Set<() => void>();
let second = wallSeconds();
let timer: ReturnType<typeof setInterval> | undefined;

export function useNow(): number {
  const { data: offset = 0 } = useQuery({
    queryKey: ['clock'],
    // A development chain may be moved ahead at any time.
    refetchInterval: 30_000,
    queryFn: ({ signal }) => readOffset(signal),
  });
  return useSyncExternalStore(subscribe, () => second) + offset;
}

async function readOffset(signal: AbortSignal): Promise<number> {
  let server = Number.NaN;
  const client = createMarketClient({
    baseUrl: location.origin,
    fetch: async (input, init) => {
      const response = await ask(input, init);
      server = Math.floor(Date.parse(response.headers.get('date') ?? '') / 1_000);
      return response;
    },
  });
  const { updatedAt: chain } = await client.union({ signal });
  return findOffset({ device: wallSeconds(), chain, server });
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
