// Reading what may be malformed.
/** What `read` returns, or null where it throws. */
export function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
