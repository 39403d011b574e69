// How texts are searched: what counts as a word, and which words a search text asks for. Both databases and the pages
// search for the words that these functions return, so they find the same tasks.
import { type Market, markets } from './market.ts';

/** Scripts without spaces between words: each sign counts as a word. */
const sign = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const wordPattern = new RegExp(`[${sign}]|(?:(?![${sign}])[\\p{L}\\p{N}])+`, 'gu');

/** The same words where a text has no other signs; most texts have none, and this takes a tenth of the time. */
const asciiText = /^[\0-\x7f]*$/;
const asciiWord = /[a-z0-9]+/g;

/** An address has 42; what comes after is not searched. */
const maxWordLength = 42;

/** Words in one spelling: lower case, without accents. */
export function splitWords(text: string): string[] {
  if (asciiText.test(text)) return (text.toLowerCase().match(asciiWord) ?? []).map(cutWord);
  const plain = text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  return (plain.match(wordPattern) ?? []).map(cutWord);
}

/** Counts signs, not halves of them: half a sign is no text that a database takes. */
function cutWord(word: string): string {
  return word.length <= maxWordLength ? word : [...word].slice(0, maxWordLength).join('');
}

export type SearchTerm = {
  readonly word: string;
  /** Whether longer words that begin with it match as well. */
  readonly isPrefix: boolean;
};

export const maxSearchLength = 100;
export const maxSearchTerms = 12;
const minPrefixLength = 3;

const idPattern = new RegExp(`\\bv2:(${markets.join('|')}):([1-9][0-9]{0,19})\\b`, 'gi');

/** The words that a task must all have. Numbers and ids match as a whole. */
export function readSearch(text: string): SearchTerm[] {
  const words = [...new Set(splitWords(text.replace(idPattern, (id) => id.replaceAll(':', ''))))];
  return words.map((word) => ({
    word,
    isPrefix: word.length >= minPrefixLength && !/^\d+$/.test(word) && !idWordPattern.test(word),
  }));
}

const idWordPattern = new RegExp(`^v2(${markets.join('|')})[1-9][0-9]*$`);

export type SearchedTask = {
  readonly market: Market;
  readonly number: bigint;
  readonly poster: string;
  readonly worker?: string | null | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly criteria?: string | undefined;
  readonly tags?: readonly string[] | undefined;
};

/** Every word by which a task is found: its texts and tags, its id and number, its poster and worker. */
export function listTaskWords(task: SearchedTask): Set<string> {
  const { market, number, poster, worker, title = '', description = '', criteria = '', tags = [] } = task;
  const text = [title, ...tags, description, criteria, poster, worker ?? ''].join(' ');
  return new Set([`v2${market}${number}`, String(number), ...splitWords(text)]);
}

/** Tags in one spelling: they match as a whole, whatever their case. */
export function tagKey(tag: string): string {
  return tag.trim().toLowerCase().normalize('NFC');
}
