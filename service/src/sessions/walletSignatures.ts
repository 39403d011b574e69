// Whether a wallet signed a document: by its key here, and by its contract on the chain, which is asked last.
import { type Address, SvcError } from '@svc/sdk/domain';
import { normaliseKeySignature } from '@svc/sdk/internal/domain/verifyDigest';
import type { Hex } from 'viem';
import type { ContractSignatures } from './contractSignatures.ts';
import { verifyKey } from './keySignatures.ts';

export type WalletSignatureNeeds = {
  readonly contracts: ContractSignatures;
  /** Whether the rows know the wallet, so that unknown senders cannot cause questions to the chain. */
  readonly isMember: (wallet: Address) => Promise<boolean>;
};

/** `beforeAsking` may throw to keep the chain from being asked. Throws NO_STANDING and CHAIN_UNREACHABLE. */
export type VerifyWallet = (
  wallet: Address,
  digest: Hex,
  signature: Hex,
  beforeAsking: () => void,
) => Promise<boolean>;

export function createVerifyWallet({ contracts, isMember }: WalletSignatureNeeds): VerifyWallet {
  return async (wallet, digest, signature, beforeAsking) => {
    if (await verifyKey(wallet, digest, normaliseKeySignature(signature))) return true;
    if (!(await isMember(wallet))) throw new SvcError('NO_STANDING', {});
    beforeAsking();
    return contracts.verify(wallet, digest, signature);
  };
}
