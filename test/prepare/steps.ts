// A wallet's next steps with a task, as the tool returns them.

import { buildTaskRecord } from '#sdk/actions/taskRecord.ts';
import { noFacts } from '#sdk/domain/task.ts';
import type { AccountName } from '#service/devnet/accounts.ts';
import { nextStepsTool } from '#service/mcp/nextSteps.ts';
import type { ToolContext } from '#service/mcp/tool.ts';
import type { Preparing } from '../support/preparing.ts';

export type Step = Readonly<Record<'action' | 'as' | 'when' | 'cost', string>> & {
  readonly risk: string | null;
  /** For `svc_prepare`. */
  readonly arguments: Readonly<Record<string, unknown>>;
};

type ToolStep = Omit<Step, 'action' | 'arguments'> & {
  readonly arguments: Pick<Step, 'action' | 'arguments'>;
};

export async function stepsOf(
  { taskOf, addressOf, access }: Preparing,
  taskId: string,
  who: AccountName,
): Promise<readonly Step[]> {
  const task = buildTaskRecord(await taskOf(taskId), noFacts);
  const reads = { market: { task: async () => ({ task }) }, now: access.reads.readNow };
  const asked = { taskId, address: addressOf(who) };
  const { signal } = new AbortController();
  const { steps } = await nextStepsTool.run(asked as never, reads as unknown as ToolContext, signal);
  return (steps as readonly ToolStep[]).map((step) => ({ ...step, ...step.arguments }));
}
