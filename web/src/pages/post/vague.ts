// Words in criteria that no judge can measure.

const vague =
  /\b(?:nice(?:ly|r)?|good(?: quality)?|well|beautiful(?:ly)?|professional(?:ly)?|high[- ]quality|clean(?:ly)?|proper(?:ly)?|user[- ]friendly|intuitive|modern|elegant(?:ly)?|appropriate(?:ly)?|reasonabl[ey]|sufficient(?:ly)?|satisf(?:ied|ying|actory)|as expected|best practices?|asap|etc|and so on)\b(?:\s+\p{L}+ed\b)?/iu;

/** The first of them as it was written; null where there is none. */
export function findVague(criteria: string): string | null {
  return vague.exec(criteria)?.[0] ?? null;
}
