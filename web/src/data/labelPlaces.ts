// Where the labels beside a plot go: each as near to its value as the others allow.

/** Moves labels apart so that two are never closer than `gap`, and none is outside `from` to `to` while they all fit. */
export function spreadLabels(
  wanted: readonly number[],
  { gap, from, to }: { readonly gap: number; readonly from: number; readonly to: number },
): number[] {
  const order = wanted.map((_, index) => index).sort((one, other) => at(wanted, one) - at(wanted, other));
  const places = [...wanted];
  let lowest = from;
  for (const index of order) {
    places[index] = Math.max(at(wanted, index), lowest);
    lowest = at(places, index) + gap;
  }
  // Those that were pushed over the end push the ones before them back.
  let highest = to;
  for (const index of order.toReversed()) {
    places[index] = Math.min(at(places, index), highest);
    highest = at(places, index) - gap;
  }
  return places;
}

function at(values: readonly number[], index: number): number {
  return values[index] as number;
}
