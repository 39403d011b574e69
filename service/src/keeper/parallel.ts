// Works through a list, some entries at a time.

/** Nodes promise room for 16 waiting transactions of one account. */
const maxParallel = 8;

/** Begins in the order of the entries, and answers in it. */
export async function inParallel<Entry, Result>(
  entries: readonly Entry[],
  work: (entry: Entry) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  async function take(): Promise<void> {
    for (let at = next++; at < entries.length; at = next++) results[at] = await work(entries[at] as Entry);
  }
  await Promise.all(Array.from({ length: Math.min(maxParallel, entries.length) }, take));
  return results;
}
