// What the page of a request showed of its money, against what holds now: nobody signs figures that were not on the page.
import type { ExplainedCall } from '@svc/sdk/actions';
import type { Call } from '@svc/sdk/chain';
import type { Address } from '@svc/sdk/domain';
import { useState } from 'react';
import { type CostLine, listMoney } from '../../wallet/costLines.ts';
import { findCostChange } from '../../wallet/premise.ts';
import type { useExplained } from '../../wallet/useExplained.ts';

type Shown = { readonly lines: readonly CostLine[]; readonly rest: string };

/** One for each call. */
function toShown(explained: readonly ExplainedCall[], me: Address): Shown[] {
  return explained.map((call) => ({
    lines: listMoney(call, { me, task: call.task }),
    rest: JSON.stringify([call.state, call.dangers, call.action?.risk(call.facts?.task)]),
  }));
}

/** In a sentence; null where all that was shown still holds. */
function findShownChange(shown: readonly Shown[], now: readonly Shown[]): string | null {
  for (const [at, { lines, rest }] of now.entries()) {
    const before = shown[at];
    const change = findCostChange(before?.lines ?? [], lines, 'fixed');
    if (change !== null) return change;
    if (rest !== before?.rest) return 'What the calls do to the task has changed.';
  }
  return null;
}

/** `change` is a sentence once the figures are other than at first; `accept` says that the reader has seen the new ones. */
export function useShownMoney(
  { explained, source, explain }: ReturnType<typeof useExplained>,
  owner: Address,
) {
  const [seen, setSeen] = useState<{ readonly source: string; readonly shown: readonly Shown[] } | null>(
    null,
  );
  const now = explained === undefined ? null : toShown(explained, owner);
  if (now !== null && source !== null && seen?.source !== source) setSeen({ source, shown: now });
  const isSame = now === null || seen === null || seen.source !== source;
  return {
    change: isSame ? null : findShownChange(seen.shown, now),
    accept: () => now !== null && source !== null && setSeen({ source, shown: now }),
    /** Before the first of the calls that are left is signed; throws the sentence. */
    check: async (left: readonly Call[]) => {
      if (seen === null) return;
      const change = findShownChange(seen.shown.slice(-left.length), toShown(await explain(left), owner));
      if (change !== null) throw new Error(`${change} It was not signed: read the figures again.`);
    },
  };
}
