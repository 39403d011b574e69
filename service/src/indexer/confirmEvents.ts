// Compares stored events with the chain again, one stretch of blocks after the other. Nothing proves what a log says, and
// headers prove only for short stretches that none is missing.
import { isDeepStrictEqual } from 'node:util';
import type { TaskKey } from '@svc/sdk/domain';
import { createRange } from '@svc/sdk/internal/chain/logRange';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import type { Shown } from '#store/chainRow.ts';
import { listTasks } from '#store/eventRows.ts';
import type { ProjectionStore } from '#store/projection.ts';
import type { ChainSource } from './source.ts';

/** About a tenth of a second of work. */
const eventsAtOnce = 1_000;

export type ComparedEvents = {
  /** The last block of the stretch. */
  readonly upTo: bigint;
  /** The tasks whose events were wrong. */
  readonly corrected: readonly TaskKey[];
};

/**
 * Compares the events of the blocks above one, as many as the provider answers at once. Resolves to null where answers
 * contradict each other, or the head moves at this moment.
 */
export type CompareEvents = (shown: Shown, above: bigint, upTo: bigint) => Promise<ComparedEvents | null>;

type Stretch = { readonly upTo: bigint; readonly events: readonly ChainEvent[] };

/** A block whose stored events are not those that the chain has. */
type WrongBlock = {
  readonly number: bigint;
  readonly stored: readonly ChainEvent[];
  readonly events: readonly ChainEvent[];
};

export function createEventComparison(
  source: ChainSource,
  store: ProjectionStore,
  isStillHead: (head: Shown['head']) => Promise<boolean>,
): CompareEvents {
  const range = createRange<Stretch | null>({
    first: 300,
    largest: 10_000,
    work: { of: (stretch) => stretch?.events.length ?? 0, most: eventsAtOnce },
  });

  function read(above: bigint, upTo: bigint): Promise<Stretch | null> {
    return range.use(async (size) => {
      const end = above + BigInt(size);
      const last = await source.readBlock(end < upTo ? end : upTo);
      if (last === null) return null;
      return { upTo: last.number, events: (await source.readEvents(above + 1n, last)).events };
    });
  }

  /** Only a second answer that says the same counts. That of a single block is proven not to lack the logs of a contract. */
  async function isSecond({ number, events }: WrongBlock): Promise<boolean> {
    const block = await source.readBlock(number);
    return block !== null && isDeepStrictEqual((await source.readEvents(number, block)).events, events);
  }

  return async (shown, above, end) => {
    const { generation, head } = shown;
    const stretch = await read(above, end);
    if (stretch === null) return null;
    const { upTo, events } = stretch;
    const wrong = listWrong(await store.loadEvents({ above, upTo }), events);
    if (wrong.length === 0) return { upTo, corrected: [] };
    for (const block of wrong) if (!(await isSecond(block))) return null;
    const isOnChain = (await source.readBlock(head.number))?.hash === head.hash;
    if (!isOnChain || !(await isStillHead(head))) return null;
    for (const { number, stored, events: right } of wrong) {
      const only = { above: number - 1n, upTo: number };
      await store.replaceEvents({ generation, head, wrong: stored, events: right, ...only });
    }
    return { upTo, corrected: listTasks(listDiffering(wrong)) };
  };
}

function listWrong(stored: readonly ChainEvent[], events: readonly ChainEvent[]): WrongBlock[] {
  const before = Map.groupBy(stored, ({ blockNumber }) => blockNumber);
  const after = Map.groupBy(events, ({ blockNumber }) => blockNumber);
  const numbers = new Set([...before.keys(), ...after.keys()]);
  return [...numbers]
    .map((number) => ({ number, stored: before.get(number) ?? [], events: after.get(number) ?? [] }))
    .filter((block) => !isDeepStrictEqual(block.stored, block.events));
}

/** Events that are on one side only. */
function listDiffering(blocks: readonly WrongBlock[]): ChainEvent[] {
  return blocks.flatMap(({ stored, events }) =>
    [...stored, ...events].filter(
      (event) => ![stored, events].every((list) => list.some((other) => isDeepStrictEqual(other, event))),
    ),
  );
}
