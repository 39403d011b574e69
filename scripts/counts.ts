// Counts of passed and failed checks, and the line that closes a run.
import { stripVTControlCharacters } from 'node:util';

export type Counts = { readonly passed: number; readonly failed: number };

export function formatCounts({ passed, failed }: Counts): string {
  return `${passed} passed, ${failed} failed`;
}

export function addCounts(all: readonly Counts[]): Counts {
  const sum = (of: keyof Counts) => all.reduce((total, counts) => total + counts[of], 0);
  return { passed: sum('passed'), failed: sum('failed') };
}

/** The last closing line in a text, or nothing where there is none. */
export function parseCounts(text: string): Counts | undefined {
  const match = [...text.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
  return match && { passed: Number(match[1]), failed: Number(match[2]) };
}

/** One line for one failure, which `parseFailures` finds again in what a run has printed. */
export function formatFailure(file: string, test: string, reason: string): string {
  const [first = ''] = stripVTControlCharacters(reason).split('\n');
  return `FAILED ${file}: ${test}: ${first}`;
}

export function parseFailures(text: string): readonly string[] {
  return text.match(/^FAILED .+$/gm) ?? [];
}

/** Reads the summary of the Solidity runner; it leaves out a count of zero failures. */
export function parseSolidityCounts(output: string): Counts | undefined {
  const text = stripVTControlCharacters(output);
  const passing = [...text.matchAll(/^\s*(\d+) passing\b/gm)].at(-1);
  const failing = [...text.matchAll(/^\s*(\d+) failing\b/gm)].at(-1);
  return passing && { passed: Number(passing[1]), failed: Number(failing?.[1] ?? 0) };
}
