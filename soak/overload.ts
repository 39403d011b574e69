// Notices when the machine itself is too busy: then the chain is slow though nobody broke it, and that explains
// failures as well as a fault would.
import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from './journal.ts';
import type { Stage } from './stage.ts';

const probeEveryMs = 250;
/** A chain in memory answers within milliseconds. */
const slowMs = 1_000;
/** What was begun in that time may end later: no request to a chain is waited for any longer. */
const aftermathMs = 10_000;

export function watchOverload({ client }: Stage, journal: Journal): { readonly end: () => Promise<void> } {
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const from = journal.now();
      await client.getBlockNumber().catch(() => undefined);
      const to = journal.now();
      if (to - from > slowMs) note(journal, from, to);
      await pause(probeEveryMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return {
    end: async () => {
      stop.abort();
      await watching;
    },
  };
}

/** A chain that a fault has frozen is slow as well; that is told as the fault alone. */
function note({ windows }: Journal, from: number, to: number): void {
  const isFrozen = windows.some(
    (window) => window.detail === 'chain' && window.from <= to && from <= window.to,
  );
  if (isFrozen) return;
  const last = windows.findLast(({ kind }) => kind === 'overload');
  if (last !== undefined && from <= last.to) Object.assign(last, { mendedAt: to, to: to + aftermathMs });
  else
    windows.push({
      kind: 'overload',
      detail: 'the machine is too busy',
      from,
      mendedAt: to,
      to: to + aftermathMs,
      servers: null,
      isExcuse: true,
      recovered: true,
    });
}
