// Asks the chain whether a smart wallet has signed: few questions at once, and none for longer than five seconds.
import { type Address, SvcError, type VerifyDigest } from '@svc/sdk/domain';
import { within } from '@svc/sdk/internal/domain/backoff';
import type { Hex } from 'viem';

export type ContractSignatures = ReturnType<typeof createContractSignatures>;

/** More at once would keep the RPC from the reads of the market. */
const maxAtOnce = 8;

export function createContractSignatures(ask: VerifyDigest, timeoutMs = 5_000) {
  let running = 0;
  return {
    /** Throws CHAIN_UNREACHABLE where the chain gives no answer in time. */
    verify: async (wallet: Address, digest: Hex, signature: Hex): Promise<boolean> => {
      if (running >= maxAtOnce) throw unreachable('too many signatures of smart wallets are being checked');
      running++;
      const asking = ask(wallet, digest, signature).finally(() => running--);
      return within(timeoutMs, asking, () => unreachable('it did not answer in time'));
    },
  };
}

function unreachable(reason: string): SvcError {
  return new SvcError('CHAIN_UNREACHABLE', { reason });
}
