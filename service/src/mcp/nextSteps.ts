// The tool that lists what a wallet may do with a task, as calls that are ready to be made.

import { type Cost, type NextAction, parseTaskRecord, type TaskRecord } from '@svc/sdk/actions';
import {
  type Address,
  findPhase,
  formatTok,
  formatUsdc,
  isTerminal,
  marketParameters,
  roles,
  rolesOf,
} from '@svc/sdk/domain';
import { findWrite } from '@svc/sdk/internal/actions/catalog';
import { isOpenAt, nextActionsOf } from '@svc/sdk/internal/actions/nextActions';
import { taskIdSchema, timeSchema } from '@svc/sdk/internal/schemas/primitives';
import { stateSchema } from '@svc/sdk/internal/schemas/task';
import * as z from 'zod';
import { findTurn, turnSchema } from './taskTurn.ts';
import { addressArgument, defineTool, type Tool, taskIdArgument } from './tool.ts';

const stepSchema = z.object({
  expected: z.boolean().describe('Whether the task waits for it.'),
  as: z.enum(roles),
  when: z.enum(['now', 'later']),
  from: timeSchema.nullable().describe('First second, Unix; null: possible already.'),
  until: timeSchema.nullable().describe('Last second, Unix; null: no end.'),
  cost: z.string().describe('What it costs beyond gas.'),
  risk: z.string().nullable(),
  tool: z.literal('svc_prepare'),
  arguments: z
    .object({ action: z.string(), arguments: z.record(z.string(), z.union([z.string(), z.boolean()])) })
    .describe('For the tool; words in <angle brackets> are yours to fill in.'),
});

const ownTurnSchema = turnSchema
  .unwrap()
  .extend({ isYours: z.boolean() })
  .nullable()
  .describe('Whose move it is; null once the task has ended.');

const outputSchema = z.object({
  summary: z.string(),
  taskId: taskIdSchema,
  state: stateSchema,
  roles: z.array(z.enum(roles)).describe('What the wallet is in this task.'),
  now: timeSchema,
  turn: ownTurnSchema,
  steps: z
    .array(stepSchema)
    .describe('What the wallet may do; what is expected comes first, ways out come last.'),
});

export const nextStepsTool: Tool = defineTool({
  name: 'svc_task_next_steps',
  title: 'What may I do with this task?',
  description:
    'Whose move it is, until when, and what a wallet may do with a task: each step as a ready call {tool, arguments} with ' +
    'its time window, cost and risk. Call it after every change and before every action.',
  input: z.object({ taskId: taskIdArgument, address: addressArgument }),
  output: outputSchema,
  run: async ({ taskId, address }, { market, now: readNow }) => {
    const [{ task }, now] = await Promise.all([market.task(taskId), readNow()]);
    const mine = roles.filter((role) => rolesOf(task, address).includes(role));
    const turn = findOwnTurn(task, address, now);
    const steps = nextActionsOf(parseTaskRecord(task), address)
      .filter(({ until }) => until === null || until >= now)
      .sort((left, right) => rank(task, left, now) - rank(task, right, now))
      .flatMap((next) => buildSteps(task, next, { address, now, turn }));
    const summary = summarize(task, turn, steps);
    return { summary, taskId, state: task.state, roles: mine, now, turn, steps };
  },
});

/** What each state waits for, the first of them that is open first. Ends of a phase that has lasted too long follow. */
const expected: Readonly<Partial<Record<TaskRecord['state'], readonly string[]>>> = {
  POSTED: ['claim-task', 'fund-task'],
  CLAIMED: ['fund-task', 'start-work'],
  ACTIVE: ['submit-proof'],
  DELIVERED: ['accept-milestone', 'open-dispute'],
  DISPUTED: ['answer-dispute', 'resolve-dispute', 'propose-arbitrator'],
};
const exits = ['resolve-timed-out', 'escalate'];
/** Never the next thing to do: they give up the work, or pay for what is not delivered. */
const waysOut = [
  'complete-task',
  'give-dismiss-notice',
  'dismiss-worker',
  'leave-task',
  'cancel-task',
  'mutual-settle',
  'concede',
];

/** The lowest is the first step to take. */
function rank(task: TaskRecord, next: NextAction, now: number): number {
  const forward = expected[task.state]?.indexOf(next.action) ?? -1;
  const order = [forward, exits.includes(next.action) ? 10 : -1, waysOut.includes(next.action) ? 30 : -1];
  const place = order.find((index) => index >= 0) ?? 20;
  return isOpenAt(now, next) ? place : place + 100;
}

function findOwnTurn(task: TaskRecord, address: Address, now: number): z.input<typeof ownTurnSchema> {
  const turn = findTurn(task, now);
  const phase = findPhase(parseTaskRecord(task), now);
  if (turn === null || phase === null) return null;
  return { ...turn, isYours: rolesOf(task, address).some((role) => phase.by.includes(role)) };
}

type Viewer = {
  readonly address: Address;
  readonly now: number;
  readonly turn: z.input<typeof ownTurnSchema>;
};

/** One for each form in which the action can be taken. */
function buildSteps(record: TaskRecord, next: NextAction, { address, now, turn }: Viewer) {
  const { by, from, until } = next;
  const action = findWrite(next.action);
  if (action === undefined) throw new RangeError(`${next.action} is no action of the catalog`);
  const task = parseTaskRecord(record);
  const costs = action.costs?.({ task, figures: marketParameters[task.market] }) ?? [];
  const step = {
    // Ending a phase is expected only once its time is over.
    expected: exits.includes(next.action)
      ? turn?.action === next.action
      : expected[record.state]?.includes(next.action) === true,
    as: by,
    when: from === null || from <= now ? ('now' as const) : ('later' as const),
    from,
    until,
    risk: action.risk(task),
    tool: 'svc_prepare' as const,
  };
  const known = { taskId: record.id, from: address, ...action.seen?.(task) };
  return (action.forms?.(by, task) ?? [{}]).map(({ file: _, ...form }) => ({
    ...step,
    cost: costs.length === 0 || form.withoutBond ? 'gas only' : costs.map(describeCost).join(', '),
    arguments: { action: action.name, arguments: { ...known, ...form } },
  }));
}

function describeCost({ kind, token, amount }: Cost): string {
  const sum = `${token === 'TOK' ? formatTok(amount) : formatUsdc(amount)} ${token}`;
  if (kind === 'accessFee') return `${sum} access fee (Action Credits pay first)`;
  return kind === 'collateralBond' ? `${sum} of your deposit locked` : `${sum} held`;
}

function summarize(
  task: TaskRecord,
  turn: z.input<typeof ownTurnSchema>,
  steps: readonly z.input<typeof stepSchema>[],
): string {
  if (isTerminal(task.state)) return `The task is ${task.state}: nothing is left to do.`;
  const head = `The task is ${task.state}.`;
  const possible = steps.some(({ when }) => when === 'now') ? '' : ' You may do nothing now.';
  if (turn === null) return `${head}${possible}`;
  const end = turn.until === null ? '' : ` until ${new Date(turn.until * 1_000).toISOString()}`;
  const who = turn.isYours ? 'your move' : `the move of ${turn.by.join(' and ')}`;
  return `${head} It is ${who}: ${turn.action}${end}.${possible}`;
}
