// A task on its way, and a wallet's next steps with it, as the tool returns them.

import { buildTaskRecord } from '#sdk/actions/taskRecord.ts';
import { noFacts } from '#sdk/domain/task.ts';
import { hashCriteria } from '#sdk/domain/terms.ts';
import type { AccountName } from '#service/devnet/accounts.ts';
import { nextStepsTool } from '#service/mcp/nextSteps.ts';
import type { ToolContext } from '#service/mcp/tool.ts';
import { offer } from '../support/preparing.ts';
import { preparing } from './market.ts';

/** Posts and funds a task, and brings it this far. */
export async function bring(
  until: 'claimed' | 'active' | 'delivered',
  tok: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { act } = preparing;
  const posting = { ...offer, totalAmountTok: tok, fundNowTok: tok, ...more };
  const { taskId } = await act('post-task', 'newcomer', posting);
  await act('claim-task', 'visitor', { taskId });
  if (until !== 'claimed') await act('start-work', 'newcomer', { taskId });
  const proof = { proofHash: hashCriteria('work'), uri: 'https://work.example/1.zip' };
  if (until === 'delivered') await act('submit-proof', 'visitor', { taskId, ...proof });
  return taskId;
}

export type Step = Readonly<Record<'action' | 'as' | 'when' | 'cost', string>> & {
  readonly risk: string | null;
  /** For `svc_prepare`. */
  readonly arguments: Readonly<Record<string, unknown>>;
};

type ToolStep = Omit<Step, 'action' | 'arguments'> & {
  readonly arguments: Pick<Step, 'action' | 'arguments'>;
};

export async function stepsOf(taskId: string, who: AccountName): Promise<readonly Step[]> {
  const { taskOf, addressOf, access } = preparing;
  const task = buildTaskRecord(await taskOf(taskId), noFacts);
  const reads = { market: { task: async () => ({ task }) }, now: access.reads.readNow };
  const asked = { taskId, address: addressOf(who) };
  const { signal } = new AbortController();
  const { steps } = await nextStepsTool.run(asked as never, reads as unknown as ToolContext, signal);
  return (steps as readonly ToolStep[]).map((step) => ({ ...step, ...step.arguments }));
}
