// Compares stored events with the chain again, one stretch of blocks after the other. Nothing proves what a log says, and
// headers prove only for short stretches that none is missing.
import { isDeepStrictEqual } from 'node:util';
import type { TaskKey } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { createRange } from '../chain/logRange.ts';
import type { ChainSource } from '../chain/source.ts';
import type { Generation, Head, Shown } from '../store/chainRow.ts';
import { listTasks } from '../store/eventRows.ts';
import type { ProjectionStore, WrongBlock } from '../store/projection.ts';

/** About a tenth of a second of work. */
const eventsAtOnce = 1_000;
/** As many questions as an endpoint is asked at once where it takes no batches. */
const blocksAtOnce = 8;

/** Writes onto the head of this moment, and again where it moved meanwhile; resolves to false where that does not work. */
export type WriteAtHead = (
  generation: Generation,
  write: (head: Head) => Promise<boolean>,
) => Promise<boolean>;

export type ComparedEvents = {
  /** The last block of the stretch. */
  readonly upTo: bigint;
  /** The tasks whose events were wrong. */
  readonly corrected: readonly TaskKey[];
};

type Writing = {
  readonly writeAtHead: WriteAtHead;
  /** Is told the blocks before they are written. */
  readonly doubt: (blocks: readonly bigint[]) => Promise<void>;
};

/**
 * Compares the events of the blocks above one, as many as the provider answers at once. Resolves to null where answers
 * contradict each other.
 */
export type CompareEvents = (shown: Shown, above: bigint, upTo: bigint) => Promise<ComparedEvents | null>;

type Stretch = { readonly upTo: bigint; readonly events: readonly ChainEvent[] };

export function createEventComparison(
  source: ChainSource,
  store: ProjectionStore,
  { writeAtHead, doubt }: Writing,
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

  /** Several at once: with a slow provider one after the other would take longer than its answers stay the same. */
  async function listSecond(wrong: readonly WrongBlock[]): Promise<WrongBlock[]> {
    const said: WrongBlock[] = [];
    for (let start = 0; start < wrong.length; start += blocksAtOnce) {
      const part = wrong.slice(start, start + blocksAtOnce);
      const areSame = await Promise.all(part.map(isSecond));
      said.push(...part.filter((_, at) => areSame[at]));
    }
    return said;
  }

  async function isOnChain({ number, hash }: Head): Promise<boolean> {
    return (await source.readBlock(number))?.hash === hash;
  }

  return async ({ generation, head: first }, above, end) => {
    const stretch = await read(above, end);
    if (stretch === null) return null;
    const { upTo, events } = stretch;
    const wrong = listWrong(await store.loadEvents({ above, upTo }), events);
    if (wrong.length === 0) return { upTo, corrected: [] };
    const right = await listSecond(wrong);
    if (right.length > 0) await doubt(right.map(({ number }) => number));
    const isWritten = await writeAtHead(generation, async (head) => {
      // Where both are on the chain, no fork came between the answers.
      const areOnChain = (await Promise.all([first, head].map(isOnChain))).every(Boolean);
      if (areOnChain) await store.replaceEvents({ generation, head, blocks: right });
      return areOnChain;
    });
    if (!isWritten || right.length < wrong.length) return null;
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
