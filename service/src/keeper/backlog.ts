// What the keeper's account has sent and the chain has not mined: before a restart, during an outage, or for too low a fee.

import type { Rpc } from '@svc/sdk/chain';
import { transactionCount } from '@svc/sdk/chain';
import type { Address } from '@svc/sdk/domain';

export type Backlog =
  | { readonly kind: 'clear' }
  /** To send again what may be under way would cost gas for nothing. */
  | { readonly kind: 'waiting'; readonly transactions: number }
  /** So long that it will not be mined as it is; `nonce` is that of the first. */
  | { readonly kind: 'stuck'; readonly transactions: number; readonly nonce: number };

/** Answers a function that looks; the patience of `waitMs` begins anew whenever one of them is mined. */
export function createBacklog(rpc: Rpc, address: Address, waitMs: number): () => Promise<Backlog> {
  let first: { readonly nonce: number; readonly seenAt: number } | null = null;
  return async () => {
    const [nonce, next] = await rpc.askAll([
      transactionCount(address, 'latest'),
      transactionCount(address, 'pending'),
    ]);
    const transactions = next - nonce;
    if (transactions <= 0) {
      first = null;
      return { kind: 'clear' };
    }
    if (first?.nonce !== nonce) first = { nonce, seenAt: performance.now() };
    const isStuck = performance.now() - first.seenAt >= waitMs;
    return isStuck ? { kind: 'stuck', transactions, nonce } : { kind: 'waiting', transactions };
  };
}
