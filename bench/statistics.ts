// The statistics of a run: what is reported is a median, never a best or a mean.

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which this share of the values lies, between two neighbours where it falls between them. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('There is nothing to measure in an empty list.');
  const sorted = values.toSorted((left, right) => left - right);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}

/**
 * The median of the ratios of pairs that were measured one right after the other: whatever else the machine was doing
 * then, it did to both.
 */
export function medianRatio(above: readonly number[], below: readonly number[]): number {
  if (above.length !== below.length) throw new RangeError('Ratios are made of pairs.');
  return median(above.map((value, at) => value / (below[at] as number)));
}
