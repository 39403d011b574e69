// How far the market's time is from this device's clock.

/** Differences below this are the network's, not a clock's. */
const meaningfulSeconds = 60;

/**
 * The chain's clock counts, which on a development chain may be ahead of everyone's; a chain that is away keeps the time
 * it had, and then the server's clock counts. The device's own is only what seconds are counted by: it may be wrong.
 */
export function findOffset(times: {
  readonly device: number;
  readonly chain: number;
  /** NaN where it was not told. */
  readonly server: number;
}): number {
  const { device, chain, server } = times;
  if (Number.isNaN(server)) return chain - device > meaningfulSeconds ? chain - device : 0;
  const offset = Math.max(chain, server) - device;
  return Math.abs(offset) > meaningfulSeconds ? offset : 0;
}
