// Places of uploads: each holds a file and a connection. A slow sender keeps its place only while nobody else needs it, and
// some places are for evidence in live disputes.
import { type Address, SvcError } from '@svc/sdk/domain';

export type PlaceLimits = {
  readonly ofWallet: number;
  readonly inAll: number;
  /** Of all places, those that only evidence takes. */
  readonly forEvidence: number;
  /** An upload is judged by its speed after this time; below the speed it gives way, and below a tenth of it it ends. */
  readonly graceMs: number;
  readonly slowBytesPerSecond: number;
};

/** What `receive` needs of a place. */
export type Place = { readonly signal: AbortSignal; readonly onBytes: (count: number) => void };

type Running = {
  readonly wallet: Address;
  readonly isEvidence: boolean;
  readonly startedAt: number;
  readonly end: AbortController;
  bytes: number;
};

export function createUploadPlaces(limits: PlaceLimits) {
  const { ofWallet, inAll, forEvidence, graceMs, slowBytesPerSecond } = limits;
  const running = new Set<Running>();

  /** Bytes a second; infinite in its first seconds. */
  function speedOf({ startedAt, bytes }: Running): number {
    const ms = performance.now() - startedAt;
    return ms < graceMs ? Number.POSITIVE_INFINITY : (1_000 * bytes) / ms;
  }

  /** One that gives way: the slowest where it is slow, else one of the wallet that has most, where that is unfair. */
  function findWeakest(some: readonly Running[], ownCount: number): Running | undefined {
    const [slowest] = some.toSorted((left, right) => speedOf(left) - speedOf(right));
    if (slowest !== undefined && speedOf(slowest) < slowBytesPerSecond) return slowest;
    const wallets = [...Map.groupBy(some, ({ wallet }) => wallet).values()];
    const [most = []] = wallets.toSorted((left, right) => right.length - left.length);
    return most.length > ownCount + 1 ? most.at(-1) : undefined;
  }

  /** Throws FILES_BUSY where none of them gives way. */
  function endWeakest(some: readonly Running[], ownCount: number): void {
    const weakest = findWeakest(some, ownCount);
    if (weakest === undefined) throw new SvcError('FILES_BUSY', {});
    running.delete(weakest);
    weakest.end.abort(new SvcError('FILES_BUSY', {}));
  }

  /** Throws FILES_BUSY. */
  function requirePlace(wallet: Address, isEvidence: boolean): void {
    const own = [...running].filter((one) => one.wallet === wallet);
    if (own.length >= ofWallet) endWeakest(own, own.length);
    const rivals = [...running].filter((one) => isEvidence || !one.isEvidence);
    if (rivals.length >= inAll - (isEvidence ? 0 : forEvidence)) endWeakest(rivals, own.length);
  }

  return {
    /** How many are used now. */
    used: () => running.size,
    use: async <T>(
      wallet: Address,
      isEvidence: boolean,
      signal: AbortSignal,
      work: (place: Place) => Promise<T>,
    ): Promise<T> => {
      requirePlace(wallet, isEvidence);
      const own: Running = {
        wallet,
        isEvidence,
        startedAt: performance.now(),
        end: new AbortController(),
        bytes: 0,
      };
      running.add(own);
      const looking = setInterval(() => {
        if (speedOf(own) < slowBytesPerSecond / 10) own.end.abort(new SvcError('REQUEST_TOO_SLOW', {}));
      }, graceMs);
      try {
        return await work({
          signal: AbortSignal.any([signal, own.end.signal]),
          onBytes: (count) => {
            own.bytes += count;
          },
        });
      } finally {
        clearInterval(looking);
        running.delete(own);
      }
    },
  };
}
