// Signatures of keys, by libsecp256k1. In JavaScript they take five times as long, and everybody can make the gateway check
// one and sign a receipt.
import { createKeyVerifier } from '@svc/sdk/internal/domain/verifyDigest';
import { recover, signRecoverable } from 'tiny-secp256k1';
import { bytesToHex, concatHex, type Hex, hexToBytes, keccak256, numberToHex } from 'viem';

/** Whether the key of an account signed a digest. */
export const verifyKey = createKeyVerifier((digest, signature) => {
  const bytes = hexToBytes(signature);
  const [v] = bytes.subarray(64);
  const key =
    v === 27 || v === 28 ? recover(hexToBytes(digest), bytes.subarray(0, 64), v === 27 ? 0 : 1, false) : null;
  if (key === null) throw new RangeError('No key can have made this signature.');
  return `0x${keccak256(key.subarray(1)).slice(-40)}`;
});

/** The signature that viem's `sign` makes. */
export function signByKey(key: Hex, digest: Hex): Hex {
  const { signature, recoveryId } = signRecoverable(hexToBytes(digest), hexToBytes(key));
  return concatHex([bytesToHex(signature), numberToHex(27 + recoveryId, { size: 1 })]);
}
