// The tool that tells a wallet what it may do with a task, until when, at what cost and by which command.

import { buildCommand } from '@svc/sdk/actions';
import {
  type Address,
  type CostedTask,
  costOf,
  formatTok,
  formatUsdc,
  isSameAddress,
  isTerminal,
  marketParameters,
} from '@svc/sdk/domain';
import { addressSchema, stateSchema, taskIdSchema, type taskSchema, timeSchema } from '@svc/sdk/schemas';
import * as z from 'zod';
import { addressArgument, taskIdArgument } from './arguments.ts';
import { defineTool, type Tool } from './tool.ts';

type TaskRecord = z.output<typeof taskSchema>;
type NextAction = TaskRecord['nextActions'][number];
const roles = ['poster', 'worker', 'arbitrator', 'anyone'] as const;
type Role = (typeof roles)[number];

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
    ...(is(task.dispute?.arbitrator) ? (['arbitrator'] as const) : []),
    'anyone',
  ];
}

/** One for each form in which the action can be taken. */
function buildSteps(task: TaskRecord, next: NextAction, address: Address, now: number) {
  const { action, by, from, until } = next;
  const cost = costOf(action, costedTask(task), marketParameters[task.market]);
  const parts = [
    cost.feeTokWei > 0n && `${formatTok(cost.feeTokWei)} TOK access fee (Action Credits pay first)`,
    cost.lockedTokWei > 0n && `${formatTok(cost.lockedTokWei)} TOK held`,
    cost.lockedUsdcUnits > 0n && `${formatUsdc(cost.lockedUsdcUnits)} USDC of your deposit locked`,
  ].filter((part) => part !== false);
  const step = {
    action,
    as: by,
    when: from === null || from <= now ? ('now' as const) : ('later' as const),
    from,
    until,
    cost: parts.length === 0 ? 'gas only' : parts.join(', '),
    risk: cost.risk,
  };
  const forms = action === 'mutual-settle' ? settleForms(by) : [more[action]];
  return forms.map((form) => ({
    ...step,
    command: buildCommand(action, { taskId: task.id, ...form, from: address }),
  }));
}

/** One party signs, the other sends what was signed. */
function settleForms(by: Role): readonly Readonly<Record<string, string | true>>[] {
  const other = by === 'poster' ? 'worker' : 'poster';
  const workerBps = '<0 to 10000>';
  return [
    { workerBps, sign: true },
    {
      workerBps,
      validUntil: '<validUntil of the signed one>',
      [`${other}Signature`]: `<signature of the ${other}>`,
    },
  ];
}

/** What an action needs to be told beyond the task and the wallet. */
const more: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'submit-proof': { proofHash: '<hash from svc prepare prepare-receipt>' },
  'accept-milestone': { milestone: '<index from 0>' },
  'open-dispute': { evidenceText: '<what is wrong>' },
  'propose-arbitrator': { arbitrator: '<address>' },
  'resolve-dispute': { workerBps: '<0 to 10000>', reasonText: '<why>' },
};

function costedTask(task: TaskRecord): CostedTask {
  const current = task.milestones.findIndex(({ state }) => state !== 'paid');
  const isLast = current === -1 || current === task.milestones.length - 1;
  return {
    state: task.state,
    // The record tells it only so: a dismissal that begins at some moment is one of which notice was given.
    dismissAt: task.nextActions.find(({ action }) => action === 'dismiss-worker')?.from ?? null,
    totalAmount: BigInt(task.totalAmountTokWei),
    funded: BigInt(task.fundedTokWei),
    atStake: BigInt(isLast ? task.lockedTokWei : (task.milestones[current]?.amountTokWei ?? 0)),
  };
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
