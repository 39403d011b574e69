// Checks of what a run recorded: failed requests, single use of receipts and payments, limits, memory.
import { isExcused, type Journal, type MoveResult, type Records, type Window } from '../journal.ts';
import type { Sample } from '../server.ts';

export type Check = {
  readonly name: string;
  readonly violations: readonly string[];
  /** What was checked, so that «none» has a meaning. */
  readonly basis: string;
};

type Seen = Pick<Journal, 'answers' | 'windows' | 'moves'>;

export function checkAnswers({ answers, windows }: Seen): Check {
  const failed = answers.filter(({ status }) => status === 0 || status >= 500);
  const unexcused = failed.filter(
    ({ from, to, server, status }) =>
      !isExcused({ windows }, from, to, server) && !(status === 507 && isDiskFull(windows, from, to)),
  );
  return {
    name: 'No request fails while nothing is broken',
    violations: unexcused.map(
      ({ from, server, what, status, detail }) =>
        `${seconds(from)} ${server}, ${what}: ${status === 0 ? 'no answer' : status} ${detail}`,
    ),
    basis: `${answers.length} answers; ${failed.length - unexcused.length} failed while something was broken`,
  };
}

/** Gateways whose files lie on the full disk say so, and answer everything else. */
function isDiskFull(windows: readonly Window[], from: number, to: number): boolean {
  return windows.some((window) => window.kind === 'disk' && from <= window.to && to >= window.from);
}

/** `failures` come from the logs of the servers. */
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

/** After this many tries of a kind it is clear whether it works. Some are refused for good reasons. */
const tellingTries = 50;
const leastDone = 0.1;

/** Kinds of moves that are nearly always refused, with the most frequent reason. */
function listRefused(moves: Seen['moves']): string[] {
  return [...Map.groupBy(moves, ({ move }) => move)].flatMap(([move, all]) => {
    const tries = all.filter(({ outcome }) => outcome !== 'nothing to do');
    const refused = tries.filter(({ outcome }) => outcome === 'refused');
    const done = tries.filter(({ outcome }) => outcome === 'done').length;
    if (tries.length < tellingTries || done >= tries.length * leastDone) return [];
    const reasons = [...Map.groupBy(refused, ({ detail }) => detail)];
    const [reason, some] = reasons.toSorted(([, left], [, right]) => right.length - left.length)[0] ?? [];
    return [`${move}: ${done} of ${tries.length} done; ${some?.length ?? 0} refused: ${reason}`];
  });
}

/** A list may lag behind: whoever acts by it is rightly refused where the task has moved on meanwhile. */
function isOutdated({ listed, onChain }: NonNullable<MoveResult['task']>): boolean {
  return JSON.stringify(listed) !== JSON.stringify(onChain);
}

export function checkMoves({ moves, windows }: Seen): Check {
  const failed = moves.filter(
    ({ outcome, task }) => outcome === 'failed' || (task !== undefined && !isOutdated(task)),
  );
  const outdated = moves.filter(({ task }) => task !== undefined && isOutdated(task)).length;
  // A move may use every server, and all of them need the chain.
  const isMet = (from: number, to: number) =>
    windows.some((window) => window.isExcuse && from <= window.to && to >= window.from);
  const counts = Object.entries(Object.groupBy(moves, ({ outcome }) => outcome));
  return {
    name: 'No tool fails while nothing is broken',
    violations: [
      ...failed
        .filter(({ at, to }) => !isMet(at, to))
        .map(({ at, who, move, detail }) => `${seconds(at)} ${who}, ${move}: ${detail}`),
      ...listRefused(moves),
    ],
    basis: `${counts.map(([outcome, all]) => `${all?.length} ${outcome}`).join(', ')}; ${outdated} by a list behind the chain`,
  };
}

export function checkRecovery({ windows }: Pick<Seen, 'windows'>): Check {
  const faults = windows.filter(({ kind }) => kind !== 'overload');
  const busy = windows.filter(({ kind }) => kind === 'overload');
  const busyMs = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  const wasBusy = (window: Window) => busy.some(({ from, to }) => from <= window.to && to >= window.from);
  const longest = Math.max(0, ...faults.map(({ repairedAt, to }) => to - repairedAt));
  return {
    name: 'After every fault all is well again',
    violations: faults
      .filter((window) => window.trouble !== null && !wasBusy(window))
      .map(({ from, kind, detail, trouble }) => `${seconds(from)} ${kind} (${detail}): ${trouble}`),
    basis: `${faults.length} faults; the longest recovery took ${(longest / 1_000).toFixed(1)} s; the machine was too busy for ${(busyMs / 1_000).toFixed(0)} s`,
  };
}

/** What faults measured while they lasted. */
export function checkMeasured({ measured, forward }: Pick<Journal, 'measured' | 'forward'>): Check {
  const kept = measured.filter(({ isKept }) => isKept).map(({ what }) => what);
  return {
    name: 'What a fault may cost stays within its limits',
    violations: measured.filter(({ isKept }) => !isKept).map(({ what }) => what),
    basis: [`${forward} reads asked for a block that another replica had shown`, ...kept].join('; '),
  };
}

export function seconds(milliseconds: number): string {
  return `at ${(milliseconds / 1_000).toFixed(1)} s:`;
}

const freePostsPerDay = 3;

export function checkUses({ uses }: Pick<Journal, 'uses'>): Check {
  const kinds = Object.entries(uses) as [string, Map<string, number>][];
  return {
    name: 'No receipt, payment or purchase is used twice',
    violations: kinds.flatMap(([kind, all]) =>
      [...all].filter(([, times]) => times > 1).map(([name, times]) => `${kind} ${name}: ${times} times`),
    ),
    basis: kinds
      .map(
        ([kind, all]) =>
          `${[...all.values()].filter((times) => times > 0).length} of ${all.size} ${kind}s used`,
      )
      .join(', '),
  };
}

const jumps: readonly string[] = ['clock', 'rpc: wrong block times'];

export function checkRecords({ records, windows }: Pick<Journal, 'records' | 'windows'>): Check {
  // A clock that jumps, or seems to, expires pending posts and leaves room for as many again.
  const countJumps = ({ from, to }: Records) =>
    windows.filter(({ kind, ...window }) => jumps.includes(kind) && window.from <= to && window.to >= from)
      .length;
  const tooMany = records.filter((record) => record.taken > freePostsPerDay * (1 + countJumps(record)));
  const others = records.filter(({ taken, shown }) => shown !== null && shown !== taken);
  return {
    name: 'Recorded posts are counted, and never beyond the limit',
    violations: [
      ...tooMany.map(
        ({ address, taken, from, to }) =>
          `${address}: ${taken} were taken from ${Math.round(from)} to ${Math.round(to)} ms`,
      ),
      ...others.map(
        ({ address, taken, shown }) => `${address}: ${taken} were taken, and ${shown} are counted`,
      ),
    ],
    basis: `${records.length} wallets that recorded six posts at once`,
  };
}

/** Allowed growth of caches and heap: this share, or at least this many megabytes. */
const allowedShare = 0.15;
const allowedMegabytes = 24;
/** Whatever has happened: three eighths of what the units allow. An oversized answer leaves up to 100 MB with the allocator. */
const mostMegabytes = 384;
/** A younger heap is still growing to its size. */
const shortestMs = 60_000;

export type WatchedMemory = { readonly name: string; readonly samples: readonly Sample[] };

export function checkMemory(watched: readonly WatchedMemory[]): Check {
  const judged = watched.filter(({ samples }) => spanOf(samples) >= shortestMs);
  const growths = judged.map(({ name, samples }) => ({ name, ...findGrowth(samples) }));
  return {
    name: 'Memory is flat',
    violations: growths.flatMap(({ name, growth, level, last }) => {
      if (last > mostMegabytes) return [`${name} holds ${last.toFixed(0)} MB`];
      if (growth <= Math.max(allowedMegabytes, level * allowedShare)) return [];
      return [`${name} grew by ${growth.toFixed(1)} MB from ${level.toFixed(0)} MB`];
    }),
    basis:
      judged.length === 0
        ? 'the run is too short to judge it'
        : growths
            .map(({ name, growth }) => `${name} ${growth >= 0 ? '+' : ''}${growth.toFixed(1)} MB`)
            .join(', '),
  };
}

/**
 * The rise of the lowest samples over four quarters, without its largest step: memory rises between two collections, and once
 * when a flood or an oversized answer comes, because the allocator keeps what it got. A leak goes on.
 */
function findGrowth(samples: readonly Sample[]) {
  const quarter = Math.ceil(samples.length / 4);
  const lows = [0, 1, 2, 3].map((at) =>
    Math.min(...samples.slice(at * quarter, (at + 1) * quarter).map(({ megabytes }) => megabytes)),
  );
  const [level = 0, last = 0] = [lows[0], lows.at(-1)];
  const steps = lows.slice(1).map((low, at) => low - (lows[at] ?? low));
  return { growth: last - level - Math.max(0, ...steps), level, last };
}

function spanOf(samples: readonly Sample[]): number {
  return (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
}
