// Cuts values to a number of bytes of JSON, so that an answer stays within what a model can read.

/** As JSON text in UTF-8. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The longest beginning of the text that fits, without half characters. */
export function cutText(text: string, most: number): string {
  let [left, end] = [most, 0];
  for (const character of text) {
    left -= bytesOf(character) - 2;
    if (left < 0) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

export type Shortened<Value> = {
  readonly shown: Value;
  /** Characters of JSON text that are not shown. */
  readonly leftOut: number;
};

/** Keeps the first fields and items, and cuts the text at which the space ends. */
export function shorten<Value>(value: Value, most: number): Shortened<Value> {
  const whole = JSON.stringify(value);
  if (Buffer.byteLength(whole) <= most) return { shown: value, leftOut: 0 };
  const shown = cut(value, { left: most }) as Value;
  return { shown, leftOut: whole.length - JSON.stringify(shown).length };
}

/** A quote or bracket at both ends, and what stands between two values. */
const frameBytes = 3;

function cut(value: unknown, space: { left: number }): unknown {
  if (typeof value !== 'object' || value === null) {
    const shown = typeof value === 'string' ? cutText(value, space.left - frameBytes) : value;
    space.left -= bytesOf(shown) + 1;
    return shown;
  }
  space.left -= frameBytes;
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const named = Array.isArray(value) ? 0 : bytesOf(key) + 1;
    if (space.left <= named + frameBytes) break;
    space.left -= named;
    entries.push([key, cut(item, space)]);
  }
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

/** The first items that fit. */
export function takeFitting<Item>(items: readonly Item[], most: number): Item[] {
  let left = most;
  const end = items.findIndex((item) => {
    left -= bytesOf(item) + 1;
    return left < 0;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}
