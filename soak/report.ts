// What a run is told as: its figures by time, its faults, its checks, as plain data.
import { quantile } from '../bench/figure.ts';
import type { Check } from './checks/check.ts';
import type { Journal, Window } from './journal.ts';
import type { Sample, Server } from './server.ts';

export type Report = {
  readonly seed: number;
  readonly seconds: number;
  readonly violations: number;
  readonly checks: readonly Check[];
  readonly faults: readonly Pick<Window, 'kind' | 'detail' | 'from' | 'mendedAt' | 'to'>[];
  /** How often each move was made, and with what outcome. */
  readonly moves: readonly { readonly move: string; readonly counts: Readonly<Record<string, number>> }[];
  /** Answers by time. */
  readonly answers: readonly {
    /** Milliseconds from the start, of the beginning of the interval. */
    readonly at: number;
    readonly good: number;
    readonly failed: number;
    readonly medianMs: number | null;
    readonly slowestMs: number | null;
  }[];
  readonly memory: readonly { readonly name: string; readonly lives: readonly (readonly Sample[])[] }[];
};

export type RunResult = {
  readonly seed: number;
  readonly seconds: number;
  readonly journal: Journal;
  readonly checks: readonly Check[];
  readonly servers: readonly Pick<Server, 'name' | 'lives'>[];
};

/** So many columns fit a page. */
const columns = 120;

export function buildReport({ seed, seconds, journal, checks, servers }: RunResult): Report {
  return {
    seed,
    seconds,
    violations: checks.reduce((sum, { violations }) => sum + violations.length, 0),
    checks,
    faults: journal.windows.map(({ kind, detail, from, mendedAt, to }) => ({
      kind,
      detail,
      from,
      mendedAt,
      to,
    })),
    moves: countMoves(journal),
    answers: countAnswers(journal, seconds),
    memory: servers.map(({ name, lives }) => ({ name, lives })),
  };
}

function countMoves({ moves }: Journal): Report['moves'] {
  return [...Map.groupBy(moves, ({ move }) => move)].map(([move, all]) => {
    const byOutcome = Map.groupBy(all, ({ outcome }) => outcome);
    return {
      move,
      counts: Object.fromEntries([...byOutcome].map(([outcome, some]) => [outcome, some.length])),
    };
  });
}

export function countAnswers({ answers }: Pick<Journal, 'answers'>, seconds: number): Report['answers'] {
  const width = Math.max(1_000, Math.ceil(seconds / columns) * 1_000);
  const byColumn = Map.groupBy(answers, ({ from }) => Math.floor(from / width));
  return Array.from({ length: Math.ceil((seconds * 1_000) / width) }, (_, column) => {
    const all = byColumn.get(column) ?? [];
    const times = all.map(({ from, to }) => to - from);
    const failed = all.filter(({ status }) => status === 0 || status >= 500).length;
    return {
      at: column * width,
      good: all.length - failed,
      failed,
      medianMs: times.length === 0 ? null : Math.round(quantile(times, 0.5)),
      slowestMs: times.length === 0 ? null : Math.round(Math.max(...times)),
    };
  });
}
