// Reads the task that an action is about.
import { SvcError } from '#domain/errors.ts';
import type { Task } from '#domain/task.ts';
import { formatTaskId, type TaskKey } from '#domain/taskId.ts';
import type { PrepareNeeds } from '../needs.ts';

export async function readTaskOf({ chain }: PrepareNeeds, key: TaskKey): Promise<Task> {
  const task = await chain.readTask(key.market, key.number);
  if (task === null) throw new SvcError('TASK_NOT_FOUND', { taskId: formatTaskId(key) });
  return task;
}
