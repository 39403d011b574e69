// Differences between two texts, word by word, so that a reader of a counter-offer sees what has changed.
import { diffArrays } from 'diff';

/** Texts with more changed words are compared as a whole. */
const maxChanges = 400;

export function compareTexts(before: string, after: string) {
  const found = diffArrays(splitWords(before), splitWords(after), {
    comparator: (left, right) => left.trim() === right.trim(),
    maxEditLength: maxChanges,
  });
  const parts = found ?? [
    { value: [before], removed: true, added: false },
    { value: [after], removed: false, added: true },
  ];
  return parts.map(({ value, removed, added }) => ({
    kind: removed ? ('removed' as const) : added ? ('added' as const) : ('same' as const),
    text: value.join(''),
  }));
}

/** Words with the space around them. */
function splitWords(text: string): string[] {
  return text.match(/\s*\S+\s*/g) ?? (text === '' ? [] : [text]);
}
