// What may be used once was used once, and what has a limit kept to it.
import type { Journal } from '../journal.ts';
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

export function checkRecords({ records }: Pick<Journal, 'records'>): Check {
  const tooMany = records.filter(({ taken }) => taken > freePostsPerDay);
  const others = records.filter(({ taken, shown }) => shown !== null && shown !== taken);
  return {
    name: 'Recorded posts are counted, and never beyond the limit',
    violations: [
      ...tooMany.map(({ address, taken }) => `${address}: ${taken} were taken`),
      ...others.map(
        ({ address, taken, shown }) => `${address}: ${taken} were taken, and ${shown} are counted`,
      ),
    ],
    basis: `${records.length} wallets that told six posts at once`,
  };
}
