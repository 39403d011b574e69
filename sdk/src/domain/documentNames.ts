// The names that documents use: their states, what a hash covers, and clean file names. Free of libraries, so that reading
// the API needs none.

/** How a document stands to the hash on chain; the schema of the API says what each one means. */
export const documentStates = [
  'verified',
  'mismatch',
  'malformed',
  'unavailable',
  'withheld',
  'foreign',
] as const;
export type DocumentState = (typeof documentStates)[number];

/** What the criteriaHash of a task covers: all words of its document, the criteria alone, or neither. */
export const bindings = ['document', 'criteria', 'none'] as const;
export type Binding = (typeof bindings)[number];

const maxFileName = 200;

/** The last part of a path, without characters that could change how it is shown; "file" where nothing is left. */
export function cleanFileName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  const plain = base.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '').trim();
  const short = Array.from(plain).slice(0, maxFileName).join('').trim();
  return short === '' || short === '.' || short === '..' ? 'file' : short;
}
