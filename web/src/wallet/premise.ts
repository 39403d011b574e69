// Whether what a dialog shows still holds: the task, in the reader's time, and the shown costs against the current ones.
import { findTaskChange as findChange } from '@svc/sdk/internal/send/premise';
import { showMoments } from '../data/format.ts';
import type { CostLine } from './costLines.ts';

/** Why the wallet should not sign the action any more, in a sentence for its owner; null while nothing speaks against it. */
export function findTaskChange(...of: Parameters<typeof findChange>): string | null {
  const change = findChange(...of);
  return change === null ? null : showMoments(change);
}

/**
 * A cost that is gone is paid or no longer needed; one that is new or different has to be seen before it is signed. More for
 * the reader, such as a reward that grows meanwhile, is no reason to stop. Where the calls themselves stay the same, the lines
 * are `fixed`: then one that is gone, or goes to another wallet, is a change as well.
 */
export function findCostChange(
  shown: readonly CostLine[],
  costs: readonly CostLine[],
  are: 'planned' | 'fixed' = 'planned',
): string | null {
  // Two lines may have one name, such as a milestone and a bond that go to the same party.
  const left = [...shown];
  const changed = `The ${are === 'fixed' ? 'amounts' : 'costs'} have changed.`;
  for (const { what, amount, note, isGain = false, tokWei = 0n } of costs) {
    const isMore = (line: CostLine) => isGain && line.tokWei !== undefined && tokWei > line.tokWei;
    const isKept = (line: CostLine) => are === 'planned' || line.note === note;
    const same = left.findIndex(
      (line) => line.what === what && isKept(line) && (line.amount === amount || isMore(line)),
    );
    if (same >= 0) left.splice(same, 1);
    else {
      const before = left.find((line) => line.what === what);
      if (before === undefined)
        return `There is a new ${are === 'fixed' ? 'line' : 'cost'}. ${what}: ${amount}.`;
      const now =
        before.amount === amount ? `${amount}, ${note}` : `now ${amount} instead of ${before.amount}`;
      return `${changed} ${what}: ${now}.`;
    }
  }
  const [gone] = are === 'fixed' ? left : [];
  return gone === undefined ? null : `${changed} ${gone.what}: no longer ${gone.amount}.`;
}
