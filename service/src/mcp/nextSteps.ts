// The tool that lists what a wallet may do with a task: until when, at what cost and by which command.

import { buildCommand, type Cost, findWrite, parseTaskRecord, type TaskRecord } from '@svc/sdk/actions';
import {
  type Address,
  formatTok,
  formatUsdc,
  isSameAddress,
  isTerminal,
  marketParameters,
  type Role,
  roles,
} from '@svc/sdk/domain';
import { addressSchema, stateSchema, taskIdSchema, timeSchema } from '@svc/sdk/schemas';
import * as z from 'zod';
import { addressArgument, defineTool, type Tool, taskIdArgument } from './tool.ts';

type NextAction = TaskRecord['nextActions'][number];

const stepSchema = z.object({
  action: z.string().describe('A prepare action.'),
  as: z.enum(roles),
  when: z.enum(['now', 'later']),
  from: timeSchema.nullable().describe('First second, Unix; null: possible already.'),
  until: timeSchema.nullable().describe('Last second, Unix; null: no end.'),
  cost: z.string().describe('What it costs beyond gas.'),
  risk: z.string().nullable(),
  command: z.string().describe('Builds the unsigned calls; words in <angle brackets> are yours to fill in.'),
});

const outputSchema = z.object({
  taskId: taskIdSchema,
  state: stateSchema,
  address: addressSchema,
  roles: z.array(z.enum(roles)),
  now: timeSchema,
  steps: z.array(stepSchema),
  summary: z.string(),
});

export const nextStepsTool: Tool = defineTool({
  name: 'svc_task_next_steps',
  title: 'What may I do with this task?',
  description:
    'What a wallet may do with a task now or later: each step with its time window, its cost, its risk and the exact ' +
    'svc prepare command. Call it after every change and before every action.',
  input: z.object({ taskId: taskIdArgument, address: addressArgument }),
  output: outputSchema,
  run: async ({ taskId, address }, { market, now: readNow }) => {
    const [{ task }, now] = await Promise.all([market.task(taskId), readNow()]);
    const mine = rolesOf(task, address);
    const steps = task.nextActions
      .filter(({ by, until }) => mine.includes(by) && (until === null || until >= now))
      .filter(({ action }) => !(action === 'claim-task' && mine.includes('poster')))
      .flatMap((next) => buildSteps(task, next, address, now));
    return { taskId, state: task.state, address, roles: mine, now, steps, summary: summarize(task, steps) };
  },
});

function rolesOf(task: TaskRecord, address: Address): Role[] {
  const is = (party: string | null | undefined) => isSameAddress((party ?? '0x') as Address, address);
  return [
    ...(is(task.poster) ? (['poster'] as const) : []),
    ...(is(task.worker) ? (['worker'] as const) : []),
    ...(is(task.dispute?.judge) ? (['arbitrator'] as const) : []),
    ...(maySponsor(task) && !is(task.poster) && !is(task.worker) ? (['sponsor'] as const) : []),
    'anyone',
  ];
}

/** Only an unanswered dispute needs somebody who pays for the worker. */
function maySponsor({ dispute }: TaskRecord): boolean {
  return dispute?.phase === 'ANSWERING';
}

/** One for each form in which the action can be taken. */
function buildSteps(record: TaskRecord, next: NextAction, address: Address, now: number) {
  const { by, from, until } = next;
  const action = findWrite(next.action);
  if (action === undefined) throw new RangeError(`${next.action} is no action of the catalog`);
  const task = parseTaskRecord(record);
  const costs = action.costs?.({ task, figures: marketParameters[task.market] }) ?? [];
  const step = {
    action: action.name,
    as: by,
    when: from === null || from <= now ? ('now' as const) : ('later' as const),
    from,
    until,
    cost: costs.length === 0 ? 'gas only' : costs.map(describeCost).join(', '),
    risk: action.risk(task),
  };
  const known = { taskId: record.id, ...action.seen?.(task) };
  return (action.forms?.(by) ?? [{}]).map((form) => ({
    ...step,
    command: buildCommand(action.name, { ...known, ...form, from: address }),
  }));
}

function describeCost({ kind, token, amount }: Cost): string {
  const sum = `${token === 'TOK' ? formatTok(amount) : formatUsdc(amount)} ${token}`;
  if (kind === 'accessFee') return `${sum} access fee (Action Credits pay first)`;
  return kind === 'collateralBond' ? `${sum} of your deposit locked` : `${sum} held`;
}

function summarize(
  task: TaskRecord,
  steps: readonly { when: string; action: string; from: number | null }[],
) {
  if (isTerminal(task.state)) return `The task is ${task.state}: nothing is left to do.`;
  const now = steps.filter(({ when }) => when === 'now').map(({ action }) => action);
  if (now.length > 0) return `The task is ${task.state}. You may now: ${[...new Set(now)].join(', ')}.`;
  const next = steps.map(({ from }) => from ?? 0).sort((left, right) => left - right)[0];
  if (next !== undefined)
    return `The task is ${task.state}. You may do nothing before ${new Date(next * 1000).toISOString()}.`;
  return `The task is ${task.state}, and it is not your turn.`;
}
