// Calls a bot's handler with the tasks that concern its wallet: those that exist, then each one that changes.
import type { Address } from '../domain/address.ts';
import { backoffMs, retry, sleep } from '../domain/backoff.ts';
import { SvcError } from '../domain/errors.ts';
import { markets } from '../domain/market.ts';
import { rolesOf } from '../domain/phases.ts';
import { toShown } from '../domain/text.ts';
import type { MarketClient, OnMarketPage, TaskReply } from './createMarketClient.ts';
import { readChainTime } from './participantMessages.ts';
import { isFinal } from './streams.ts';

/** A task with its deliveries and its dispute. */
export type TaskDetail = TaskReply['task'];

export type Handler = (task: TaskDetail) => Promise<void>;

const botRoles = ['poster', 'worker', 'arbitrator'] as const;

/** A poster's tasks; a worker's and those it may claim; the disputes that this wallet judges, once their hearing is over. */
export type BotRole = (typeof botRoles)[number];

/** How a run ends, and who hears of its errors. */
export type RunOptions = {
  /** Ends the run. */
  readonly signal?: AbortSignal;
  /** Called where the handler fails; it is then called again, later and later. Default: writes to the console. */
  readonly onError?: (error: unknown, taskId: string) => void;
};

type BotClient = Pick<MarketClient, 'events' | 'task' | 'concerns' | 'open' | 'union'>;

const pageSize = 100;
const again = { firstMs: 1_000, longestMs: 60_000 };

/** Ends when the signal aborts, and with an error that asking again would not change. */
export async function runBot(
  client: BotClient,
  address: Address,
  role: BotRole,
  handler: Handler,
  { signal: given, onError = report }: RunOptions,
): Promise<void> {
  if (!botRoles.includes(role))
    throw new SvcError('USAGE', {
      reason: `run knows the roles ${botRoles.join(', ')}, not "${toShown(String(role))}".`,
    });
  // Also ends the streams where the loop ends for another reason.
  const stop = new AbortController();
  const signal = given === undefined ? stop.signal : AbortSignal.any([given, stop.signal]);
  const waiting = new Set<string>();
  const failures = new Map<string, number>();
  let wake = (): void => undefined;
  const add = (id: string): void => {
    waiting.add(id);
    wake();
  };
  signal.addEventListener('abort', () => wake());

  async function follow(of: string | undefined): Promise<void> {
    for await (const event of client.events({
      market: 'all',
      ...(of !== undefined && { address: of }),
      signal,
    })) {
      if (event.type === 'task') add(event.task.id);
      else await list();
    }
  }

  /** A service that is away for a while, as when it restarts, is asked again until it answers. */
  function list(): Promise<void> {
    const read = async () => {
      for await (const id of listTasks(client, role, address, signal)) add(id);
    };
    const shouldRetry = (error: unknown) => !isFinal(error);
    return retry(read, { ...again, attempts: Number.POSITIVE_INFINITY, signal, shouldRetry });
  }

  async function look(id: string): Promise<void> {
    const { task } = await client.task(id, { signal });
    if (isTaskOf(role, address, task)) {
      const { rulingFrom = null } = (role === 'arbitrator' && task.dispute) || {};
      const waitSeconds = rulingFrom === null ? 0 : rulingFrom - (await readChainTime(client));
      if (waitSeconds > 0) void sleep(waitSeconds * 1_000, signal).then(() => add(id));
      else await handler(task);
    }
    failures.delete(id);
  }

  async function work(): Promise<void> {
    while (!signal.aborted) {
      const [id] = waiting;
      if (id === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      waiting.delete(id);
      await look(id).catch((error: unknown) => {
        if (signal.aborted) return;
        onError(error, id);
        const count = failures.get(id) ?? 0;
        failures.set(id, count + 1);
        void sleep(backoffMs(count, again), signal).then(() => add(id));
      });
    }
  }

  // The changes of private tasks come only to the streams of the wallets that they concern.
  const streams = role === 'worker' ? [address, undefined] : [address];
  try {
    await Promise.race([work(), Promise.all(streams.map(follow))]);
  } catch (error) {
    // A list that the end of the run has interrupted.
    if (!signal.aborted) throw error;
  } finally {
    stop.abort();
  }
}

async function* listTasks(
  client: BotClient,
  role: BotRole,
  address: Address,
  signal: AbortSignal,
): AsyncGenerator<string> {
  type Page = { readonly ids: readonly string[]; readonly nextCursor: string | null };
  const own = async (query: OnMarketPage): Promise<Page> => {
    const { concerns, nextCursor } = await client.concerns(address, { ...query, role });
    return { ids: concerns.map(({ taskId }) => taskId), nextCursor };
  };
  const open = async (query: OnMarketPage): Promise<Page> => {
    const { tasks, nextCursor } = await client.open(query);
    return { ids: tasks.map(({ id }) => id), nextCursor };
  };
  const lists = role === 'worker' ? [own, open] : [own];
  for (const [market, load] of markets.flatMap((one) => lists.map((list) => [one, list] as const))) {
    let cursor: string | undefined;
    do {
      const page: Page = await load({ market, limit: pageSize, cursor, signal });
      yield* page.ids;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}

function isTaskOf(role: BotRole, address: Address, task: TaskDetail): boolean {
  const own = rolesOf(task, address);
  if (role === 'worker') return own.includes('worker') || own.includes('anyone but the poster');
  return own.includes(role) && (role === 'poster' || task.dispute?.ruling === null);
}

function report(error: unknown, taskId: string): void {
  const known = error instanceof SvcError ? error.message : error;
  console.error(`${taskId}:`, known);
}
