// JSON with bigints. A bigint is written as a decimal string, as amounts are in every reply.

export function stringifyJson(value: unknown, space?: number): string {
  return JSON.stringify(
    value,
    (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part),
    space,
  );
}

/** The value as it looks after a trip through JSON: bigints as decimal strings, without undefined fields. */
export function toJsonValue(value: unknown): unknown {
  return JSON.parse(stringifyJson(value));
}
