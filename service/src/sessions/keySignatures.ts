// Whether the key of an account signed a digest, by libsecp256k1. In JavaScript it takes five times as long, and everybody can make
// the gateway check a signature.
import { createKeyVerifier } from '@svc/sdk/internal/domain/verifyDigest';
import { recover } from 'tiny-secp256k1';
import { bytesToHex, hexToBytes } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';

export const verifyKey = createKeyVerifier((digest, signature) => {
  const bytes = hexToBytes(signature);
  const [v] = bytes.subarray(64);
  const key =
    v === 27 || v === 28 ? recover(hexToBytes(digest), bytes.subarray(0, 64), v === 27 ? 0 : 1, false) : null;
  if (key === null) throw new RangeError('No key can have made this signature.');
  return publicKeyToAddress(bytesToHex(key));
});
