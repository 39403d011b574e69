// What the chain says about what a wallet claims to have done.
import type { CreateRequest } from '#schemas/walletRequest.ts';

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
