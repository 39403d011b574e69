// The tool that lists what a wallet may do with a task, as calls that are ready to be made.

import { type Cost, type NextAction, parseTaskRecord, type TaskRecord } from '@svc/sdk/actions';
import {
  describeEnd,
  findPhase,
  formatTok,
  formatUsdc,
  isTerminal,
  marketParameters,
  roles,
  rolesOf,
  type Task,
} from '@svc/sdk/domain';
import { findWrite } from '@svc/sdk/internal/actions/catalog';
import { isOpenAt, nextActionsOf } from '@svc/sdk/internal/actions/nextActions';
import { readNet } from '@svc/sdk/internal/actions/prepareAction';
import { formatMoment } from '@svc/sdk/internal/domain/amount';
import { afterOf, todoOf } from '@svc/sdk/internal/domain/phases';
import { remainingAmount } from '@svc/sdk/internal/domain/task';
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
  net: z.string().optional().describe('What a claim brings or loses in the end.'),
  risk: z.string().nullable(),
  tool: z.literal('svc_prepare'),
  arguments: z
    .object({ action: z.string(), arguments: z.record(z.string(), z.union([z.string(), z.boolean()])) })
    .describe('For the tool; fill in words in <angle brackets>.'),
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
  brief: ({ steps, ...rest }) => ({
    ...rest,
    steps: steps.map((step) =>
      Object.fromEntries(Object.entries(step).filter(([, value]) => value !== null)),
    ),
  }),
  run: async ({ taskId, address }, { market, now: readNow, connectPrepare }) => {
    const [{ task: record }, now] = await Promise.all([market.task(taskId), readNow()]);
    const task = parseTaskRecord(record);
    const own = rolesOf(task, address);
    const phase = findPhase(task, now);
    const isYours = phase?.by.some((role) => !role.startsWith('anyone') && own.includes(role)) === true;
    const open = findTurn(record, now);
    const turn = open && { ...open, isYours };
    const actions = nextActionsOf(task, address).filter(({ until }) => until === null || until >= now);
    const deal = actions.some(({ action }) => action === 'claim-task')
      ? { as: 'worker' as const, payTokWei: remainingAmount(task) }
      : null;
    const net =
      deal && (await readNet(deal, { ...(await connectPrepare()), market: task.market, from: address }));
    const steps = actions
      .sort((left, right) => rank(task, left, now, open?.action) - rank(task, right, now, open?.action))
      .flatMap((next) => buildSteps(task, next, { now, turn, net, known: { taskId, from: address } }));
    const words = phase && { todo: todoOf(phase, own), after: afterOf(phase, own) };
    const summary = isTerminal(record.state)
      ? `The task is ${record.state}. ${describeEnd(record.state, record.dispute?.outcome ?? null, own.includes('worker'))}`
      : summarize(record.state, turn, steps, words);
    const mine = roles.filter((role) => own.includes(role));
    return { summary, taskId, state: record.state, roles: mine, now, turn, steps };
  },
});

/** The actions that each state waits for, in the order in which they are proposed. */
const expected: Readonly<Partial<Record<Task['state'], readonly string[]>>> = {
  POSTED: ['claim-task', 'fund-task'],
  CLAIMED: ['fund-task', 'start-work'],
  ACTIVE: ['submit-proof', 'answer-notice'],
  DELIVERED: ['accept-milestone', 'open-dispute'],
  DISPUTED: ['answer-dispute', 'resolve-dispute', 'propose-arbitrator', 'submit-evidence'],
};
/** They end a phase that has lasted too long. */
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

/** The lowest is the first step to take: the one that the phase waits for. */
function rank(task: Task, next: NextAction, now: number, awaited: string | undefined): number {
  if (next.action === awaited && isOpenAt(now, next)) return -1;
  const forward = expected[task.state]?.indexOf(next.action) ?? -1;
  const order = [forward, exits.includes(next.action) ? 10 : -1, waysOut.includes(next.action) ? 30 : -1];
  const place = order.find((index) => index >= 0) ?? 20;
  return isOpenAt(now, next) ? place : place + 100;
}

type Turn = z.input<typeof ownTurnSchema>;
type Asked = {
  readonly now: number;
  readonly turn: Turn;
  /** Of a claim. */
  readonly net: Awaited<ReturnType<typeof readNet>> | null;
  /** The arguments that every step has. */
  readonly known: Readonly<Record<'taskId' | 'from', string>>;
};

/** One step for each form in which the action can be taken. */
function buildSteps(task: Task, next: NextAction, { now, turn, net, known }: Asked) {
  const { by, from, until } = next;
  const action = findWrite(next.action);
  if (action === undefined) throw new RangeError(`${next.action} is no action of the catalog`);
  const costs = action.costs?.({ task, figures: marketParameters[task.market] }) ?? [];
  const isClaim = action.name === 'claim-task';
  const step = {
    // Ending a phase is expected only once its time is over, and a step of a dispute only in its own phase.
    expected:
      task.state === 'DISPUTED' || exits.includes(next.action)
        ? turn?.action === next.action && turn.by.includes(by)
        : expected[task.state]?.includes(next.action) === true && !(isClaim && net?.warning),
    as: by,
    when: from === null || from <= now ? ('now' as const) : ('later' as const),
    from,
    until,
    ...(isClaim && net && { net: net.line }),
    risk: action.risk(task),
    tool: 'svc_prepare' as const,
  };
  // An arbitrator whom nobody has named yet comes from the tool that lists them.
  const arbitrator = '<address, from svc_list_arbitrators with this taskId>';
  return (action.forms?.(by, task) ?? [{}]).map(({ file: _, ...form }) => {
    const named = { ...form, ...(form.arbitrator === '<address>' && { arbitrator }) };
    return {
      ...step,
      cost: costs.length === 0 || form.withoutBond ? 'gas only' : costs.map(describeCost).join(', '),
      arguments: { action: action.name, arguments: { ...known, ...action.seen?.(task), ...named } },
    };
  });
}

function describeCost({ kind, token, amount }: Cost): string {
  const sum = `${token === 'TOK' ? formatTok(amount) : formatUsdc(amount)} ${token}`;
  if (kind === 'accessFee') return `${sum} access fee (Action Credits pay first)`;
  return kind === 'collateralBond' ? `${sum} of your deposit locked` : `${sum} held`;
}

function summarize(
  state: TaskRecord['state'],
  turn: Turn,
  steps: readonly z.input<typeof stepSchema>[],
  words: { readonly todo: string; readonly after: string } | null,
): string {
  const head = `The task is ${state}.`;
  const possible = steps.some(({ when }) => when === 'now') ? '' : ' You may do nothing now.';
  if (turn === null) return `${head}${possible}`;
  const end = turn.until === null ? '' : ` until ${formatMoment(turn.until)}`;
  // In the hearing of a dispute the arbitrator only reads.
  const todo = turn.isYours && possible !== '' ? words?.todo : undefined;
  const isOpen = turn.by.includes('anyone');
  const who = turn.isYours
    ? 'It is your move'
    : isOpen
      ? 'Anyone may act'
      : `It is the move of ${turn.by.join(' and ')}`;
  const after = turn.until === null || words === null ? '' : ` ${words.after}`;
  return `${head} ${who}: ${todo ?? turn.action}${end}.${after}${todo === undefined ? possible : ''}`;
}
