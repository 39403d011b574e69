// Whether a plain account has signed a digest. Smart wallets need the chain: see createDigestReader in chain/signatures.ts.
import { type Hex, recoverAddress } from 'viem';
import { type Address, isSameAddress } from './address.ts';

export type VerifyDigest = (signer: Address, digest: Hex, signature: Hex) => Promise<boolean>;

export const verifyPlainAccount: VerifyDigest = async (signer, digest, signature) => {
  try {
    return isSameAddress(await recoverAddress({ hash: digest, signature }), signer);
  } catch {
    return false;
  }
};
