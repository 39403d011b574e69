// Asks the chain whether a smart wallet has signed: few questions at once, and none for longer than five seconds.

import { type Address, SvcError, type VerifyDigest } from '@svc/sdk/domain';
import type { Hex } from 'viem';

export type ContractSignatures = {
  /** Throws CHAIN_UNREACHABLE where the chain gives no answer in time. */
  readonly verify: (wallet: Address, digest: Hex, signature: Hex) => Promise<boolean>;
};

const longestMs = 5_000;
/** More at once would keep the RPC from the reads of the market. */
const maxAtOnce = 8;

export function createContractSignatures(ask: VerifyDigest, timeoutMs = longestMs): ContractSignatures {
  let running = 0;
  return {
    verify: async (wallet, digest, signature) => {
      if (running >= maxAtOnce) throw unreachable('too many signatures of smart wallets are being checked');
      running++;
      const asking = ask(wallet, digest, signature).finally(() => running--);
      return withTimeout(asking, timeoutMs);
    },
  };
}

async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unreachable('it did not answer in time')), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

function unreachable(reason: string): SvcError {
  return new SvcError('CHAIN_UNREACHABLE', { reason });
}
