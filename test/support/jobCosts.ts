// What docs/agents.md says that a job costs: the calls and tokens of all agents together.
import assert from 'node:assert/strict';
import { readTables } from '../docs/markdown.ts';
import { readGuide } from './guide.ts';

/** Calls are counted; tokens vary with the digits of hashes and amounts. */
export function checkCosts(
  job: string,
  { calls, tokens }: { readonly calls: number; readonly tokens: number },
): void {
  const [, ...rows] =
    readTables(readGuide('docs/agents.md').text).find(([head]) => head?.[0] === 'job') ?? [];
  const row = rows.find(([name]) => name === job) ?? assert.fail(job);
  const [saidCalls = 0, saidTokens = 0] = row.slice(1).map((figure) => Number(figure.replace(',', '')));
  assert.equal(calls, saidCalls, job);
  assert.ok(
    Math.abs(tokens - saidTokens) <= saidTokens / 20,
    `${job}: ${tokens} tokens, not about ${saidTokens}`,
  );
}
