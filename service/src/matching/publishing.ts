// What profiles and listings share: a version that counts up, a signature of the wallet that publishes, and words that the
// operator may withhold.
import { type Address, SvcError } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { maxVersionAheadSeconds } from '@svc/sdk/internal/domain/signedDocuments';
import type { Hex } from 'viem';
import type { VerifyWallet } from '../sessions/walletSignatures.ts';
import type { StoredText } from '../store/profiles.ts';

export type PublishingNeeds = {
  readonly verify: VerifyWallet;
  /** Why the operator does not show a document of the wallet; null where it is shown. */
  readonly findReason: (wallet: string, documentHash: string) => Promise<string | null>;
  readonly chainId: number;
  /** The time of this machine, by which clients date their versions. */
  readonly clock: () => number;
};

/** Throws VERSION_AHEAD. */
export function checkVersion(version: number, now: number): void {
  if (version > now + maxVersionAheadSeconds) throw new SvcError('VERSION_AHEAD', {});
}

/** Throws SIGNATURE_WRONG where another wallet signed, or another document, chain or market. */
export async function requireSignature(
  verify: VerifyWallet,
  wallet: Address,
  digest: Hex,
  signature: Hex,
  beforeAsking: () => void,
): Promise<void> {
  if (!(await verify(wallet, digest, signature, beforeAsking)))
    throw new SvcError('SIGNATURE_WRONG', { address: wallet });
}

/** As everybody may see it: without a document that is withheld. */
export async function showText<Document>(
  { findReason }: Pick<PublishingNeeds, 'findReason'>,
  wallet: Address,
  { document, documentHash, signature }: StoredText,
) {
  const withheld = documentHash === null ? null : await findReason(addressKey(wallet), documentHash);
  const isShown = document !== null && withheld === null;
  return {
    document: isShown ? (JSON.parse(document) as Document) : null,
    documentHash,
    signature: isShown ? signature : null,
    withheld,
  };
}
