// How deep a payload may be nested. Whoever shows, hashes or signs it walks it by recursion, and a stack has an end.

export const maxDepth = 64;

/** Level by level, without recursion of its own. The payload itself is the first level. */
export function isTooDeep(payload: unknown): boolean {
  let level = [payload].filter(isNested);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((value) => Object.values(value)).filter(isNested);
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
