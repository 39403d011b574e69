// Gathers what many ask for one by one in the same turn of the event loop and loads it together: what a small read
// costs is mostly the way into the database and back, not the row.

/** Calls back with null where there is none. */
export type Gather<Value> = (number: number, onValue: (value: Value | null) => void) => void;

type Asked<Value> = { readonly number: number; readonly onValue: (value: Value | null) => void };

/** `load` leaves out what there is not; where it fails, nobody is given anything. */
export function createGather<Value>(
  load: (numbers: readonly number[]) => Promise<ReadonlyMap<number, Value>>,
): Gather<Value> {
  let waiting: Asked<Value>[] = [];

  async function answer(): Promise<void> {
    const asked = waiting;
    waiting = [];
    const found = await load(asked.map(({ number }) => number)).catch(() => new Map<number, Value>());
    for (const { number, onValue } of asked) onValue(found.get(number) ?? null);
  }

  return (number, onValue) => {
    // By then every socket that had something to tell has been read.
    if (waiting.length === 0) setImmediate(answer);
    waiting.push({ number, onValue });
  };
}
