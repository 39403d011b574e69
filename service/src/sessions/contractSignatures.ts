// Asks the chain about smart wallets and their signatures: few questions at once, and none for longer than five seconds.
import { createDigestReader, type Rpc } from '@svc/sdk/chain';
import { type Address, SvcError } from '@svc/sdk/domain';
import { codeOf } from '@svc/sdk/internal/chain/rpcRequests';
import { within } from '@svc/sdk/internal/domain/backoff';
import type { Hex } from 'viem';

export type ContractSignatures = ReturnType<typeof createContractSignatures>;

/** More at once would keep the RPC from the reads of the market. */
const maxAtOnce = 8;
const timeoutMs = 5_000;

/** Both throw CHAIN_UNREACHABLE where the chain gives no answer in time. */
export function createContractSignatures(rpc: Pick<Rpc, 'ask' | 'transport'>) {
  let running = 0;
  const isSigned = createDigestReader(rpc);

  async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    if (running >= maxAtOnce) throw unreachable('too many signatures of smart wallets are being checked');
    running++;
    const asking = question().finally(() => running--);
    return within(timeoutMs, asking, () => unreachable('it did not answer in time'));
  }

  return {
    verify: (wallet: Address, digest: Hex, signature: Hex): Promise<boolean> =>
      ask(() => isSigned(wallet, digest, signature)),
    hasCode: (wallet: Address): Promise<boolean> => ask(async () => (await rpc.ask(codeOf(wallet))) !== '0x'),
  };
}

function unreachable(reason: string): SvcError {
  return new SvcError('CHAIN_UNREACHABLE', { reason });
}
