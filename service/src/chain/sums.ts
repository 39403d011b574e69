// Whether the events of a task add up to what its contracts say. Old logs come without proof, and a list that lacks some would leave a
// history with a hole.
import type { Task } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { keyOfTask } from '../store/eventRows.ts';

type Sums = { isPosted: boolean; funded: bigint; released: bigint; refunded: bigint };

const amountOf: Readonly<Record<string, 'funded' | 'released' | 'refunded'>> = {
  'escrowVault.Funded': 'funded',
  'escrowVault.Released': 'released',
  'escrowVault.Refunded': 'refunded',
};

export function createSums() {
  const byTask = new Map<string, Sums>();

  return {
    /** Takes each event of a task once. */
    add: ({ market, taskNumber, contract, name, args }: ChainEvent): void => {
      if (taskNumber === null) return;
      const key = keyOfTask({ market, number: taskNumber });
      const sums = byTask.get(key) ?? { isPosted: false, funded: 0n, released: 0n, refunded: 0n };
      if (name === 'TaskPosted') sums.isPosted = true;
      const amount = amountOf[`${contract}.${name}`];
      if (amount !== undefined) sums[amount] += BigInt(String(args.amount));
      byTask.set(key, sums);
    },

    /** Tasks whose events do not add up to their state at the block where the events end. */
    listUnfit: (tasks: readonly Task[]): Task[] =>
      tasks.filter((task) => {
        const sums = byTask.get(keyOfTask(task));
        return (
          sums === undefined ||
          !sums.isPosted ||
          sums.funded !== task.funded ||
          sums.released !== task.released ||
          sums.refunded !== task.refunded
        );
      }),
  };
}
