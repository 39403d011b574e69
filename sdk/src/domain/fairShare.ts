// How much of a list one wallet fills.

/** How many of a page one wallet may have: a fifth. */
export function shareOf(limit: number): number {
  return Math.max(1, Math.floor(limit / 5));
}

/**
 * The same rows in almost the same order: in each `size` of them a poster has its share, and what is beyond waits until others had
 * theirs. Where only few posters are left, they fill the rest.
 */
export function mixPosters<Row extends { readonly poster: string }>(rows: readonly Row[], size = 10): Row[] {
  const mixed: Row[] = [];
  let waiting = rows;
  while (waiting.length > 0) {
    const counts = new Map<string, number>();
    const [taken, left]: [Row[], Row[]] = [[], []];
    for (const row of waiting) {
      const count = counts.get(row.poster) ?? 0;
      if (taken.length === size || count >= shareOf(size)) {
        left.push(row);
        continue;
      }
      counts.set(row.poster, count + 1);
      taken.push(row);
    }
    // Too few posters for a page: the order stays as it was.
    if (taken.length < size) return [...mixed, ...taken, ...left];
    mixed.push(...taken);
    waiting = left;
  }
  return mixed;
}
