/** Works on a few entries at once: starts in their order, and returns the results in that order. */
export async function inParallel<Entry, Result>(
  entries: readonly Entry[],
  atOnce: number,
  work: (entry: Entry) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = entries.entries();
  const workNext = async (): Promise<void> => {
    for (const [at, entry] of waiting) results[at] = await work(entry);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, entries.length) }, workNext));
  return results;
}
