// A change as a row, the source of server-sent events.
import type { Task } from '@svc/sdk/domain';
import type { Param, Transaction } from './database.ts';
import { insertRows } from './insert.ts';

const columns = ['market', 'task_number', 'block_number', 'state', 'poster', 'worker', 'scope'] as const;

/** Stored instead of a state when rows were rebuilt or removed, so that the sequence contains the reset. */
export const resetState = 'RESET';

/** How many changes are kept for clients that come back. */
const keptChanges = 100_000;

export async function saveChanges(tx: Transaction, tasks: readonly Task[], block: bigint): Promise<void> {
  if (tasks.length === 0) return;
  const rows = tasks.map((task): Param[] => [
    task.market,
    Number(task.number),
    Number(block),
    task.state,
    task.poster.toLowerCase(),
    task.worker?.toLowerCase() ?? null,
    task.scope,
  ]);
  await insertRows(tx, 'changes', columns, rows);
  await tx.query('DELETE FROM changes WHERE seq <= (SELECT MAX(seq) FROM changes) - $1', [keptChanges]);
}

export async function saveReset(tx: Transaction, block: bigint): Promise<void> {
  await insertRows(tx, 'changes', columns, [['', 0, Number(block), resetState, '', null, '']]);
}
