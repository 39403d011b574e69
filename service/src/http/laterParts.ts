// Parts that a server starts without, because nobody's first request waits for them. They are loaded once it listens, not when
// they are first asked for: by then an upgrade may have put other files in the place of theirs.

const parts: (() => Promise<unknown>)[] = [];

export function later<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  const get = () => {
    loading ??= load();
    return loading;
  };
  parts.push(get);
  return get;
}

/** A part that cannot be loaded says so to those who ask for it. */
export async function loadLaterParts(): Promise<void> {
  await Promise.allSettled(parts.map((load) => load()));
}
