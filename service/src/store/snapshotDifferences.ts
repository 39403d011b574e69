// What a new reading of the same chain shows otherwise than the one before, noted page by page, told when it is shown.
import type { Generation, Task } from '@svc/sdk/domain';
import { saveChanges } from './changeRow.ts';
import type { Transaction } from './database.ts';
import { insertRows } from './insert.ts';
import { loadStoredTasks } from './projectionRows.ts';
import { encodeTask } from './taskRow.ts';

export async function saveDifferences(
  tx: Transaction,
  before: Generation,
  generation: Generation,
  tasks: readonly Task[],
): Promise<void> {
  const known = new Set((await loadStoredTasks(tx, before, tasks)).map(encodeTask));
  const rows = tasks
    .filter((task) => !known.has(encodeTask(task)))
    .map(({ market, number }) => [generation, market, Number(number)]);
  await insertRows(tx, 'differences', ['generation', 'market', 'number'], rows, 'ON CONFLICT DO NOTHING');
}

export async function tellDifferences(tx: Transaction, generation: Generation, block: bigint): Promise<void> {
  const rows = await tx.query<{ market: Task['market']; number: number }>(
    'SELECT market, number FROM differences WHERE generation = $1 ORDER BY market, number',
    [generation],
  );
  const keys = rows.map(({ market, number }) => ({ market, number: BigInt(number) }));
  await saveChanges(tx, await loadStoredTasks(tx, generation, keys), block);
  await tx.query('DELETE FROM differences WHERE generation = $1', [generation]);
}
