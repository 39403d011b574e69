// Differences between two texts, word by word, so that a reader of a counter-offer sees what has changed.

export type Difference = { readonly kind: 'same' | 'removed' | 'added'; readonly text: string };

/** The table below has this many cells at most; longer texts are compared as a whole. */
const maxCells = 400_000;

export function compareTexts(before: string, after: string): readonly Difference[] {
  if (before === after) return after === '' ? [] : [{ kind: 'same', text: after }];
  const [old, current] = [splitWords(before), splitWords(after)];
  if (old.length * current.length > maxCells) return join(removed(before), added(after));
  return mergeNeighbours(compareWords(old, current));
}

const removed = (text: string): Difference => ({ kind: 'removed', text });
const added = (text: string): Difference => ({ kind: 'added', text });

/** Words with the space after them. */
function splitWords(text: string): readonly string[] {
  return text.match(/\s*\S+\s*/g) ?? (text === '' ? [] : [text]);
}

/** The longest common subsequence of both lists. */
function compareWords(old: readonly string[], current: readonly string[]): readonly Difference[] {
  const width = current.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  const isSame = (row: number, column: number) => old[row]?.trim() === current[column]?.trim();
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = current.length - 1; column >= 0; column--) {
      lengths[row * width + column] = isSame(row, column)
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const found: Difference[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < current.length) {
    if (row < old.length && column < current.length && isSame(row, column)) {
      found.push({ kind: 'same', text: current[column] ?? '' });
      row++;
      column++;
    } else if (row < old.length && (column >= current.length || at(row + 1, column) >= at(row, column + 1))) {
      found.push(removed(old[row] ?? ''));
      row++;
    } else {
      found.push(added(current[column] ?? ''));
      column++;
    }
  }
  return found;
}

function mergeNeighbours(parts: readonly Difference[]): readonly Difference[] {
  const merged: Difference[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last?.kind === part.kind) merged[merged.length - 1] = { ...last, text: last.text + part.text };
    else merged.push(part);
  }
  return merged;
}

function join(...parts: readonly Difference[]): readonly Difference[] {
  return parts.filter(({ text }) => text !== '');
}
