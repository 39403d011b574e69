// The tool that says whose move a task is, and lists what a wallet may do with it as calls that are ready to be made.

import { type Cost, findWrite, isOpenAt, parseTaskRecord, type TaskRecord } from '@svc/sdk/actions';
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

const turnSchema = z
  .object({
    action: z.string(),
    by: z.array(z.enum(roles)),
    wallets: z.array(addressSchema),
    isYours: z.boolean(),
    until: timeSchema.nullable().describe('Last second of it, Unix; null: no end.'),
  })
  .nullable()
  .describe('Whose move it is; null once the task has ended.');

const outputSchema = z.object({
  summary: z.string(),
  taskId: taskIdSchema,
  state: stateSchema,
  roles: z.array(z.enum(roles)).describe('What the wallet is in this task.'),
  now: timeSchema,
  turn: turnSchema,
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
    const mine = rolesOf(task, address);
    const turn = findTurn(task, address, now);
    const steps = task.nextActions
      .filter(({ by, until }) => mine.includes(by) && (until === null || until >= now))
      .filter(({ action }) => !(action === 'claim-task' && mine.includes('poster')))
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

function isExpected({ state }: TaskRecord, { action }: Pick<NextAction, 'action'>): boolean {
  return expected[state]?.includes(action) === true || exits.includes(action);
}

function rank(task: TaskRecord, next: NextAction, now: number): number {
  const forward = expected[task.state]?.indexOf(next.action) ?? -1;
  const order = [forward, exits.includes(next.action) ? 10 : -1, waysOut.includes(next.action) ? 30 : -1];
  const place = order.find((index) => index >= 0) ?? 20;
  return isOpenAt(now, next) ? place : place + 100;
}

/** The time ends where anyone may end the phase. */
function findTurn(task: TaskRecord, address: Address, now: number): z.input<typeof turnSchema> {
  const open = task.nextActions.filter((next) => isOpenAt(now, next) && isExpected(task, next));
  const isOver = open.some(({ action }) => exits.includes(action));
  const [next] = open
    .filter(({ action, by }) => by !== 'sponsor' && exits.includes(action) === isOver)
    .sort((left, right) => rank(task, left, now) - rank(task, right, now));
  if (next === undefined) return null;
  const by = open.filter(({ action, by: role }) => action === next.action && role !== 'sponsor');
  const names = by.map(({ by: role }) => role);
  const { poster, worker, dispute } = task;
  const wallets: Partial<Record<Role, string | null | undefined>> = {
    poster,
    worker,
    arbitrator: dispute?.judge,
  };
  const exit = task.nextActions.find(({ action, from }) => exits.includes(action) && from !== null);
  const ends = [next.until, isOver || exit?.from == null ? null : exit.from - 1].filter(
    (end) => end !== null,
  );
  return {
    action: next.action,
    by: names,
    wallets: names.flatMap((role) => wallets[role] ?? []),
    isYours: rolesOf(task, address).some((role) => names.includes(role)) && !isOwnClaim(task, next, address),
    until: ends.length === 0 ? null : Math.min(...ends),
  };
}

/** A poster cannot claim its own task. */
function isOwnClaim({ poster }: TaskRecord, { action }: NextAction, address: Address): boolean {
  return action === 'claim-task' && isSameAddress(poster as Address, address);
}

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

type Viewer = {
  readonly address: Address;
  readonly now: number;
  readonly turn: z.input<typeof turnSchema>;
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
    expected: isExpected(record, next) && (!exits.includes(next.action) || turn?.action === next.action),
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
  turn: z.input<typeof turnSchema>,
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
