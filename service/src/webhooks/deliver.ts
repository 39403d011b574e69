// Delivers changes to webhooks: at least once, in the order of the changes, by one process at a time. The position of
// each webhook is in the database and moves only after the receiver has answered.
import { type Address, parseTaskId } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { backoffMs } from '@svc/sdk/internal/domain/backoff';
import { buildMessage, type ChangeSource } from '../market/changes.ts';
import type { Change } from '../store/changes.ts';
import { inParallel } from '../store/inParallel.ts';
import type { Lease } from '../store/lease.ts';
import { never, type Webhook, type WebhookStore } from '../store/webhooks.ts';
import { signatureHeaders } from './signature.ts';
import { post } from './target.ts';

export type Outcome = 'delivered' | 'failed' | 'stopped';

export type DelivererNeeds = {
  readonly store: WebhookStore;
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
  const { store, changes, lease, isPrivateAllowed, onOutcome } = needs;
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

  /** Goes through one page of changes; what is left waits for the next round. */
  async function serve(hook: Webhook, signal: AbortSignal): Promise<void> {
    const mayGoOn = () => isHeld() && !signal.aborted;
    if (hook.nextTry > Date.now()) return;
    let { position } = hook;
    let seen = position;
    for (const change of await loadNext(position)) {
      const body = buildBody(hook, change);
      if (body !== null) {
        if (!mayGoOn()) break;
        const error = await send(hook, change.seq, body);
        if (error !== null) return fail(hook, position, error);
        if (!(await store.advance(hook.id, position, change.seq))) return;
        position = change.seq;
      }
      seen = change.seq;
    }
    if (seen > position) await store.advance(hook.id, position, seen);
  }

  /** Tries the same change again later; a webhook that fails too often stops where it is. */
  async function fail({ id, position: loaded, failures: before }: Webhook, position: number, reason: string) {
    // Failures count for one change, the first after the position as it was loaded.
    const failures = position === loaded ? before + 1 : 1;
    const pauseMs = backoffMs(failures - 1, { firstMs: firstRetryMs, longestMs: longestRetryMs });
    const hasStopped = failures >= attempts;
    await store.saveFailure(id, position, failures, hasStopped ? never : Math.ceil(Date.now() + pauseMs));
    if (hasStopped) onOutcome('stopped', id, reason);
  }

  /** Changes that are no longer kept are replaced by a reset, so that a receiver knows that it missed some. */
  async function loadNext(position: number): Promise<readonly Change[]> {
    const range = await changes.loadChangeRange();
    const isForgotten = range !== null && position < range.first - 1;
    const next = await changes.loadChangesAfter(position, pageSize);
    return isForgotten ? [{ kind: 'reset', seq: range.first - 1 }, ...next] : next;
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
