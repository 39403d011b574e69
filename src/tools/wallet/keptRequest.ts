// What became of a kept request: by what was written down, by the chain, and by the clock. Sends nothing.
import type { Proof } from './proof.ts';
import type { KeptRequest, RequestBook } from './requestBook.ts';
import { undecided, type WalletAnswer } from './wallet.ts';

/** As long as requests at the gateway wait. */
export const lifetimeSeconds = 24 * 3_600;

export function isOpen({ status }: KeptRequest): boolean {
  return undecided.includes(status);
}

/** Signed and perhaps sent by a key, and nobody is known to wait for its end. */
export function isBrokenOff(kept: KeptRequest | undefined): boolean {
  return kept?.wallet === 'key' && kept.status === 'submitted';
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
    if (outcome.kind === 'done') return book.change(kept, { status: 'settled' });
    if (outcome.kind === 'failed') return book.change(kept, { status: 'failed', error: outcome.reason });
  }
  return endInTime(kept, book);
}

/** Nothing waits for ever: what nobody decided, or what was never mined. */
export function endInTime(kept: KeptRequest, book: RequestBook): KeptRequest {
  if (Date.now() / 1_000 < kept.createdAt + lifetimeSeconds) return kept;
  if (kept.transactionHashes.length === 0) return book.change(kept, { status: 'expired' });
  return book.change(kept, { status: 'failed', error: 'It was not mined as a whole within a day.' });
}

export function forget(kept: KeptRequest, book: RequestBook): KeptRequest {
  return isOpen(kept) ? book.change(kept, { status: 'failed', error: 'It was given up.' }) : kept;
}
