// Wallets that share a task know each other: a conversation that one of them opened before leaves the list of unknown senders.
import { parseAddress } from '@svc/sdk/domain';
import type { TaskChange } from '../store/changes.ts';
import type { Consumer } from '../store/consume.ts';
import type { ConversationStore } from '../store/conversations.ts';
import type { StandingStore } from '../store/standing.ts';
import { listParties } from '../store/taskRow.ts';
import type { TaskStore } from '../store/tasks.ts';

export type AcquaintanceNeeds = {
  readonly store: Pick<ConversationStore, 'listUnknown' | 'listUnknownTo' | 'saveKnown'>;
  readonly loadShared: StandingStore['loadShared'];
  readonly tasks: Pick<TaskStore, 'loadTask'>;
};

const unknownAtOnce = 200;

export function createAcquaintances({ store, loadShared, tasks }: AcquaintanceNeeds): Consumer {
  /** Those of all conversations: there is no saying which tasks have changed. */
  async function findAll(): Promise<string[]> {
    const found: string[] = [];
    for (let after = ''; ; ) {
      const unknown = await store.listUnknown(after, unknownAtOnce);
      for (const { root, opener, other } of unknown)
        if ((await loadShared(parseAddress(opener), parseAddress(other))).length > 0) found.push(root);
      if (unknown.length < unknownAtOnce) return found;
      after = unknown.at(-1)?.root ?? after;
    }
  }

  /** Those of the parties and judges of these tasks. */
  async function findOf(changes: readonly TaskChange[]): Promise<string[]> {
    const shared: string[][] = [];
    for (const { market, number } of changes) {
      const stored = await tasks.loadTask(market, number);
      if (stored !== null) shared.push(listParties(stored.task));
    }
    const unknown = await store.listUnknownTo([...new Set(shared.flat())]);
    const isShared = (opener: string, other: string) =>
      shared.some((group) => group.includes(opener) && group.includes(other));
    return unknown.filter(({ opener, other }) => isShared(opener, other)).map(({ root }) => root);
  }

  return {
    name: 'acquaintances',
    handle: async ({ reset, changes, upTo }, move) => {
      const roots = reset === null ? await findOf(changes) : await findAll();
      await move(upTo, (tx) => store.saveKnown(tx, roots));
    },
  };
}
