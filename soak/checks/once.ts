// What may be used once was used once, and what has a limit kept to it.
import type { Journal, Records } from '../journal.ts';
import type { Check } from './check.ts';

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

export function checkRecords({ records, windows }: Pick<Journal, 'records' | 'windows'>): Check {
  // A jump ahead ends the wait of posts that were told before it, and leaves room for as many again.
  const countJumps = ({ from, to }: Records) =>
    windows.filter((window) => window.kind === 'clock' && window.from <= to && window.to >= from).length;
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
    basis: `${records.length} wallets that told six posts at once`,
  };
}
