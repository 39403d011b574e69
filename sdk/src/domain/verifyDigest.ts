// Signatures of digests: their one normal form, and whether the key of an account made one. Wallets with code need the
// chain: see chain/signatures.ts.
import {
  concatHex,
  type Hex,
  hexToBigInt,
  hexToNumber,
  isErc6492Signature,
  numberToHex,
  parseErc6492Signature,
  recoverAddress,
  size,
  slice,
} from 'viem';
import { type Address, isSameAddress } from './address.ts';
import { SvcError } from './errors.ts';

export type VerifyDigest = (signer: Address, digest: Hex, signature: Hex) => Promise<boolean>;

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const highestS = curveOrder / 2n;

/**
 * The form in which the contracts take a signature of this wallet. Without code: the form of `normaliseKeySignature`. With
 * code: as the wallet made it, without the wrapping of ERC-6492. Throws WALLET_NOT_DEPLOYED for a wrapped signature of a
 * wallet without code, since the contracts could not ask it.
 */
export function normaliseSignature(wallet: Address, signature: Hex, hasCode: boolean): Hex {
  const given = signature.toLowerCase() as Hex;
  if (!isErc6492Signature(given)) return hasCode ? given : normaliseKeySignature(given);
  if (!hasCode) throw new SvcError('WALLET_NOT_DEPLOYED', { address: wallet });
  try {
    return parseErc6492Signature(given).signature;
  } catch {
    return given;
  }
}

/**
 * A key's signature as the contracts take it: 65 bytes, v 27 or 28, the lower s. Wallets also return v 0 or 1, the higher s,
 * and 64 bytes (EIP-2098). Anything else is returned unchanged.
 */
export function normaliseKeySignature(signature: Hex): Hex {
  const given = signature.toLowerCase() as Hex;
  const parts = size(given) === 64 ? splitCompact(given) : size(given) === 65 ? split(given) : null;
  if (parts === null || ![0, 1, 27, 28].includes(parts.v) || parts.s >= curveOrder) return given;
  const parity = parts.v % 27;
  const isHigh = parts.s > highestS;
  const s = isHigh ? curveOrder - parts.s : parts.s;
  const v = 27 + (isHigh ? 1 - parity : parity);
  return concatHex([parts.r, numberToHex(s, { size: 32 }), numberToHex(v, { size: 1 })]);
}

function split(signature: Hex) {
  return { ...splitHalves(signature), v: hexToNumber(slice(signature, 64)) };
}

/** EIP-2098: the highest bit of s holds v. */
function splitCompact(signature: Hex) {
  const { r, s } = splitHalves(signature);
  return { r, s: s & ((1n << 255n) - 1n), v: Number(s >> 255n) };
}

function splitHalves(signature: Hex) {
  return { r: slice(signature, 0, 32), s: hexToBigInt(slice(signature, 32, 64)) };
}

/** Whose key made this signature of a digest; throws where no key can have made it. */
export type RecoverSigner = (digest: Hex, signature: Hex) => Address | Promise<Address>;

/** As ECDSA of the contracts: 65 bytes, v 27 or 28, the lower s, and no other spelling of the same signature. */
export function createKeyVerifier(recover: RecoverSigner): VerifyDigest {
  return async (signer, digest, signature) => {
    try {
      if (size(signature) !== 65 || normaliseKeySignature(signature) !== signature.toLowerCase())
        return false;
      return isSameAddress(await recover(digest, signature), signer);
    } catch {
      return false;
    }
  };
}

export const verifyPlainAccount = createKeyVerifier((hash, signature) => recoverAddress({ hash, signature }));
