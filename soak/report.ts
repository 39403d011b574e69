// The report of a run as plain data: figures over time, faults, checks.
import { quantile } from '../bench/figure.ts';
import type { Check } from './checks/recorded.ts';
import type { Journal, Window } from './journal.ts';
import type { Sample, Server } from './server.ts';

export type Report = {
  readonly seed: number;
  readonly seconds: number;
  readonly violations: number;
  readonly checks: readonly Check[];
  readonly faults: readonly Pick<Window, 'kind' | 'detail' | 'from' | 'repairedAt' | 'to'>[];
  /** Count of each move by outcome. */
  readonly moves: readonly { readonly move: string; readonly counts: Readonly<Record<string, number>> }[];
  /** Replies over time. */
  readonly answers: readonly {
    /** Start of the interval, in milliseconds from the start of the run. */
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

/** Number of columns that fit a page. */
const columns = 120;

export function buildReport({ seed, seconds, journal, checks, servers }: RunResult): Report {
  return {
    seed,
    seconds,
    violations: checks.reduce((sum, { violations }) => sum + violations.length, 0),
    checks,
    faults: journal.windows.map(({ kind, detail, from, repairedAt, to }) => ({
      kind,
      detail,
      from,
      repairedAt,
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
