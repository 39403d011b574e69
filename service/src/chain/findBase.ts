// Where rows and chain part: the newest block that both have. A node that lags is no fork.
import { SvcError } from '@svc/sdk/domain';
import { OperatorError } from '../errors/operatorError.ts';
import type { BlockRef } from '../store/chainRow.ts';
import type { ChainSource, SourceBlock } from './source.ts';

export type Patience = ReturnType<typeof createPatience>;

/** How long a chain that seems shorter than the rows is taken for a node that lags. */
export function createPatience(milliseconds: number) {
  let since: number | null = null;
  return {
    /** True when the stored head was on none of the nodes for long enough, so that the chain did go back. */
    isOver: (): boolean => {
      since ??= performance.now();
      return performance.now() - since >= milliseconds;
    },
    reset: (): void => {
      since = null;
    },
  };
}

export type BaseNeeds = {
  readonly source: ChainSource;
  /** The hashes that are kept, newest first. */
  readonly loadKept: () => Promise<readonly BlockRef[]>;
  readonly patience: Patience;
};

/**
 * A fork shows another hash at the same height. Null while the nodes have not reached the height of the rows and agree with
 * them below it: they lag. Throws FORK_TOO_DEEP where no kept block is on the chain.
 */
export async function findBase(
  { source, loadKept, patience }: BaseNeeds,
  head: BlockRef,
  tip: SourceBlock,
): Promise<BlockRef | null> {
  if (tip.hash === head.hash || tip.parentHash === head.hash) return head;
  const same = await source.readBlock(head.number);
  if (same?.hash === head.hash) return head;
  const kept = (await loadKept()).filter(({ number }) => number < head.number);
  if (same === null && !patience.isOver()) {
    const below = kept.find(({ number }) => number <= tip.number);
    const known = below && (await source.readBlock(below.number));
    if (below === undefined || known == null || known.hash === below.hash) return null;
  }
  // A fork, or another chain behind the same address.
  source.distrust(tip);
  const base = await findNewestOnChain(source, kept, tip.number);
  if (base === null)
    throw new OperatorError('FORK_TOO_DEEP', { block: String(kept.at(-1)?.number ?? head.number) });
  return base;
}

/** Binary search: below a fork all blocks are on the chain, above it none. `kept` is newest first. */
async function findNewestOnChain(
  source: ChainSource,
  kept: readonly BlockRef[],
  tip: bigint,
): Promise<BlockRef | null> {
  let gone = 0;
  let on = kept.length;
  while (gone < on) {
    const middle = Math.floor((gone + on) / 2);
    const { number, hash } = kept[middle] as BlockRef;
    const block = number > tip ? null : await source.readBlock(number);
    // A node that lags must not make a fork deeper than it is.
    if (block === null && number <= tip) throw new SvcError('CHAIN_CHANGED', {});
    if (block?.hash === hash) on = middle;
    else gone = middle + 1;
  }
  return kept[on] ?? null;
}
