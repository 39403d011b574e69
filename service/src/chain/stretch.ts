// The events from one block up to the newest: old blocks in long ranges without proof, the newest ones in short ranges, each block of
// which is linked to the one before and proves its logs.
import { SvcError } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import type { BlockRef, Head } from '../store/chainRow.ts';
import type { End } from '../store/reading.ts';
import { createRange } from './logRange.ts';
import type { ChainSource } from './source.ts';

/** Blocks that may still fork away are among this many, and nodes that call every block final are not believed. */
export const nearBlocks = 1_024n;
/** Short ranges that one step collects: nodes keep the state of few blocks, so a step goes up to the newest where it can. */
const mostAtOnce = 40;
/** How long the answer about the final block is used. */
const finalMs = 60_000;
/** About a tenth of a second of work: other requests wait no longer. */
const eventsAtOnce = 2_000;

export type Stretch = {
  readonly events: readonly ChainEvent[];
  /** The blocks of short ranges, oldest first. */
  readonly blocks: readonly BlockRef[];
  readonly end: End;
};

export function createStretches(source: ChainSource, { near = nearBlocks } = {}) {
  const long = createRange<readonly ChainEvent[]>({
    first: 2_000,
    largest: 10_000,
    work: { of: ({ length }) => length, most: eventsAtOnce },
  });
  const short = createRange({ first: shortest(source), largest: shortest(source) });
  let final = { block: null as bigint | null, at: Number.NEGATIVE_INFINITY };

  /** The newest block that no fork takes away: final, and far from the newest. */
  async function findOld({ number }: Head): Promise<bigint> {
    if (performance.now() - final.at > finalMs)
      final = { block: await source.readFinal(), at: performance.now() };
    const far = number - near;
    return final.block !== null && final.block < far ? final.block : far;
  }

  return {
    findOld,

    /** One range of old blocks after `from`, up to `old` at most. */
    readOld: (from: bigint, old: bigint): Promise<Stretch> => {
      let end = from;
      return long
        .use(async (size) => {
          end = smaller(from + BigInt(size), old);
          return source.readRange(from + 1n, end);
        })
        .then((events) => ({ events, blocks: [], end: { number: end, hash: null, time: 0 } }));
    },

    /** From `base` to the newest block, or as far as one step goes. Throws CHAIN_CHANGED where the blocks do not follow `base`. */
    async readNew(base: Pick<End, 'number' | 'hash'>, tip: Head): Promise<Stretch & { readonly end: Head }> {
      const events: ChainEvent[] = [];
      const blocks: BlockRef[] = [];
      let end = { number: base.number, hash: base.hash, time: 0 };
      for (let ranges = 0; end.number < tip.number && ranges < mostAtOnce; ranges++) {
        const { number, hash } = end;
        const next = short.use((size) =>
          source.readBlocks(number + 1n, smaller(number + BigInt(size), tip.number)),
        );
        const part = await next
          .then((read) => {
            if (hash !== null && read.parentHash !== hash) throw changedMeanwhile();
            return read;
          })
          .catch((error: unknown) => {
            // What was read so far is worth a step; the next one asks again.
            if (blocks.length === 0) throw error;
            return null;
          });
        if (part === null) break;
        events.push(...part.events);
        blocks.push(...part.blocks);
        end = part.end;
      }
      if (end.number === tip.number) {
        if (end.hash !== tip.hash) throw changedMeanwhile();
        end = { number: tip.number, hash: tip.hash, time: tip.time };
      }
      return { events, blocks, end: end as Head };
    },
  };
}

function shortest({ provenBlocks }: ChainSource): number {
  return Math.max(1, Number(provenBlocks));
}

export type Stretches = ReturnType<typeof createStretches>;

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

export function changedMeanwhile(): SvcError {
  return new SvcError('CHAIN_CHANGED', {});
}
