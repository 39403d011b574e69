// Search in the guides: each section is an entry; a section is found if it has every word that was typed.

export type GuideSection = {
  readonly url: string;
  /** Of the guide, and of the section in it; the section is empty for the part before the first one. */
  readonly guide: string;
  readonly section: string;
  readonly text: string;
};

const mostFound = 8;
/** So that one long guide does not fill the list. */
const mostOfGuide = 2;

/** The best first: words in headings count more than words in the text. */
export function findSections(sections: readonly GuideSection[], typed: string): readonly GuideSection[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
  if (words.length === 0) return [];
  const shown = new Map<string, number>();
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .filter(({ section: { guide } }) => {
      const count = (shown.get(guide) ?? 0) + 1;
      shown.set(guide, count);
      return count <= mostOfGuide;
    })
    .slice(0, mostFound)
    .map(({ section }) => section);
}

/** 0 where a word is missing. */
function scoreOf({ guide, section, text }: GuideSection, words: readonly string[]): number {
  const heading = section.toLowerCase();
  const title = guide.toLowerCase();
  const body = text.toLowerCase();
  let score = 0;
  for (const word of words) {
    const found =
      (heading.includes(word) ? 4 : 0) + (title.includes(word) ? 2 : 0) + (body.includes(word) ? 1 : 0);
    if (found === 0) return 0;
    score += found;
  }
  return score;
}
