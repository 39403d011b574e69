// Compares two servers under the same load, in turns.
import type { Figure } from './figure.ts';
import type { Load, Target } from './load.ts';
import { median, medianRatio } from './statistics.ts';
import { readCpuSeconds } from './usage.ts';

export type Contender = { readonly pid: number; readonly target: Target };

export type Rounds = {
  readonly rounds: number;
  readonly roundMs: number;
  /** Not counted: until then compiler and caches of both are still at work. */
  readonly warmUpRequests: number;
};

export type Comparison = {
  readonly subjectPerSecond: number;
  readonly baselinePerSecond: number;
  /** Requests per second of the subject in those of the baseline. */
  readonly ratio: number;
  /** The same by CPU time for each request, which others on the machine disturb less: 1 is the baseline's own. */
  readonly cpuRatio: number;
};

const connections = 16;

/** Short rounds one right after the other, the order changed each time: a slow spell of the machine hits both. */
export async function compare(
  load: Load,
  subject: Contender,
  baseline: Contender,
  { rounds, roundMs, warmUpRequests }: Rounds,
): Promise<Comparison> {
  const seen: Record<'subject' | 'baseline', Round[]> = { subject: [], baseline: [] };
  for (const { target } of [subject, baseline]) {
    await load.run({ ...target, connections, requests: warmUpRequests });
  }
  for (let round = 0; round < rounds; round++) {
    const pair = [['subject', subject] as const, ['baseline', baseline] as const];
    for (const [name, contender] of round % 2 === 0 ? pair : pair.toReversed()) {
      seen[name].push(await runRound(load, contender, roundMs));
    }
  }
  const pick = (name: keyof typeof seen, field: keyof Round) => seen[name].map((round) => round[field]);
  return {
    subjectPerSecond: median(pick('subject', 'perSecond')),
    baselinePerSecond: median(pick('baseline', 'perSecond')),
    ratio: medianRatio(pick('subject', 'perSecond'), pick('baseline', 'perSecond')),
    cpuRatio: medianRatio(pick('baseline', 'cpuEach'), pick('subject', 'cpuEach')),
  };
}

/** What a comparison is written down as. The target is held by CPU time, or by requests where the system tells none. */
export function buildRatioFigures(name: string, seen: Comparison, atLeast: number): Figure[] {
  const ratio: Figure = { name: `${name}: ratio of requests per second`, value: seen.ratio, unit: 'ratio' };
  const rates: Figure[] = [
    { name: `${name}: requests`, value: seen.subjectPerSecond, unit: 'perSecond' },
    { name: `${name}: bare node:http`, value: seen.baselinePerSecond, unit: 'perSecond' },
  ];
  if (Number.isNaN(seen.cpuRatio)) return [...rates, { ...ratio, atLeast }];
  const cpu = { name: `${name}: ratio by CPU time`, value: seen.cpuRatio, unit: 'ratio', atLeast } as const;
  return [...rates, ratio, cpu];
}

type Round = { readonly perSecond: number; readonly cpuEach: number };

async function runRound(load: Load, { pid, target }: Contender, milliseconds: number): Promise<Round> {
  const before = readCpuSeconds(pid);
  const { count, seconds } = await load.run({ ...target, connections, milliseconds });
  return { perSecond: count / seconds, cpuEach: (readCpuSeconds(pid) - before) / count };
}
