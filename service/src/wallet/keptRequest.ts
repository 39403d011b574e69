// What became of a kept request: by what was written down, by the chain, and by the clock. Sends nothing.
import { SvcError } from '@svc/sdk/domain';
import type { Proof } from './proof.ts';
import type { KeptRequest, RequestBook } from './requestBook.ts';
import { undecided, type WalletAnswer } from './wallet.ts';

/** As long as requests at the gateway wait. */
export const lifetimeSeconds = 24 * 3_600;

export function isOpen({ status }: KeptRequest): boolean {
  return undecided.includes(status);
}

/** Where somebody was quicker, what that one found out counts. */
export function note(kept: KeptRequest, made: Partial<KeptRequest>, book: RequestBook): KeptRequest {
  return book.change(kept, made) ?? book.load(kept.id) ?? kept;
}

/** Whether it was signed and perhaps sent by a key, and who looks after it. */
export async function readWhoSends(
  kept: KeptRequest | undefined,
  book: RequestBook,
): Promise<'another process' | 'nobody' | null> {
  if (kept?.wallet !== 'key' || kept.status !== 'submitted') return null;
  const isFree = await book.ifFree(kept, 0, async () => true);
  return isFree ? 'nobody' : 'another process';
}

export function toAnswer({ id, ...kept }: KeptRequest): WalletAnswer {
  const { approvalUrl, status, transactionHashes, signature, error } = kept;
  return { requestId: id, approvalUrl, status, transactionHashes, signature, error };
}

/** Calls are the same when the last ones are: allowances before it depend on what was given already. */
export function isSameAct({ request: left }: KeptRequest, right: KeptRequest['request']): boolean {
  if (left.kind !== 'calls' || right.kind !== 'calls') return false;
  const [mine, yours] = [left.calls.at(-1), right.calls.at(-1)];
  return (['to', 'data', 'value'] as const).every(
    (field) => mine?.[field].toLowerCase() === yours?.[field].toLowerCase(),
  );
}

/** Those of a key. A row of calls that was broken off stays submitted until somebody goes on with it or gives it up. */
export async function readKeyRequest(
  kept: KeptRequest,
  book: RequestBook,
  proof: Proof,
): Promise<KeptRequest> {
  if (!isOpen(kept) || kept.request.kind !== 'calls') return kept;
  const { request, signed, createdAt } = kept;
  if (signed.length === request.calls.length) {
    const hashes = signed.map(({ hash }) => hash);
    const outcome = await proof.ofCalls(request, hashes, createdAt);
    if (outcome.kind === 'done') return note(kept, { status: 'settled' }, book);
    if (outcome.kind === 'failed') return note(kept, { status: 'failed', error: outcome.reason }, book);
  }
  // Whoever is at work with it knows more than the clock.
  return (await book.ifFree(kept, 0, async () => endInTime(kept, book))) ?? kept;
}

/** Nothing waits for ever: what nobody decided, or what was never mined. */
export function endInTime(kept: KeptRequest, book: RequestBook): KeptRequest {
  if (!isOpen(kept) || Date.now() / 1_000 < kept.createdAt + lifetimeSeconds) return kept;
  if (kept.transactionHashes.length === 0) return note(kept, { status: 'expired' }, book);
  return note(kept, { status: 'failed', error: 'It was not mined as a whole within a day.' }, book);
}

/** Others look into the book for a moment; who sends takes longer. */
const forgetPatienceMs = 500;

/** Throws WALLET_REQUEST_UNDER_WAY where a process is at work with that wallet: it would go on all the same. */
export async function forget(kept: KeptRequest, book: RequestBook): Promise<KeptRequest> {
  if (!isOpen(kept)) return kept;
  const forgotten = await book.ifFree(kept, forgetPatienceMs, async () => {
    const now = book.load(kept.id) ?? kept;
    return isOpen(now) ? note(now, { status: 'failed', error: 'It was given up.' }, book) : now;
  });
  if (forgotten === undefined) throw new SvcError('WALLET_REQUEST_UNDER_WAY', { requestId: kept.id });
  return forgotten;
}
