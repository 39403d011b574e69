// Ends conversations: 90 days after their last message, or after the end of the task they are about, whichever is later.

import { isTerminal, type Task } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import type { MailboxStore } from '../store/mailboxes.ts';
import type { StandingStore } from '../store/standing.ts';
import { mailLimits } from './mailLimits.ts';

export type MailSweepNeeds = {
  readonly store: Pick<MailboxStore, 'loadDue' | 'loadWires' | 'keepUntil' | 'removeConversation'>;
  readonly loadShared: StandingStore['loadShared'];
  /** Whether every event of the chain is known. Without them a task may be missing, and nothing is removed. */
  readonly isShown: () => Promise<boolean>;
};

const conversationsAtOnce = 100;
/** When a conversation about a live task is checked again. */
const againSeconds = 86_400;

export function createMailSweep({ store, loadShared, isShown }: MailSweepNeeds) {
  /** `past` is a moment that has certainly passed. */
  return async (past: number, signal: AbortSignal): Promise<void> => {
    const due = await store.loadDue(past, conversationsAtOnce);
    if (due.length === 0 || !(await isShown())) return;
    for (const { root, opener, other, lastAt } of due) {
      if (signal.aborted) return;
      const shared = await loadShared(opener, other);
      const digests = shared.length === 0 ? new Set<Hex>() : readDigests(await store.loadWires(root));
      const linked = shared.filter(
        ({ settlementDigest }) => settlementDigest && digests.has(settlementDigest),
      );
      // Without an offer in it, such as evidence for a judge, every task of the two counts.
      const tasks = digests.size === 0 ? shared : linked;
      const until = Math.max(lastAt + mailLimits.keptSeconds, ...tasks.map((task) => findEnd(task, past)));
      if (until < past) await store.removeConversation(root, lastAt);
      else await store.keepUntil(root, until, lastAt);
    }
  };
}

function findEnd({ state, updatedAt }: Task, past: number): number {
  return isTerminal(state) ? updatedAt + mailLimits.keptSeconds : past + againSeconds;
}

/** The settlement digests that were offered. A task id in a message links nothing. */
function readDigests(wires: readonly string[]): Set<Hex> {
  const digests: unknown[] = wires.map((wire) => JSON.parse(wire).envelope.payload.settlementDigest);
  return new Set(
    digests.filter((digest) => typeof digest === 'string').map((digest) => digest.toLowerCase() as Hex),
  );
}
