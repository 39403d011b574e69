// The canonical form of JSON (RFC 8785) and the hash over it.
import serialize from 'canonicalize';
import { type Hex, keccak256, stringToBytes } from 'viem';

/** Throws on what has no canonical form: half a surrogate pair, an infinite number, something that is no JSON. */
export function toCanonical(value: unknown): string {
  const text = serialize(value);
  if (text === undefined) throw new TypeError('It is no JSON value.');
  return text;
}

export function hashCanonical(value: unknown): Hex {
  return keccak256(stringToBytes(toCanonical(value)));
}
