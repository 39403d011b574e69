// The market's clock, and times relative to it; the absolute time is in the title.
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { loadClient } from '../data/client.ts';
import { showAgo, showDuration, showMoment } from '../data/format.ts';
import type { Offsets } from '../data/marketClient.ts';

const urgentSeconds = 86_400;

/**
 * Counts down to a moment: amber in the last day, red once it has passed. `isCalm` when nothing depends on it, `isRest`
 * where the reader has this time ("3 h left") instead of waiting for the moment ("in 3 h").
 */
export function Countdown({ to, isCalm = false, isRest = false }: CountdownProps) {
  const left = to - useNow();
  const tone = isCalm ? undefined : left < 0 ? 'risk' : left < urgentSeconds ? 'time' : undefined;
  const seconds = Math.abs(left);
  // Seconds are shown in the last hour only; earlier a changing figure would be noise.
  const duration = showDuration(seconds < 3_600 ? seconds : Math.floor(seconds / 60) * 60);
  return (
    <time className="clock" data-tone={tone} {...describeMoment(to)}>
      {left < 0 ? `${duration} ago` : isRest ? `${duration} left` : `in ${duration}`}
    </time>
  );
}

type CountdownProps = { to: number; isCalm?: boolean; isRest?: boolean };

export function Ago({ time }: { time: number }) {
  return <time {...describeMoment(time)}>{showAgo(time, useNow())}</time>;
}

function describeMoment(time: number) {
  return { dateTime: new Date(time * 1_000).toISOString(), title: showMoment(time) };
}

const listeners = new Set<() => void>();
let second = deviceSeconds();
let timer: ReturnType<typeof setInterval> | undefined;

/** The market's time in Unix seconds; re-renders every second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => second) + useOffsets().market;
}

/** The beginning of the market's minute, for what need not be computed every second. */
export function useMinute(): number {
  return Math.floor(useNow() / 60) * 60;
}

/** The gateway's own time: messages and sessions go by it, also where a development chain is ahead. */
export function useGatewayNow(): number {
  return useSyncExternalStore(subscribe, () => second) + useOffsets().server;
}

const noOffsets: Offsets = { market: 0, server: 0 };

function useOffsets(): Offsets {
  const { data = noOffsets } = useQuery({
    queryKey: ['clock'],
    // A development chain can be moved ahead at any time.
    refetchInterval: 30_000,
    queryFn: async ({ signal }) => (await loadClient()).loadOffsets(signal),
  });
  return data;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    second = deviceSeconds();
    for (const notify of listeners) notify();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function deviceSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
