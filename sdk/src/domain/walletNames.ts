// Names that wallets give themselves: one form (NFKC), one script (UTS 39), and a skeleton by which two names look alike.
//
// A name proves nothing. These rules keep it from changing the text around it, from posing as an address, and from mixing
// letters of two alphabets that look the same.

export const maxNameLength = 40;

/** Scripts in everyday use. Characters that belong to all scripts, such as digits, count for each. */
const scripts = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Thai',
  'Lao',
  'Myanmar',
  'Georgian',
  'Ethiopic',
  'Khmer',
] as const;

/** Languages that are written in several scripts at once, as UTS 39 has them. */
const together = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
] as const;

const writingSystems = [...scripts.map((script) => [script]), ...together].map((names) => {
  const sets = ['Common', 'Inherited', ...names].map((name) => `\\p{Script_Extensions=${name}}`);
  return new RegExp(`^[${sets.join('')}]+$`, 'u');
});

/** Controls, direction marks, line ends, private and unassigned characters. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/u;
/** Letters carry one or two marks; more of them cover the lines around. */
const stackedMarks = /\p{M}{3,}/u;

/** The form in which a name is signed: NFKC, without spaces around it or several in a row. */
export function normaliseName(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/gu, ' ');
}

/** What is wrong with a name, as the end of a sentence that begins with it; null for a good one. */
export function findNameMistake(name: string): string | null {
  const { length } = [...name];
  if (length < 1 || length > maxNameLength) return `must have 1 to ${maxNameLength} characters`;
  if (invisible.test(name)) return 'must not have invisible or control characters';
  if (/0x[0-9a-f]|…|\.\.\./i.test(name)) return 'must not look like an address';
  if (normaliseName(name) !== name) return 'must be in the form NFKC, without spaces around it';
  if (!/[\p{L}\p{N}]/u.test(name)) return 'must have a letter or a digit';
  if (stackedMarks.test(name.normalize('NFD'))) return 'must not have more than two marks on a letter';
  if (!writingSystems.some((pattern) => pattern.test(name)))
    return 'must use the letters of one script, such as only Latin or only Cyrillic';
  return null;
}

/** Letters of other scripts, and digits, that look like a Latin letter in lower or upper case. */
const lookAlikes: Readonly<Record<string, string>> = {
  // Cyrillic
  ...pair('аеорсухіјѕһԁԛԝвкмнтгпшёїүӏ', 'aeopcyxijshdqwbkmhtrnweiyl'),
  // Greek
  ...pair('αβγειικνορτυχηζμω', 'abyeiikvoptuxnzuw'),
  // Armenian
  ...pair('աօսցհոռք', 'wougunnp'),
  // digits and signs
  ...pair('0135$@|!', 'olessali'),
  // letters that many fonts draw alike
  ...pair('iıłøđßæ', 'llloobe'),
};

/** Pairs of letters that read as one. */
const asOne: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
];

/** Two names with the same skeleton look alike to a reader. */
export function skeletonOf(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}$@|!]/gu, '');
  const letters = [...plain].map((sign) => lookAlikes[sign] ?? sign);
  // Runs a second time, for letters that became an i.
  const text = letters.map((sign) => lookAlikes[sign] ?? sign).join('');
  return asOne.reduce((word, [two, one]) => word.replaceAll(two, one), text);
}

function pair(from: string, to: string): Record<string, string> {
  const targets = [...to];
  return Object.fromEntries([...from].map((sign, at) => [sign, targets[at] ?? sign]));
}
