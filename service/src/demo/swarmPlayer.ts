// What the strategies of posters, workers and arbitrators share: chance, notes for the summary, and the ends of phases.
import { type Market, SvcError, sleep } from '@svc/sdk/domain';
import { askingOwner, type DemoAgent, type Reply } from './demoAgent.ts';

/** `late`: the clock has moved on, and what nobody did in time may be ended. */
export type Phase = 'trading' | 'closing' | 'late';

/** What an agent's program knows; all else it reads with tools. */
export type Player = {
  readonly agent: DemoAgent;
  readonly market: Market;
  /** From 0 to 1, the same sequence for the same seed. */
  readonly random: () => number;
  readonly phase: () => Phase;
  /** Counts something for the report; with a text it is also shown. */
  readonly note: (what: string, text?: string) => void;
  /** Counts why a step failed. */
  readonly fail: (reason: string) => void;
};

/** One look at the market, and at most a few actions. */
export type Strategy = { readonly step: () => Promise<void> };

/** A small generator (mulberry32): good enough for choices, and repeatable. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** Decides once for each task, so that an agent does not change its mind with every look. */
export function createDecisions<Choice extends string>(choose: () => Choice): (taskId: string) => Choice {
  const made = new Map<string, Choice>();
  return (taskId) => {
    const choice = made.get(taskId) ?? choose();
    made.set(taskId, choice);
    return choice;
  };
}

/** What a delivery or a complaint says is too short to be the work. */
const fewestLines = 4;

export function isWholeWork(text: string): boolean {
  return text.trim().split('\n').length >= fewestLines;
}

/** Uploads a text file; sealed for a private task. */
export async function attachText(
  agent: DemoAgent,
  taskId: string,
  name: string,
  text: string,
  seal = false,
): Promise<Reply> {
  agent.writeFile(name, text);
  return agent.call('svc_attach_file', { path: name, taskId, from: agent.address, seal });
}

/** The text of the newest delivery of an open task. */
export async function readDelivery(agent: DemoAgent, { deliveries }: Reply): Promise<string> {
  const { artifacts } = deliveries.at(-1).untrustedText.document;
  const { untrustedText } = await agent.call('svc_read_file', { sha256: artifacts[0].sha256 });
  return untrustedText?.text ?? '';
}

/** Attends to one task after the other, until one needed it. A task that fails does not keep the agent from the others. */
export async function tendAll(
  tasks: readonly Reply[],
  tend: (task: Reply) => Promise<boolean>,
): Promise<boolean> {
  const failures: unknown[] = [];
  for (const task of tasks) {
    const isDone = await tend(task).catch((error: unknown) => {
      failures.push(error);
      return false;
    });
    if (isDone) return true;
  }
  if (failures.length > 0) throw failures[0];
  return false;
}

/** After the clock moved on: ends a phase whose time is over. Returns whether there was one. */
export async function endOverduePhase({ agent, note }: Player, taskId: string): Promise<boolean> {
  const { steps } = await agent.call('svc_task_next_steps', { taskId, address: agent.address });
  const exit = steps.find(
    ({ when, arguments: { action } }: Reply) =>
      when === 'now' && ['resolve-timed-out', 'escalate'].includes(action),
  );
  if (exit === undefined) return false;
  await agent.act(exit.arguments.action, { taskId });
  note('phases ended by the clock', `${agent.name} ends a phase of ${taskId} whose time is over`);
  return true;
}

/** Whether the policy of the wallet, not the market, has stopped an action. */
export function isHeldBack(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'TOOL_FAILED' && error.message.includes(askingOwner);
}

/**
 * The agent with a memory of what it was doing: an action that was interrupted by the end of its process is repeated with
 * the same arguments after a restart, which continues with what was signed. The tools never send it twice.
 */
export function createSteadyAgent(agent: DemoAgent, note: Player['note']): DemoAgent {
  let unknown: readonly [action: string, args: Readonly<Record<string, unknown>>] | null = null;

  /** An earlier request was interrupted. Asking for its status ends it where the chain has a result; else it is given up. */
  async function clear(requestId: string): Promise<void> {
    const { status } = await agent.call('svc_get_request', { requestId });
    if (status !== 'submitted') return;
    await agent.forget(requestId);
    note('interrupted requests given up by an operator');
  }

  async function act(...given: NonNullable<typeof unknown>): Promise<Reply> {
    unknown = given;
    try {
      const reply = await agent.act(...given);
      unknown = null;
      return reply;
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      unknown = null;
      const requestId = /key-[0-9a-f-]{36}/.exec(error.message)?.[0];
      if (requestId !== undefined) await clear(requestId);
      throw error;
    }
  }

  return {
    ...agent,
    act,
    restart: async () => {
      await agent.restart();
      note('agents started again');
      if (unknown !== null) await act(...unknown);
    },
  };
}

/** The first words, without what differs from case to case. */
function describeFailure(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.replace(/0x[0-9a-fA-F]+|v2:\w+:\d+|key-[\w-]+|127\.0\.0\.1:\d+/g, '…').slice(0, 140);
}

/** Runs the strategy until the signal aborts: with pauses, and again after every failure. */
export async function playOn(
  { agent, random, note, fail }: Player,
  { step }: Strategy,
  paceMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if (agent.pid() === null) await agent.restart();
      await step();
    } catch (error) {
      if (isHeldBack(error)) note('actions held back by a policy');
      else fail(describeFailure(error));
    }
    await sleep(paceMs * (0.6 + 0.8 * random()), signal);
  }
}
