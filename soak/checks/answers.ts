// Answers and moves: nothing fails while nothing is broken, and what is broken is said to be.
import { isExcused, type Journal, type Window } from '../journal.ts';
import type { Check } from './check.ts';

type Seen = Pick<Journal, 'answers' | 'windows' | 'moves' | 'hostile'>;

export function checkAnswers({ answers, windows, hostile }: Seen): Check {
  const failed = answers.filter(({ status }) => status === 0 || status >= 500);
  const unexcused = failed.filter(({ from, to, server }) => !isExcused({ windows }, from, to, server));
  return {
    name: 'No request fails while nothing is broken',
    violations: unexcused.map(
      ({ from, server, what, status, detail }) =>
        `${seconds(from)} ${server}, ${what}: ${status === 0 ? 'no answer' : status} ${detail}`,
    ),
    basis: `${answers.length} answers and ${hostile} to hostile requests; ${failed.length - unexcused.length} failed while something was broken`,
  };
}

/** `failures` are what the servers' own logs call so. */
export function checkWords({ answers }: Pick<Seen, 'answers'>, failures: readonly string[]): Check {
  const plain = answers.filter(({ status }) => status === 500);
  return {
    name: 'What fails is known: no answer is a plain 500',
    violations: [
      ...plain.map(({ from, server, what }) => `${seconds(from)} ${server}, ${what}`),
      ...failures.map((failure) => `in a log: ${failure}`),
    ],
    basis: `${answers.filter(({ status }) => status > 500).length} answers with 502, 503 or 504`,
  };
}

export function checkMoves({ moves, windows }: Seen): Check {
  const failed = moves.filter(({ outcome }) => outcome === 'failed');
  // A person may use every server, and all of them need the chain.
  const isMet = (from: number, to: number) =>
    windows.some((window) => window.isExcuse && from <= window.to && to >= window.from);
  const counts = Object.entries(Object.groupBy(moves, ({ outcome }) => outcome));
  return {
    name: 'No tool fails while nothing is broken',
    violations: failed
      .filter(({ at, to }) => !isMet(at, to))
      .map(({ at, who, move, detail }) => `${seconds(at)} ${who}, ${move}: ${detail}`),
    basis: counts.map(([outcome, all]) => `${all?.length} ${outcome}`).join(', '),
  };
}

export function checkRecovery({ windows }: Pick<Seen, 'windows'>): Check {
  const faults = windows.filter(({ kind }) => kind !== 'overload');
  const busy = windows.filter(({ kind }) => kind === 'overload');
  const busyMs = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  const wasBusy = (window: Window) => busy.some(({ from, to }) => from <= window.to && to >= window.from);
  const longest = Math.max(0, ...faults.map(({ mendedAt, to }) => to - mendedAt));
  return {
    name: 'After every fault all is well again',
    violations: faults
      .filter((window) => !window.recovered && !wasBusy(window))
      .map(({ from, kind, detail }) => `${seconds(from)} ${kind} (${detail})`),
    basis: `${faults.length} faults; the longest recovery took ${(longest / 1_000).toFixed(1)} s; the machine was too busy for ${(busyMs / 1_000).toFixed(0)} s`,
  };
}

export function seconds(milliseconds: number): string {
  return `at ${(milliseconds / 1_000).toFixed(1)} s:`;
}
