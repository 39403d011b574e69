// Delivers changes to webhooks: at least once, in the order of the changes, by one process at a time. The position of
// each webhook moves only after the receiver has answered.
import { type Address, parseTaskId } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { backoffMs } from '@svc/sdk/internal/domain/backoff';
import { buildMessage, type ChangeSource } from '../market/changes.ts';
import type { Change } from '../store/changes.ts';
import { type CursorStore, consumePage, type Handle } from '../store/consume.ts';
import type { Transaction } from '../store/database.ts';
import { inParallel } from '../store/inParallel.ts';
import type { Lease } from '../store/lease.ts';
import { cursorOf, never, type Webhook, type WebhookStore } from '../store/webhooks.ts';
import { signatureHeaders } from './signature.ts';
import { post } from './target.ts';

export type Outcome = 'delivered' | 'failed' | 'stopped';

export type DelivererNeeds = {
  readonly store: WebhookStore;
  readonly cursors: CursorStore;
  readonly changes: ChangeSource;
  readonly lease: Lease;
  readonly isPrivateAllowed: boolean;
  /** `reason` says what went wrong. */
  readonly onOutcome: (outcome: Outcome, id: string, reason?: string) => void;
  /** Delay before the first retry; for tests. */
  readonly firstRetryMs?: number;
  /** Attempts for one change, after which its webhook stops; for tests. */
  readonly attempts?: number;
};

/** Longer than one round may run, and than a receiver may take to answer. */
export const webhookLeaseMs = 12_000;
const usableMs = 6_000;
const timeoutMs = 5_000;
const webhooksAtOnce = 4;
const pageSize = 200;
const longestRetryMs = 3_600_000;

export function createDeliverer(needs: DelivererNeeds) {
  const { store, cursors, changes, lease, isPrivateAllowed, onOutcome } = needs;
  const { firstRetryMs = 5_000, attempts = 12 } = needs;
  let heldUntil = 0;
  let rounds = 0;
  const isHeld = () => performance.now() < heldUntil;

  async function send({ id, url, secret }: Webhook, seq: number, body: string): Promise<string | null> {
    const message = `${id}-${seq}`;
    const headers = {
      ...signatureHeaders(secret, message, body),
      'Content-Type': 'application/json',
      'User-Agent': 'svc-webhook',
      'X-Svc-Webhook': id,
      'X-Svc-Sequence': String(seq),
    };
    const error = await post({ url, headers, body, isPrivateAllowed, timeoutMs });
    onOutcome(error === null ? 'delivered' : 'failed', id, error ?? undefined);
    return error;
  }

  /** Goes through the changes while there is time; what is left waits for the next round. */
  async function serve(hook: Webhook, signal: AbortSignal): Promise<void> {
    if (hook.nextTry > Date.now()) return;
    const mayGoOn = () => isHeld() && !signal.aborted;
    // Failures count for one change, the first after the position as it was loaded.
    let { failures } = hook;
    const handle: Handle = async ({ reset, changes: page, upTo }, move) => {
      const first: readonly Change[] = reset === null ? [] : [{ kind: 'reset', seq: reset }];
      for (const change of [...first, ...page]) {
        const body = buildBody(hook, change);
        if (body === null) continue;
        if (!mayGoOn()) return;
        const error = await send(hook, change.seq, body);
        if (error !== null) return fail(hook.id, failures + 1, error);
        const settle = failures > 0 ? (tx: Transaction) => store.saveSuccess(tx, hook.id) : undefined;
        failures = 0;
        if (!(await move(change.seq, settle))) return;
      }
      await move(upTo);
    };
    const follower = { name: cursorOf(hook.id), handle, begin: 'newest', pageSize } as const;
    while (mayGoOn() && (await consumePage({ cursors, changes }, follower)));
  }

  /** Tries the same change again later; a webhook that fails too often stops where it is. */
  async function fail(id: string, failures: number, reason: string): Promise<void> {
    const pauseMs = backoffMs(failures - 1, { firstMs: firstRetryMs, longestMs: longestRetryMs });
    const hasStopped = failures >= attempts;
    await store.saveFailure(id, failures, hasStopped ? never : Math.ceil(Date.now() + pauseMs));
    if (hasStopped) onOutcome('stopped', id, reason);
  }

  return {
    round: async (signal: AbortSignal): Promise<void> => {
      // A database without webhooks costs a read.
      const hooks = await store.listWebhooks();
      if (hooks.length === 0 || !(await lease.hold())) return;
      heldUntil = performance.now() + usableMs;
      // Each round begins with another one, so that slow receivers do not keep the last ones waiting for ever.
      const start = rounds++ % hooks.length;
      await inParallel([...hooks.slice(start), ...hooks.slice(0, start)], webhooksAtOnce, async (hook) => {
        if (!signal.aborted && isHeld()) await serve(hook, signal);
      });
    },
    close: (): Promise<void> => lease.release(),
  };
}

/** What a receiver gets about a change; null where its filter leaves the change out. */
export function buildBody(hook: Webhook, change: Change): string | null {
  const message = buildMessage(change, {
    address: hook.wallet === null ? undefined : addressKey(hook.wallet as Address),
    task: hook.taskId === null ? undefined : parseTaskId(hook.taskId),
  });
  if (message === null) return null;
  const { seq } = message;
  const id = `${hook.id}-${seq}`;
  if (message.kind === 'reset') return JSON.stringify({ id, sequence: seq, type: 'reset', data: {} });
  const kind = message.data.state.toLowerCase();
  if (hook.kind !== null && hook.kind !== kind) return null;
  return JSON.stringify({ id, sequence: seq, type: `task.${kind}`, data: message.data });
}
