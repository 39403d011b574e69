// Canonical JSON (RFC 8785): one text for one value, so that its hash identifies it.
import serialize from 'canonicalize';
import { type Hex, keccak256, stringToBytes } from 'viem';

/** Throws when there is no canonical form: half a surrogate pair, an infinite number, a value outside JSON. */
export function toCanonical(value: unknown): string {
  const text = serialize(value);
  if (text === undefined) throw new TypeError('It is not a JSON value.');
  return text;
}

export function hashCanonical(value: unknown): Hex {
  return keccak256(stringToBytes(toCanonical(value)));
}

/** Displaying, hashing and signing a value is recursive, so its depth is limited. */
const maxDepth = 64;

/** Counts level by level, without recursion. The value itself is the first level. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isNested);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((part) => Object.values(part)).filter(isNested);
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
