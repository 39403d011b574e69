// What the chain says about what a wallet claims to have done.
import type { CreateRequest } from '@svc/sdk/schemas';

export type Proof = {
  readonly ofCalls: (
    request: CreateRequest & { readonly kind: 'calls' },
    hashes: readonly string[],
    since: number,
  ) => Promise<{ readonly kind: 'waiting' | 'done' } | { readonly kind: 'failed'; readonly reason: string }>;
  readonly ofSignature: (
    request: CreateRequest & { readonly kind: 'signature' },
    signature: string,
  ) => Promise<boolean>;
};
