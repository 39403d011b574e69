// Loads in one query what many callers ask for in the same turn of the event loop: a small read costs mostly the way into
// the database and back. Replaces `dataloader`, whose cache and key handling cost more here than the read itself.

/** Null where there is none. Rejects where the load fails. */
export type BatchLoader<Value> = (number: number) => Promise<Value | null>;

type Waiting<Value> = {
  readonly number: number;
  readonly resolve: (value: Value | null) => void;
  readonly reject: (error: unknown) => void;
};

/** `load` leaves out what does not exist. */
export function createBatchLoader<Value>(
  load: (numbers: readonly number[]) => Promise<ReadonlyMap<number, Value>>,
): BatchLoader<Value> {
  let waiting: Waiting<Value>[] = [];

  async function loadBatch(): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      const found = await load(batch.map(({ number }) => number));
      for (const { number, resolve } of batch) resolve(found.get(number) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (number) =>
    new Promise((resolve, reject) => {
      // By then every socket that has data has been read.
      if (waiting.length === 0) setImmediate(loadBatch);
      waiting.push({ number, resolve, reject });
    });
}
