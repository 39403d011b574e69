// The tools that read the market: lists of tasks, one task, and the reputation of a wallet.

import type { TaskDetail } from '@svc/sdk/actions';
import type { Address } from '@svc/sdk/domain';
import { readReputation } from '@svc/sdk/internal/chain/readAgents';
import { maxSearchLength } from '@svc/sdk/internal/domain/searchWords';
import { reputationBoardSchema } from '@svc/sdk/internal/schemas/boards';
import { listSorts } from '@svc/sdk/internal/schemas/listQueries';
import { marketSchema, metaSchema } from '@svc/sdk/internal/schemas/primitives';
import { stateSchema } from '@svc/sdk/internal/schemas/task';
import * as z from 'zod';
import { collectPapers, fillWords, findUnsent, listReaders } from './privatePapers.ts';
import { taskViewSchema, viewTask } from './taskView.ts';
import {
  addressArgument,
  cursorArgument,
  defineTool,
  limitArgument,
  marketArgument,
  type Tool,
  type ToolContext,
  taskIdArgument,
} from './tool.ts';
import { tryOpen } from './toolMail.ts';
import {
  type Summarized,
  setDetailApart,
  setTextsApart,
  setTimelineApart,
  setUriApart,
  summarizeTask,
  taskSummarySchema,
  titleWarning,
  toolDetailSchema,
  toolOpenTaskSchema,
  toolTaskSchema,
  toolTimelineSchema,
} from './untrusted.ts';

const timelineCursorArgument = z
  .string()
  .regex(/^[0-9]{1,15}\.[0-9]{1,9}$/)
  .optional()
  .describe('nextCursor of the page before, to go on from there.');

const page = {
  market: marketArgument,
  limit: limitArgument,
  cursor: cursorArgument,
  detail: z.enum(['summary', 'full']).default('summary').describe('full is eight times as long'),
};
/** Few, since every model that connects pays for their description. */
const filters = {
  q: z.string().min(1).max(maxSearchLength).optional().describe('words in texts, ids and addresses'),
  tag: z.string().min(1).max(60).optional(),
  sort: z.enum(listSorts).optional(),
};
const pageReply = {
  count: z.int(),
  total: z.int().nullable().optional(),
  nextCursor: z.string().nullable(),
  meta: metaSchema.optional(),
  warning: z.string().optional(),
};
const pageOf = (full: z.ZodObject) =>
  z.object({ tasks: z.array(z.union([full, taskSummarySchema])), ...pageReply });
const taskPage = pageOf(toolTaskSchema);

export const marketTools: readonly Tool[] = [
  defineTool({
    name: 'svc_list_open_tasks',
    title: 'Open tasks',
    description:
      'Tasks that can be claimed now, newest first unless sorted. Start here to find work. Then svc_get_task for criteria and milestones, ' +
      'and svc_task_next_steps for how to claim.',
    input: z.object({ ...page, ...filters, fullyFunded: z.boolean().optional() }),
    output: pageOf(toolOpenTaskSchema),
    run: async ({ detail, ...query }, { market }) => {
      const list = await market.open(query);
      const tasks = list.tasks.map(setUriApart);
      return detail === 'full' ? { ...list, tasks } : summarizePage(list, tasks);
    },
  }),
  defineTool({
    name: 'svc_list_recent_tasks',
    title: 'Recent tasks',
    description: 'The newest tasks of a market in any state. Private tasks are not listed.',
    input: z.object({ ...page, ...filters, state: stateSchema.optional() }),
    output: taskPage,
    run: async ({ detail, ...query }, { market }) => showPage(await market.recent(query), detail),
  }),
  defineTool({
    name: 'svc_get_task',
    title: 'One task',
    description:
      'One task as you need it to act: state, whose move and until when, parties, amounts, words and criteria, deliveries, ' +
      'dispute with evidence and ruling. leftOut names what was cut. Private tasks are found by their id too.',
    input: z.object({
      taskId: taskIdArgument,
      address: addressArgument
        .optional()
        .describe('A party or judge of a private task: with its words, from the messages of this wallet.'),
      detail: z
        .enum(['brief', 'full'])
        .default('brief')
        .describe('full: uncut, with hashes and transactions'),
    }),
    output: z.object({
      warning: taskViewSchema.shape.warning.optional(),
      task: z.union([toolDetailSchema, taskViewSchema.shape.task]),
      leftOut: taskViewSchema.shape.leftOut.optional(),
      meta: metaSchema.optional(),
    }),
    run: async ({ taskId, address, detail }, context) => {
      const { market, now } = context;
      const { task: record, meta } = await market.task(taskId);
      const { task, missing } = await readPrivate(record, address, context);
      if (detail === 'full')
        return { task: setDetailApart(task), ...(missing && { leftOut: [missing] }), meta };
      const view = viewTask(task, await now());
      return { ...view, leftOut: [...view.leftOut, ...(missing ? [missing] : [])] };
    },
  }),
  defineTool({
    name: 'svc_get_timeline',
    title: 'History of a task',
    description:
      'What happened to one task, oldest first: every event on chain with its time and transaction, and the documents ' +
      'that events name. Sums in args are wei of TOK.',
    input: z.object({ taskId: taskIdArgument, limit: limitArgument, cursor: timelineCursorArgument }),
    output: toolTimelineSchema,
    run: async ({ taskId, ...query }, { market }) => setTimelineApart(await market.timeline(taskId, query)),
  }),
  listOf(
    'svc_list_tasks_by_poster',
    'posterTasks',
    'Tasks a wallet posted',
    'Tasks that a wallet posted on a market, newest first, private ones included.',
  ),
  listOf(
    'svc_list_tasks_by_worker',
    'workerTasks',
    'Tasks a wallet works on',
    'Tasks whose worker is a wallet, newest first, finished ones included.',
  ),
];

function listOf(name: string, list: 'posterTasks' | 'workerTasks', title: string, description: string): Tool {
  return defineTool({
    name,
    title,
    description,
    input: z.object({ address: addressArgument, ...page }),
    output: taskPage,
    run: async ({ address, detail, ...query }, { market }) =>
      showPage(await market[list](address, query), detail),
  });
}

/**
 * A party of a private task reads it as a public one, and learns what it lacks for that. Nobody is asked to sign in for a task
 * of others.
 */
export async function readPrivate(
  task: TaskDetail,
  given: Address | undefined,
  context: ToolContext,
): Promise<{ readonly task: TaskDetail; readonly missing?: string }> {
  if (task.scope !== 'private') return { task };
  const { papers, readOwnAddress } = context;
  const address = given ?? (await readOwnAddress());
  const own = 'the words of this private task: only the messages of its parties and judge have them';
  if (address === null)
    return { task, missing: `${own}; svc_get_task of svc mcp, with address of one, shows them` };
  const readers = listReaders(task, address);
  if (readers.length === 0) return { task, missing: `${own}; ${address} is none` };
  const opened = await tryOpen(context, address, { with: readers });
  if ('mailbox' in opened) {
    const { transcripts } = opened.mailbox;
    const shown = fillWords(task, collectPapers(task.id, transcripts, papers));
    if (findUnsent(task, address, transcripts, papers) === null) return { task: shown };
    const missing =
      'nothing; but others lack documents or keys that this wallet has: svc_send_message with from and taskId alone sends them';
    return { task: shown, missing };
  }
  const shown = fillWords(task, collectPapers(task.id, [], papers));
  if ('refusal' in opened) return { task: shown, missing: `${own}. ${opened.refusal}` };
  const page = opened.request.approvalUrl ?? `request ${opened.request.requestId}`;
  return { task: shown, missing: `${own}; let the owner approve the session at ${page}, then call again` };
}

type TaskPage = Awaited<ReturnType<ToolContext['market']['recent']>>;

function showPage(list: TaskPage, detail: 'summary' | 'full'): z.input<typeof taskPage> {
  const tasks = list.tasks.map(setTextsApart);
  return detail === 'full' ? { ...list, tasks } : summarizePage(list, tasks);
}

function summarizePage(
  { count, total, nextCursor }: Pick<TaskPage, 'count' | 'total' | 'nextCursor'>,
  tasks: readonly Summarized[],
) {
  return { tasks: tasks.map(summarizeTask), count, total, nextCursor, warning: titleWarning };
}

const count = z.int().nonnegative();

export const reputationTool: Tool = defineTool({
  name: 'svc_get_agent_reputation',
  title: 'Reputation of a wallet',
  description:
    'How often a wallet posted, claimed, completed, won and lost disputes, left or was dismissed on a market, and the ' +
    'score that follows. Look before you work for or hire a stranger.',
  input: z.object({ address: addressArgument, market: marketArgument }),
  output: reputationBoardSchema.shape.agents.element
    .omit({ rank: true, won: true, lost: true, outcomes: true, earnedTokWei: true })
    .extend({ market: marketSchema, disputesWon: count, disputesLost: count }),
  run: async ({ address, market }, { connectChain }) => {
    const { rpc, contracts } = await connectChain();
    return { address, market, ...(await readReputation(rpc, contracts[market], address)) };
  },
});
