// The report of a run: its checks, moves and faults as plain data, and as Markdown.
import { formatTable } from '../bench/figure.ts';
import type { Check } from './checks/recorded.ts';
import type { Journal, MoveResult, Window } from './journal.ts';
import type { Sample, Server } from './server.ts';

export type Report = {
  readonly seed: number;
  readonly seconds: number;
  readonly violations: number;
  readonly checks: readonly Check[];
  readonly faults: readonly Pick<Window, 'kind' | 'detail' | 'from' | 'repairedAt' | 'to'>[];
  /** Count of each move by outcome. */
  readonly moves: readonly { readonly move: string; readonly counts: Readonly<Record<string, number>> }[];
  readonly memory: readonly { readonly name: string; readonly lives: readonly (readonly Sample[])[] }[];
};

type RunResult = Pick<Report, 'seed' | 'seconds' | 'checks'> & {
  readonly journal: Journal;
  readonly servers: readonly Pick<Server, 'name' | 'lives'>[];
};

export function buildReport({ seed, seconds, journal, checks, servers }: RunResult): Report {
  const moves = [...Map.groupBy(journal.moves, ({ move }) => move)].map(([move, all]) => {
    const byOutcome = Map.groupBy(all, ({ outcome }) => outcome);
    return {
      move,
      counts: Object.fromEntries([...byOutcome].map(([outcome, some]) => [outcome, some.length])),
    };
  });
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
    moves,
    memory: servers.map(({ name, lives }) => ({ name, lives })),
  };
}

const outcomes: readonly MoveResult['outcome'][] = ['done', 'refused', 'failed', 'nothing to do'];

export function formatReport({ seed, seconds, violations, checks, faults, moves }: Report): string {
  const verdict = violations === 0 ? 'every promise was kept' : `${violations} violations`;
  const byKind = Object.entries(Object.groupBy(faults, ({ kind }) => kind)).sort();
  return [
    `# Soak of ${Math.round(seconds / 6) / 10} minutes, seed ${seed}: ${verdict}\n`,
    '## Checks\n',
    formatTable(
      ['promise', 'result', 'seen in'],
      checks.map(({ name, violations: found, basis }) => [
        name,
        found.length === 0 ? 'kept' : `broken: ${found.join('<br>')}`,
        basis,
      ]),
    ),
    '\n## What people did\n',
    formatTable(
      ['what', ...outcomes],
      moves.map(({ move, counts }) => [move, ...outcomes.map((outcome) => `${counts[outcome] ?? 0}`)]),
    ),
    '\n## Faults\n',
    formatTable(
      ['fault', 'times'],
      byKind.map(([kind, some = []]) => [kind, `${some.length}`]),
    ),
    '',
  ].join('\n');
}
