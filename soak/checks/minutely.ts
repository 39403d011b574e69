// The audit of every minute: all rows and their history against the chain, between two faults, while the market is in use.
import { setTimeout as pause } from 'node:timers/promises';
import { createRpc } from '#sdk/chain/rpc.ts';
import { createChainSource } from '#service/chain/source.ts';
import { type FaultKind, faults } from '../faults/all.ts';
import type { Journal } from '../journal.ts';
import type { World } from '../world.ts';
import { auditRows, describeDifferences } from './kept.ts';
import { type Check, seconds } from './recorded.ts';

const everyMs = 60_000;
/** How long a wrong answer of the chain may be seen after it ended, while nothing else is broken. */
const healMs = 60_000;

export function createMinutely({ setup, journal }: World) {
  const { chainId, genesisHash } = setup.deployment;
  const rpc = createRpc({ urls: [setup.rpcUrl], chainId, genesisHash });
  const chain = { source: createChainSource(rpc, setup.deployment), rpc, deployment: setup.deployment };
  let last = journal.now();

  async function auditNow(): Promise<boolean> {
    last = journal.now();
    const results = await auditRows(chain, [...setup.sites.slice(0, 1), setup.small]);
    const differences = results.flatMap(({ name, differences }) => describeDifferences(name, differences));
    journal.audits.push({ at: journal.now(), tasks: results[0]?.tasks ?? 0, differences });
    return differences.length === 0;
  }

  return {
    /** Resolves at once where the last audit is younger than a minute. */
    audit: async () => {
      if (journal.now() - last >= everyMs) await auditNow();
    },
    /** After a forged answer: until every row is right again, or should be. */
    heal: async () => {
      while (wasForged(journal, journal.now()) && !(await auditNow())) await pause(5_000);
    },
    close: rpc.close,
  };
}

function wasForged({ windows }: Pick<Journal, 'windows'>, at: number): boolean {
  return windows.some(
    ({ kind, from, to }) =>
      faults[kind as FaultKind]?.forges && from <= at && at - to - sumBroken(windows, to, at) < healMs,
  );
}

/** Milliseconds of faults between two times; faults may overlap. */
function sumBroken(windows: Journal['windows'], from: number, to: number): number {
  let [sum, until] = [0, from];
  for (const window of windows.toSorted((left, right) => left.from - right.from)) {
    const end = Math.min(window.to, to);
    sum += Math.max(0, end - Math.max(window.from, until));
    until = Math.max(until, end);
  }
  return sum;
}

export function checkAudits({ audits, windows }: Pick<Journal, 'audits' | 'windows'>): Check {
  const healing = audits.filter(({ differences }) => differences.length > 0);
  return {
    name: 'Rows equal the chain every minute',
    violations: healing
      .filter(({ at }) => !wasForged({ windows }, at))
      .flatMap(({ at, differences }) => differences.map((difference) => `${seconds(at)} ${difference}`)),
    basis: `${audits.length} audits of up to ${Math.max(0, ...audits.map(({ tasks }) => tasks))} tasks; ${healing.length} found rows of a forged answer that were not yet compared again`,
  };
}
