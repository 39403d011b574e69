// What profiles and listings share: a version that counts up, and a signature of the wallet that publishes.
import { type Address, SvcError } from '@svc/sdk/domain';
import { maxVersionAheadSeconds } from '@svc/sdk/internal/domain/signedDocuments';
import type { Hex } from 'viem';
import type { VerifyWallet } from '#sessions/walletSignatures.ts';
import type { Published } from '#store/profiles.ts';

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

/** Throws VERSION_OLD and VERSION_TAKEN. */
export function requirePublished(published: Published): void {
  if (published.kind === 'old') throw new SvcError('VERSION_OLD', { known: String(published.known) });
  if (published.kind === 'taken') throw new SvcError('VERSION_TAKEN', { known: String(published.known) });
}
