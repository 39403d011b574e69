// Compares two servers under the same load in alternating rounds; starts the bare node:http baseline.

import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { BareAnswer } from './bareServer.ts';
import type { Figure } from './figure.ts';
import { median, medianRatio } from './figure.ts';
import type { Load, Target } from './processes.ts';
import { nextMessage, readCpuSeconds, startNode, stopProcess } from './processes.ts';

export type Contender = { readonly pid: number; readonly target: Target };

export type Rounds = {
  readonly rounds: number;
  readonly roundMs: number;
  /** Not counted: fills caches and lets the compiler optimise. */
  readonly warmUpRequests: number;
};

export type Comparison = Awaited<ReturnType<typeof alternate>>;

const connections = 16;

export type Round = { readonly perSecond: number; readonly cpuEach: number };

/** The work of each round for one after the other, in alternating order, so that a slow phase of the machine affects both. */
export async function alternate(
  rounds: number,
  run: (who: 'subject' | 'baseline', round: number) => Promise<Round>,
) {
  const seen: Record<'subject' | 'baseline', Round[]> = { subject: [], baseline: [] };
  for (let round = 0; round < rounds; round++) {
    const pair = ['subject', 'baseline'] as const;
    for (const who of round % 2 === 0 ? pair : pair.toReversed()) seen[who].push(await run(who, round));
  }
  const pick = (who: keyof typeof seen, field: keyof Round) => seen[who].map((round) => round[field]);
  return {
    subjectPerSecond: median(pick('subject', 'perSecond')),
    baselinePerSecond: median(pick('baseline', 'perSecond')),
    subjectCpuEach: median(pick('subject', 'cpuEach')),
    ratio: medianRatio(pick('subject', 'perSecond'), pick('baseline', 'perSecond')),
    /** By CPU time per request, which other load on the machine disturbs less. */
    cpuRatio: medianRatio(pick('baseline', 'cpuEach'), pick('subject', 'cpuEach')),
  };
}

/** Both under the same load. */
export async function compare(
  load: Load,
  subject: Contender,
  baseline: Contender,
  { rounds, roundMs, warmUpRequests }: Rounds,
): Promise<Comparison> {
  for (const { target } of [subject, baseline])
    await load.run({ ...target, connections, requests: warmUpRequests });
  return alternate(rounds, async (who) => {
    const { pid, target } = { subject, baseline }[who];
    const before = readCpuSeconds(pid);
    const { count, seconds } = await load.run({ ...target, connections, milliseconds: roundMs });
    return { perSecond: count / seconds, cpuEach: (readCpuSeconds(pid) - before) / count };
  });
}

/** Figures of a comparison. The target applies to CPU time, or to requests where CPU time is not available. */
export function buildRatioFigures(name: string, seen: Comparison, atLeast?: number): Figure[] {
  const ratio: Figure = { name: `${name}: ratio of requests per second`, value: seen.ratio, unit: 'ratio' };
  const rates: Figure[] = [
    { name: `${name}: requests`, value: seen.subjectPerSecond, unit: 'perSecond' },
    { name: `${name}: bare node:http`, value: seen.baselinePerSecond, unit: 'perSecond' },
  ];
  const target = atLeast === undefined ? {} : { atLeast };
  if (Number.isNaN(seen.cpuRatio)) return [...rates, { ...ratio, ...target }];
  const cpu = { name: `${name}: ratio by CPU time`, value: seen.cpuRatio, unit: 'ratio' } as const;
  return [...rates, ratio, { ...cpu, ...target }];
}

export type Bare = { readonly pid: number; readonly port: number; readonly close: () => Promise<void> };

export async function startBare(answer: BareAnswer): Promise<Bare> {
  const child = startNode('bench/bareServer.ts', { place: 'server' });
  const ready = nextMessage<{ port: number }>(child);
  child.send(answer);
  return { pid: child.pid as number, port: (await ready).port, close: () => stopProcess(child) };
}

/** Fetches replies for the baseline: the headers of the first, the bodies of all. */
export async function takeAnswers(
  urls: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<BareAnswer> {
  const answers: { response: IncomingMessage; body: Buffer }[] = [];
  for (const url of urls) {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      get(url, { headers }, resolve).on('error', reject),
    );
    answers.push({ response, body: await buffer(response) });
  }
  const [first] = answers;
  if (first === undefined) throw new RangeError('There is no URL to fetch.');
  return {
    status: first.response.statusCode as number,
    headers: dropAdded(first.response.rawHeaders),
    bodies: answers.map(({ body }) => body.toString('base64')),
  };
}

/** Node adds these headers to the baseline as well. */
const added = new Set(['date', 'connection', 'keep-alive', 'content-length']);

function dropAdded(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => !added.has((rawHeaders[at - (at % 2)] as string).toLowerCase()));
}
