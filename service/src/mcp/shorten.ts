// Cuts values to a weight, so that an answer stays within what a model can read, whatever is written in it.

/**
 * The most tokens that the JSON text of a value can have, twice. Rare characters have a token for each byte, and so have letters
 * and digits in disorder; tokenizers join a letter with a vowel or a space beside it, and digits.
 */
export function weigh(value: unknown): number {
  const text = JSON.stringify(value);
  return 2 * Buffer.byteLength(text) - (text.match(joined)?.length ?? 0);
}

const joined = /(?<=[a-z])[aeiou ]|(?<=[aeiou ])[a-z]|(?<=[0-9])[0-9]/g;

/** The longest beginning of the text that fits, without half characters. */
export function cutText(text: string, most: number): string {
  let [left, end, before] = [most, 0, ''];
  for (const character of text) {
    left -= weigh(before + character) - weigh(before);
    if (left < 0) return text.slice(0, end);
    end += character.length;
    before = character;
  }
  return text;
}

type Shortened<Value> = {
  readonly shown: Value;
  /** Characters of JSON text that are not shown. */
  readonly leftOut: number;
};

/** Keeps the first fields and items, and cuts the text at which the space ends. */
export function shorten<Value>(value: Value, most: number): Shortened<Value> {
  if (weigh(value) <= most) return { shown: value, leftOut: 0 };
  const shown = cut(value, { left: most }) as Value;
  return { shown, leftOut: JSON.stringify(value).length - JSON.stringify(shown).length };
}

/** A quote or bracket at both ends, and what stands between two values. */
const frameWeight = 6;

function cut(value: unknown, space: { left: number }): unknown {
  if (typeof value !== 'object' || value === null) {
    const shown = typeof value === 'string' ? cutText(value, space.left - frameWeight) : value;
    space.left -= weigh(shown) + 2;
    return shown;
  }
  space.left -= frameWeight;
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const named = Array.isArray(value) ? 0 : weigh(key) + 2;
    if (space.left <= named + frameWeight) break;
    space.left -= named;
    entries.push([key, cut(item, space)]);
  }
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

/** The first items that fit. */
export function takeFitting<Item>(items: readonly Item[], most: number): Item[] {
  let left = most;
  const end = items.findIndex((item) => {
    left -= weigh(item) + 2;
    return left < 0;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}
