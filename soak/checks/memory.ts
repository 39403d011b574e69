// Memory is flat: over the second half of a run the least that a process uses, with its garbage collected now and then,
// hardly rises.
import type { Sample } from '../server.ts';
import type { Check } from './check.ts';

/** What caches and a grown heap may take on in that time, as a share of what is used and at least so much. */
const allowedShare = 0.15;
const allowedMegabytes = 24;
/** Before a process has lived this long its heap is still finding its size. */
const shortestMs = 60_000;

export type WatchedMemory = { readonly name: string; readonly samples: readonly Sample[] };

export function checkMemory(watched: readonly WatchedMemory[]): Check {
  const judged = watched.filter(({ samples }) => spanOf(samples) >= shortestMs);
  const growths = judged.map(({ name, samples }) => ({ name, ...findGrowth(samples) }));
  return {
    name: 'Memory is flat',
    violations: growths
      .filter(({ growth, level }) => growth > Math.max(allowedMegabytes, level * allowedShare))
      .map(
        ({ name, growth, level }) => `${name} grew by ${growth.toFixed(1)} MB from ${level.toFixed(0)} MB`,
      ),
    basis:
      judged.length === 0
        ? 'the run is too short to judge it'
        : growths
            .map(({ name, growth }) => `${name} ${growth >= 0 ? '+' : ''}${growth.toFixed(1)} MB`)
            .join(', '),
  };
}

/** By the lows of its first and its last third: between two collections of garbage every process rises. */
export function findGrowth(samples: readonly Sample[]): { readonly growth: number; readonly level: number } {
  const third = Math.ceil(samples.length / 3);
  const lowOf = (some: readonly Sample[]) => Math.min(...some.map(({ megabytes }) => megabytes));
  const level = lowOf(samples.slice(0, third));
  return { growth: lowOf(samples.slice(-third)) - level, level };
}

function spanOf(samples: readonly Sample[]): number {
  return (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
}
